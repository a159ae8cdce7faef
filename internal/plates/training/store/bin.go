package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// BinLives is how long something deleted can be restored.
const BinLives = 30 * 24 * time.Hour

// The kinds of what stands in the bin.
const (
	BinnedWorkout = "workout"
	BinnedSet     = "set"
)

// binned is what an entry of the bin holds.
type binned struct {
	Workout *WholeWorkoutRow `json:",omitempty"` // nil for a single set
	Sets    []WholeSetsRow
}

// Discard says what goes to the bin and how it is listed there.
type Discard struct {
	Workout int64
	Set     int64 // 0 = the workout with all its sets
	Date    dbtype.Date
	Title   string
	By      Author
}

func (d Discard) kind() (string, int64) {
	if d.Set != 0 {
		return BinnedSet, d.Set
	}
	return BinnedWorkout, d.Workout
}

// MoveToBin deletes a set, or a workout with its sets, and keeps the rows in
// the bin. The caller holds the lock of the workout.
func MoveToBin(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, d Discard) error {
	q := New(tx)
	var (
		holds binned
		err   error
	)
	if holds.Sets, err = q.WholeSets(ctx, WholeSetsParams{WorkspaceID: ws, WorkoutID: d.Workout, SetID: d.Set}); err != nil {
		return fmt.Errorf("read the sets of workout %d for the bin: %w", d.Workout, err)
	}
	if d.Set == 0 {
		whole, err := q.WholeWorkout(ctx, ws, d.Workout)
		if err != nil {
			return fmt.Errorf("read workout %d for the bin: %w", d.Workout, err)
		}
		holds.Workout = &whole
	}
	contents, err := json.Marshal(holds)
	if err != nil {
		return fmt.Errorf("write down workout %d for the bin: %w", d.Workout, err)
	}
	kind, object := d.kind()
	_, err = q.PutInBin(ctx, PutInBinParams{
		WorkspaceID: ws, Kind: kind, ObjectID: object, WorkoutID: d.Workout, Date: d.Date, Title: d.Title, Contents: string(contents),
		DeletedAt: dbtype.At(tx.Now()), DeletedByClientID: d.By.ClientColumn(), DeletedByAccountID: d.By.AccountColumn(),
	})
	if err == nil && d.Set != 0 {
		_, err = q.DeleteSet(ctx, ws, d.Set)
	} else if err == nil {
		_, err = q.DeleteWorkout(ctx, ws, d.Workout)
	}
	if err != nil {
		return fmt.Errorf("move %s %d to the bin: %w", kind, object, err)
	}
	return nil
}

// Restored is what came back from the bin.
type Restored struct {
	Kind    string
	Title   string
	Date    dbtype.Date
	Workout int64
	Sets    []int64
}

// Restore puts back what an entry of the bin holds, under the ids and in the
// places that it had. It returns false when the workspace has no such entry. A
// refusal says what is in the way.
func Restore(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, entry int64) (Restored, bool, error) {
	row, err := New(tx).BinEntry(ctx, ws, entry)
	if errors.Is(err, sql.ErrNoRows) {
		return Restored{}, false, nil
	}
	if err != nil {
		return Restored{}, false, fmt.Errorf("read entry %d of the bin: %w", entry, err)
	}
	var holds binned
	if err := json.Unmarshal([]byte(row.Contents), &holds); err != nil {
		return Restored{}, false, fmt.Errorf("read what entry %d of the bin holds: %w", entry, err)
	}
	out := Restored{Kind: row.Kind, Title: row.Title, Date: row.Date, Workout: row.WorkoutID}
	n, err := New(tx).TakeFromBin(ctx, ws, entry)
	if err != nil || n == 0 {
		return out, false, err // somebody else was faster
	}
	if holds.Workout != nil {
		err = putWorkoutBack(ctx, tx, ws, *holds.Workout)
	} else {
		err = placeFor(ctx, tx, ws, holds.Sets)
	}
	for _, s := range holds.Sets {
		if err == nil {
			err = putSetBack(ctx, tx, ws, s)
		}
		out.Sets = append(out.Sets, s.ID)
	}
	return out, true, err
}

func putWorkoutBack(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, w WholeWorkoutRow) error {
	n, err := New(tx).RestoreWorkout(ctx, RestoreWorkoutParams{
		WorkspaceID: ws, ID: w.ID, Date: w.Date, Rpe: w.Rpe, Notes: w.Notes, ProgramDayID: w.ProgramDayID, Revision: w.Revision + 1,
		Client: w.CreatedByClientID, Account: w.CreatedByAccountID, CreatedAt: w.CreatedAt,
	})
	if err != nil {
		return fmt.Errorf("restore workout %d: %w", w.ID, err)
	}
	if n == 0 {
		return fault.Clash("The session of this day was written again since, so the deleted one of %s cannot come back beside it.", w.Date).
			Next("Delete the new session first, then restore this one.")
	}
	return nil
}

// placeFor makes room for a single set where it was: those that took its place
// move behind it. The reason of its load stays with the set that took it over.
func placeFor(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, sets []WholeSetsRow) error {
	for i := range sets {
		s := &sets[i]
		found, err := Lock(ctx, tx, ws, s.WorkoutID)
		if err == nil && !found {
			err = fault.Clash("The workout that this set belongs to is not there any more.").Next("Restore the workout first, if it is in the bin.")
		}
		if err != nil {
			return err
		}
		there, err := SetsOf(ctx, tx, ws, s.WorkoutID)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(there, func(o SetRow) bool { return o.Position == s.Position }) {
			if err := makeRoom(ctx, tx, ws, s.WorkoutID, s.Position-1, 1); err != nil {
				return err
			}
		}
		if slices.ContainsFunc(there, func(o SetRow) bool {
			return o.PlanReason != nil && o.ProgramLiftID != nil && s.ProgramLiftID != nil && *o.ProgramLiftID == *s.ProgramLiftID
		}) {
			s.PlanReason = nil
		}
	}
	return nil
}

func putSetBack(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, s WholeSetsRow) error {
	n, err := New(tx).RestoreSet(ctx, RestoreSetParams{
		WorkspaceID: ws, ID: s.ID, WorkoutID: s.WorkoutID, ExerciseID: s.ExerciseID, ProgramLiftID: s.ProgramLiftID, Position: s.Position,
		Measure: s.Measure, Weight: s.Weight, Reps: s.Reps, DurationSeconds: s.DurationSeconds,
		PlannedWeight: s.PlannedWeight, PlannedReps: s.PlannedReps, PlannedDurationSeconds: s.PlannedDurationSeconds,
		IsPerSide: s.IsPerSide, IsWarmup: s.IsWarmup, IsCompleted: s.IsCompleted, IsBarbell: s.IsBarbell,
		Rpe: s.Rpe, Note: s.Note, PlanReason: s.PlanReason, CompletedAt: s.CompletedAt,
		Client: s.CreatedByClientID, Account: s.CreatedByAccountID, CreatedAt: s.CreatedAt,
	})
	if err != nil {
		return fmt.Errorf("restore set %d: %w", s.ID, err)
	}
	if n == 0 {
		return fault.Clash("Set %d cannot come back: its movement is gone, or another set has its place.", s.ID)
	}
	return nil
}

// EmptyBin deletes for good what has been in the bin of any workspace for
// BinLives, and returns how many entries that were.
func EmptyBin(ctx context.Context, d *db.DB) (n int64, err error) {
	err = d.Write(ctx, func(tx *db.Tx) error {
		n, err = New(tx).DeleteBinBefore(ctx, dbtype.At(tx.Now().Add(-BinLives)))
		return err
	})
	return n, err
}
