package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// UpdateWorkoutIn names a workout and what changes about it.
type UpdateWorkoutIn struct {
	WorkoutID *int64               `json:"workout_id"`
	Date      *string              `json:"date" doc:"'today' or YYYY-MM-DD: which workout"`
	NewDate   *string              `json:"new_date" doc:"'today' or YYYY-MM-DD"`
	Notes     contract.Opt[string] `json:"notes"`
	Confirm   bool                 `json:"confirm,omitempty"`
}

// UpdateWorkoutOut is the workout afterwards.
type UpdateWorkoutOut struct {
	Workout
	Changed           contract.Changed `json:"changed"`
	SameDayWorkoutIDs []int64          `json:"same_day_workout_ids"`
}

// UpdateWorkout moves a workout or changes its notes.
func UpdateWorkout() contract.Tool {
	return contract.New(contract.Spec{
		Name: "update_workout", Title: "Move or annotate a workout", Scope: "write",
		Says:     "Move a workout to another date or change its notes. Name it by workout_id or by date. A workout with lifted sets is moved only with confirm true, which you should send only if the user asked. Other workouts already on the new date stay and are named. Returns the workout and what actually changed. The session rating belongs to rate_workout.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Replaces date or notes and returns both old and new values, so the same tool restores them.",
	}, updateWorkout)
}

func updateWorkout(ctx context.Context, tx *db.Tx, who contract.Caller, in UpdateWorkoutIn) (contract.Answer[UpdateWorkoutOut], error) {
	var none contract.Answer[UpdateWorkoutOut]
	if in.NewDate == nil && !in.Notes.Set {
		return none, nothingToChange()
	}
	before, err := which{in.WorkoutID, in.Date}.lock(ctx, tx, who, noWorkoutOn)
	if err != nil {
		return none, err
	}
	changed := contract.Changed{}
	if err := checkAll(moveWorkout(ctx, tx, who, in, before, changed), annotateWorkout(ctx, tx, who, in, before, changed)); err != nil {
		return none, err
	}
	after, _, err := store.WorkoutByID(ctx, tx, who.Workspace, before.ID)
	if err != nil {
		return none, err
	}
	others, err := sameDay(ctx, tx, who, after)
	if err != nil {
		return none, err
	}
	text := fmt.Sprintf("Workout %d: %s.", after.ID, changesText(changed))
	if _, moved := changed["date"]; moved && len(others) > 0 {
		text += " " + alsoHas(others)
	}
	return contract.Answer[UpdateWorkoutOut]{
		Out:  UpdateWorkoutOut{Workout: workout(after, who.Today(tx.Now())), Changed: changed, SameDayWorkoutIDs: others},
		Text: text, Refs: []string{workoutRef(after.ID)},
	}, nil
}

// moveWorkout runs as an argument of checkAll, so it does nothing when there
// is no new date.
func moveWorkout(ctx context.Context, tx *db.Tx, who contract.Caller, in UpdateWorkoutIn, w store.WorkoutRow, changed contract.Changed) error {
	if in.NewDate == nil {
		return nil
	}
	day, err := readWorkoutDay(*in.NewDate, "new_date", who.Today(tx.Now()))
	if err != nil || day == w.Date {
		return err
	}
	if w.CompletedSets > 0 && !in.Confirm {
		return fault.Refuse("Workout %d has lifted sets, so moving it rewrites training history. Send confirm true if the user asked to move it.", w.ID).At("new_date")
	}
	change(changed, "date", &w.Date, &day)
	if err := store.New(tx).MoveWorkout(ctx, store.MoveWorkoutParams{Date: day, WorkspaceID: who.Workspace, ID: w.ID}); err != nil {
		return fmt.Errorf("move workout %d: %w", w.ID, err)
	}
	return nil
}

func annotateWorkout(ctx context.Context, tx *db.Tx, who contract.Caller, in UpdateWorkoutIn, w store.WorkoutRow, changed contract.Changed) error {
	if !in.Notes.Set {
		return nil
	}
	notes := blankAsNone(in.Notes.Ptr())
	if err := tooLong("Notes", "notes", notes, strength.MaxNote); err != nil {
		return err
	}
	change(changed, "notes", w.Notes, notes)
	if err := store.New(tx).AnnotateWorkout(ctx, store.AnnotateWorkoutParams{Notes: notes, WorkspaceID: who.Workspace, ID: w.ID}); err != nil {
		return fmt.Errorf("annotate workout %d: %w", w.ID, err)
	}
	return nil
}

// sameDay returns the other workouts of the date.
func sameDay(ctx context.Context, tx *db.Tx, who contract.Caller, w store.WorkoutRow) ([]int64, error) {
	all, err := workoutsOn(ctx, tx, who, w.Date)
	if err != nil {
		return nil, err
	}
	others := []int64{}
	for _, id := range all {
		if id != w.ID {
			others = append(others, id)
		}
	}
	return others, nil
}

func workoutsOn(ctx context.Context, tx *db.Tx, who contract.Caller, day dbtype.Date) ([]int64, error) {
	ids, err := store.New(tx).WorkoutsOn(ctx, who.Workspace, day)
	if err != nil {
		return nil, fmt.Errorf("list the workouts of %s: %w", day, err)
	}
	return ids, nil
}
