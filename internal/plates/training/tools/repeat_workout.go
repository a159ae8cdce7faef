package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// RepeatWorkoutIn names the workout and the date on which it is done again.
type RepeatWorkoutIn struct {
	WorkoutID int64   `json:"workout_id"`
	Date      *string `json:"date" doc:"'today' or YYYY-MM-DD; today when left out"`
	RequestID *string `json:"request_id" maxlen:"64"` // read by the gate
}

// RepeatWorkoutOut is the workout that was written.
type RepeatWorkoutOut struct {
	Workout
	RepeatOf int64 `json:"repeat_of"`
}

// RepeatWorkout writes a workout again on another date.
func RepeatWorkout() contract.Tool {
	return contract.New(contract.Spec{
		Name: "repeat_workout", Title: "Repeat a workout", Scope: "write", Surfaces: pagesOnly,
		Says:     "Write the sets of a workout again on a date, open and planned as they were lifted. The workout of that date is used when it has no sets, and else another one is made. Returns the new workout. To follow a plan instead, generate a week of a block.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.No, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Each call writes another workout unless the date has an empty one.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in RepeatWorkoutIn) (contract.Answer[RepeatWorkoutOut], error) {
		var none contract.Answer[RepeatWorkoutOut]
		today := who.Today(tx.Now())
		day, err := readWorkoutDay(valueOr(in.Date, "today"), "date", today)
		if err != nil {
			return none, err
		}
		made, err := repeat(ctx, tx, who, in.WorkoutID, day)
		if err != nil {
			return none, err
		}
		row, found, err := store.WorkoutByID(ctx, tx, who.Workspace, made)
		if err == nil && !found {
			err = missing("workout", made)
		}
		if err != nil {
			return none, err
		}
		return contract.Answer[RepeatWorkoutOut]{
			Out:  RepeatWorkoutOut{Workout: workout(row, today), RepeatOf: in.WorkoutID},
			Text: fmt.Sprintf("Workout on %s is ready (id %d) with %d set(s).", day, made, row.Sets), Refs: []string{workoutRef(made)},
		}, nil
	})
}

// repeat writes the sets of a workout on a day and returns the workout that
// has them.
func repeat(ctx context.Context, tx *db.Tx, who contract.Caller, from int64, day dbtype.Date) (int64, error) {
	if err := db.LockWorkspace(ctx, tx, who.Workspace); err != nil {
		return 0, err
	}
	old, err := which{id: &from}.find(ctx, tx, who, noWorkoutOn)
	if err != nil {
		return 0, err
	}
	sets, err := store.SetsOf(ctx, tx, who.Workspace, old.ID)
	if err != nil {
		return 0, err
	}
	if len(sets) == 0 {
		return 0, fault.Refuse("The workout of %s has no sets to repeat.", old.Date).At("workout_id")
	}
	into, err := emptyWorkout(ctx, tx, who, day)
	if err != nil {
		return 0, err
	}
	return into, store.RepeatSets(ctx, tx, who.Workspace, into, sets, author(who))
}

// emptyWorkout returns a workout of the day that has no sets yet: the one that
// is there, or another.
func emptyWorkout(ctx context.Context, tx *db.Tx, who contract.Caller, day dbtype.Date) (int64, error) {
	there, found, err := store.WorkoutOnDay(ctx, tx, who.Workspace, day)
	if err != nil || !found {
		if err == nil {
			there, err = insertWorkout(ctx, tx, who, day)
		}
		return there, err
	}
	if _, err := store.Lock(ctx, tx, who.Workspace, there); err != nil {
		return 0, err
	}
	sets, err := store.SetsOf(ctx, tx, who.Workspace, there)
	if err != nil || len(sets) == 0 {
		return there, err
	}
	return insertWorkout(ctx, tx, who, day)
}
