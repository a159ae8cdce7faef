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

// CreateWorkoutIn names the date.
type CreateWorkoutIn struct {
	Date string `json:"date" doc:"'today' or YYYY-MM-DD"`
}

// CreateWorkoutOut is the workout of the date, new or not.
type CreateWorkoutOut struct {
	Workout
	Created bool `json:"created"`
}

// CreateWorkout opens the workout of a date.
func CreateWorkout() contract.Tool {
	return contract.New(contract.Spec{
		Name: "create_workout", Title: "Open a workout", Scope: "write",
		Says:     "Open the workout of a date, reusing the one that is already there. Returns its id, date, status, set counts, rating and notes, and whether it was created. To move or annotate one use update_workout; to log a set directly use create_set, which opens the workout itself.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "One workout per date through this tool; the existing one is returned.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in CreateWorkoutIn) (contract.Answer[CreateWorkoutOut], error) {
		var none contract.Answer[CreateWorkoutOut]
		today := who.Today(tx.Now())
		day, err := readWorkoutDay(in.Date, "date", today)
		if err != nil {
			return none, err
		}
		opened, created, err := openLocked(ctx, tx, who, day)
		if err != nil {
			return none, err
		}
		row, found, err := store.WorkoutByID(ctx, tx, who.Workspace, opened)
		if err == nil && !found {
			err = missing("workout", opened)
		}
		if err != nil {
			return none, err
		}
		return contract.Answer[CreateWorkoutOut]{
			Out:  CreateWorkoutOut{Workout: workout(row, today), Created: created},
			Text: fmt.Sprintf("Workout on %s is ready (id %d).", day, opened), Refs: []string{workoutRef(opened)},
		}, nil
	})
}

// openWorkout returns the workout of a date and makes it when there is none.
// Two at once agree on one: the workspace is locked between look and insert.
func openWorkout(ctx context.Context, tx *db.Tx, who contract.Caller, day dbtype.Date) (workout int64, created bool, err error) {
	if err := db.LockWorkspace(ctx, tx, who.Workspace); err != nil {
		return 0, false, err
	}
	workout, found, err := store.WorkoutOnDay(ctx, tx, who.Workspace, day)
	if err != nil || found {
		return workout, false, err
	}
	workout, err = insertWorkout(ctx, tx, who, day)
	return workout, err == nil, err
}

// insertWorkout makes a workout without sets.
func insertWorkout(ctx context.Context, tx *db.Tx, who contract.Caller, day dbtype.Date) (int64, error) {
	by := author(who)
	made, err := store.New(tx).InsertWorkout(ctx, store.InsertWorkoutParams{
		WorkspaceID: who.Workspace, Date: day, CreatedByClientID: by.ClientColumn(), CreatedByAccountID: by.AccountColumn(), CreatedAt: dbtype.At(tx.Now()),
	})
	if err != nil {
		return 0, fmt.Errorf("open the workout of %s: %w", day, err)
	}
	return made, nil
}

func workoutRef(id int64) string { return fmt.Sprintf("workout:%d", id) }

// which names a workout by its id or by its date.
type which struct {
	id   *int64
	date *string
}

// find returns the workout that was named, today's when nothing was. The
// sentence for a date without one is the caller's, with the date filled in.
func (w which) find(ctx context.Context, tx *db.Tx, who contract.Caller, noneOn string) (store.WorkoutRow, error) {
	day, err := readDay(valueOr(w.date, "today"), "date", who.Today(tx.Now()))
	if err != nil {
		return store.WorkoutRow{}, err
	}
	if w.id == nil {
		found, ok, err := store.WorkoutOnDay(ctx, tx, who.Workspace, day)
		if err != nil {
			return store.WorkoutRow{}, err
		}
		if !ok {
			return store.WorkoutRow{}, fault.Missing(noneOn, day).At("date")
		}
		w.id = &found
	}
	row, ok, err := store.WorkoutByID(ctx, tx, who.Workspace, *w.id)
	if err == nil && !ok {
		err = missing("workout", *w.id)
	}
	return row, err
}

// lock is find for a write: the workout is read again once no other writer
// can change it, so that a set lifted or a workout deleted meanwhile is seen.
func (w which) lock(ctx context.Context, tx *db.Tx, who contract.Caller, noneOn string) (store.WorkoutRow, error) {
	row, err := w.find(ctx, tx, who, noneOn)
	if err != nil {
		return row, err
	}
	if _, err := store.Lock(ctx, tx, who.Workspace, row.ID); err != nil {
		return row, err
	}
	return which{id: &row.ID}.find(ctx, tx, who, noneOn)
}

const noWorkoutOn = "No workout on %s for this account."
