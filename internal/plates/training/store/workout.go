package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/plates/training/strength"
)

// FirstDay and LastDay bound every date that a workout may have, for queries
// without bounds of their own.
const (
	FirstDay dbtype.Date = "0001-01-01"
	LastDay  dbtype.Date = "9999-12-31"
)

// WorkoutByID returns a workout, and false when the workspace has none of that
// id.
func WorkoutByID(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, workout int64) (WorkoutRow, bool, error) {
	row, err := New(tx).Workout(ctx, ws, workout)
	if errors.Is(err, sql.ErrNoRows) {
		return WorkoutRow{}, false, nil
	}
	if err != nil {
		return WorkoutRow{}, false, fmt.Errorf("read workout %d: %w", workout, err)
	}
	return row, true, nil
}

// WorkoutOnDay returns the id of the workout of a date, the lowest when there
// are several, and false when there is none.
func WorkoutOnDay(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, day dbtype.Date) (int64, bool, error) {
	workout, err := New(tx).WorkoutOn(ctx, ws, day)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("find the workout of %s: %w", day, err)
	}
	return workout, true, nil
}

// Lock makes this transaction the only writer of the workout until it ends. It
// returns false when the workspace has no such workout.
func Lock(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, workout int64) (bool, error) {
	_, err := New(tx).LockWorkout(ctx, ws, workout)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock workout %d: %w", workout, err)
	}
	return true, nil
}

// Status says what the workout is on the day today.
func (w WorkoutRow) Status(today time.Time) strength.Status {
	return strength.StatusOf(w.CompletedSets > 0, w.ProgramDayID != nil, Day(w.Date), today)
}

// Status says what the workout is on the day today.
func (w WorkoutsRow) Status(today time.Time) strength.Status {
	return strength.StatusOf(w.CompletedSets > 0, w.ProgramDayID != nil, Day(w.Date), today)
}

// Status says what the workout is on the day today.
func (w BlockWorkoutsRow) Status(today time.Time) strength.Status {
	return strength.StatusOf(w.CompletedSets > 0, w.ProgramDayID != nil, Day(w.Date), today)
}

// SetByID returns a set, and false when the workspace has none of that id.
func SetByID(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, set int64) (SetRow, bool, error) {
	row, err := New(tx).Set(ctx, ws, set)
	if errors.Is(err, sql.ErrNoRows) {
		return SetRow{}, false, nil
	}
	if err != nil {
		return SetRow{}, false, fmt.Errorf("read set %d: %w", set, err)
	}
	return row, true, nil
}

// AddSet inserts a set, and returns false when its movement is not one that the
// workspace can see.
func AddSet(ctx context.Context, tx *db.Tx, p InsertSetParams) (set int64, found bool, err error) {
	set, err = New(tx).InsertSet(ctx, p)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("insert a set into workout %d: %w", p.WorkoutID, err)
	}
	return set, true, nil
}

// SetsOf returns the sets of a workout in the order of lifting.
func SetsOf(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, workout int64) ([]SetRow, error) {
	rows, err := New(tx).SetsOfWorkout(ctx, ws, workout)
	if err != nil {
		return nil, fmt.Errorf("read the sets of workout %d: %w", workout, err)
	}
	sets := make([]SetRow, len(rows))
	for i, r := range rows {
		sets[i] = SetRow(r)
	}
	return sets, nil
}

// Actual returns what was done, or is to be done, in the set.
func (s SetRow) Actual() strength.Set {
	return strength.Set{Weight: Number(s.Weight), Reps: Number(s.Reps), Seconds: Number(s.DurationSeconds)}
}

// Plan returns what was written for the set.
func (s BlockSetsRow) Plan() strength.Set {
	return strength.Set{Weight: Number(s.PlannedWeight), Reps: Number(s.PlannedReps), Seconds: Number(s.PlannedDurationSeconds)}
}

// Plan returns what was written for the set; zero when nothing was.
func (s SetRow) Plan() strength.Set {
	return strength.Set{Weight: Number(s.PlannedWeight), Reps: Number(s.PlannedReps), Seconds: Number(s.PlannedDurationSeconds)}
}

// Actual returns what was done, or is to be done, in the set.
func (s BlockLogRow) Actual() strength.Set {
	return strength.Set{Weight: Number(s.Weight), Reps: Number(s.Reps), Seconds: Number(s.DurationSeconds)}
}

// Plan returns what was written for the set; zero when nothing was.
func (s BlockLogRow) Plan() strength.Set {
	return strength.Set{Weight: Number(s.PlannedWeight), Reps: Number(s.PlannedReps), Seconds: Number(s.PlannedDurationSeconds)}
}
