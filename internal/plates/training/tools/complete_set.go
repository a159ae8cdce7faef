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

// CompleteSetIn names a set and what was actually done in it.
type CompleteSetIn struct {
	SetID           int64  `json:"set_id"`
	Weight          *int64 `json:"weight"`
	Reps            *int64 `json:"reps"`
	DurationSeconds *int64 `json:"duration_seconds"`
	RPE             *int64 `json:"rpe"`
	Completed       *bool  `json:"completed"` // absent = true
}

// ChangedSetOut is a set and which of its values moved.
type ChangedSetOut struct {
	Set
	Changed contract.Changed `json:"changed"`
}

// CompleteSet marks a set lifted, or not lifted after all.
func CompleteSet() contract.Tool {
	return contract.New(contract.Spec{
		Name: "complete_set", Title: "Mark a set lifted", Scope: "write",
		Says:     "Mark a written set as lifted. Send weight, reps, duration_seconds or rpe to record what was actually done; what was prescribed stays for comparison. Send completed false to undo. Returns the set and exactly which fields moved from what to what.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Replaces the row's actual numbers and returns the old ones; undo is part of the tool; the prescription is never touched.",
	}, completeSet)
}

func completeSet(ctx context.Context, tx *db.Tx, who contract.Caller, in CompleteSetIn) (contract.Answer[ChangedSetOut], error) {
	var none contract.Answer[ChangedSetOut]
	if err := checkNumbers(in.Weight, in.Reps, in.DurationSeconds, in.RPE); err != nil {
		return none, err
	}
	before, err := lockSet(ctx, tx, who, in.SetID)
	if err != nil {
		return none, err
	}
	after := before
	if err := countAs(&after, in.Reps, in.DurationSeconds); err != nil {
		return none, err
	}
	if in.Weight != nil {
		after.Weight = zeroAsNone(in.Weight)
	}
	if in.RPE != nil {
		after.Rpe = in.RPE
	}
	mark(&after, valueOr(in.Completed, true), dbtype.At(tx.Now()))
	return saveSet(ctx, tx, who, before, after)
}

// lockSet returns a set whose workout no other writer can change until this
// transaction ends. The set is read again under the lock.
func lockSet(ctx context.Context, tx *db.Tx, who contract.Caller, id int64) (store.SetRow, error) {
	row, found, err := store.SetByID(ctx, tx, who.Workspace, id)
	if err != nil {
		return row, err
	}
	if found {
		if found, err = store.Lock(ctx, tx, who.Workspace, row.WorkoutID); err != nil {
			return row, err
		}
	}
	if found {
		row, found, err = store.SetByID(ctx, tx, who.Workspace, id)
	}
	if err == nil && !found {
		err = missing("set", id)
	}
	return row, err
}

// countAs records the count in the measure that the set already has.
func countAs(s *store.SetRow, reps, seconds *int64) error {
	if reps == nil && seconds == nil {
		return nil
	}
	measure, err := measureOf(s.Measure, reps, seconds)
	if err != nil {
		return err
	}
	if measure != s.Measure {
		_, err := measureOf(s.Measure, nil, nil) // the sentence that names what this set needs
		return err
	}
	s.Reps, s.DurationSeconds = reps, seconds
	return nil
}

// mark sets the completed state; a set that stays completed keeps its instant.
func mark(s *store.SetRow, completed bool, now dbtype.Time) {
	switch {
	case completed && !s.IsCompleted:
		s.CompletedAt = now
	case !completed:
		s.CompletedAt = dbtype.Time{}
	}
	s.IsCompleted = completed
}

// saveSet writes what moved and answers with the set and the moves.
func saveSet(ctx context.Context, tx *db.Tx, who contract.Caller, before, after store.SetRow) (contract.Answer[ChangedSetOut], error) {
	var none contract.Answer[ChangedSetOut]
	changed := setChanges(before, after)
	if len(changed) > 0 || before.ExerciseID != after.ExerciseID { // two movements may share a name
		n, err := store.New(tx).UpdateSet(ctx, store.UpdateSetParams{
			ExerciseID: after.ExerciseID, Measure: after.Measure, Weight: after.Weight, Reps: after.Reps, DurationSeconds: after.DurationSeconds,
			IsPerSide: after.IsPerSide, IsWarmup: after.IsWarmup, IsCompleted: after.IsCompleted, IsBarbell: after.IsBarbell,
			Rpe: after.Rpe, Note: after.Note, CompletedAt: after.CompletedAt, WorkspaceID: who.Workspace, ID: after.ID,
		})
		if err != nil {
			return none, fmt.Errorf("update set %d: %w", after.ID, err)
		}
		if n == 0 {
			return none, missing("exercise", after.ExerciseID)
		}
	}
	rack, err := store.RackOf(ctx, tx, who.Workspace)
	if err != nil {
		return none, err
	}
	return contract.Answer[ChangedSetOut]{
		Out:  ChangedSetOut{Set: set(after, rack), Changed: changed},
		Text: fmt.Sprintf("%s %s: %s.", after.Exercise, label(after), changesText(changed)), Refs: []string{setRef(after.ID), workoutRef(after.WorkoutID)},
	}, nil
}

func setChanges(before, after store.SetRow) contract.Changed {
	c := contract.Changed{}
	change(c, "exercise", &before.Exercise, &after.Exercise)
	change(c, "is_completed", &before.IsCompleted, &after.IsCompleted)
	change(c, "weight", before.Weight, after.Weight)
	change(c, "reps", before.Reps, after.Reps)
	change(c, "duration_seconds", before.DurationSeconds, after.DurationSeconds)
	change(c, "measure", &before.Measure, &after.Measure)
	change(c, "rpe", before.Rpe, after.Rpe)
	change(c, "is_warmup", &before.IsWarmup, &after.IsWarmup)
	change(c, "is_per_side", &before.IsPerSide, &after.IsPerSide)
	change(c, "is_barbell", &before.IsBarbell, &after.IsBarbell)
	change(c, "note", before.Note, after.Note)
	return c
}

func nothingToChange() error {
	return fault.BadArgument("Nothing to change: send at least one field.")
}
