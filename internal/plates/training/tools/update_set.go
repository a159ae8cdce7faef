package tools

import (
	"context"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// UpdateSetIn sends what is wrong about a row.
type UpdateSetIn struct {
	SetID           int64                `json:"set_id"`
	Weight          contract.Opt[int64]  `json:"weight"` // null and 0 = no external load
	Reps            *int64               `json:"reps"`
	DurationSeconds *int64               `json:"duration_seconds"`
	RPE             contract.Opt[int64]  `json:"rpe"`
	IsWarmup        *bool                `json:"is_warmup"`
	IsPerSide       *bool                `json:"is_per_side"`
	Note            contract.Opt[string] `json:"note"`
	Exercise        *string              `json:"exercise"`
}

func (in UpdateSetIn) empty() bool {
	return !in.Weight.Set && in.Reps == nil && in.DurationSeconds == nil && !in.RPE.Set &&
		in.IsWarmup == nil && in.IsPerSide == nil && !in.Note.Set && in.Exercise == nil
}

// UpdateSet corrects a row that is wrong. What was prescribed is not touched.
func UpdateSet() contract.Tool {
	return contract.New(contract.Spec{
		Name: "update_set", Title: "Correct a set", Scope: "write",
		Says:     "Correct a set whose row is wrong: weight (0 for no external load), reps, duration_seconds, rpe (null clears it), warm-up flag, per side, note, or the movement it is, which brings its plate math along. Send only what changes. Returns the set and what moved. To record having lifted something, use complete_set.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Replaces stored values and returns the old ones, so the same tool restores them.",
	}, tellingNew(updateSet))
}

func updateSet(ctx context.Context, tx *db.Tx, who contract.Caller, in UpdateSetIn) (contract.Answer[ChangedSetOut], error) {
	var none contract.Answer[ChangedSetOut]
	if in.empty() {
		return none, nothingToChange()
	}
	if err := checkNumbers(in.Weight.Ptr(), in.Reps, in.DurationSeconds, in.RPE.Ptr()); err != nil {
		return none, err
	}
	if err := tooLong("A note", "note", in.Note.Ptr(), strength.MaxNote); err != nil {
		return none, err
	}
	before, err := lockSet(ctx, tx, who, in.SetID)
	if err != nil {
		return none, err
	}
	after := before
	if err := checkAll(recount(&after, in), swap(ctx, tx, who, &after, in.Exercise)); err != nil {
		return none, err
	}
	correct(&after, in)
	return saveSet(ctx, tx, who, before, after)
}

// recount replaces the count. The other quantity changes the measure.
func recount(s *store.SetRow, in UpdateSetIn) error {
	if in.Reps == nil && in.DurationSeconds == nil {
		return nil
	}
	measure, err := measureOf(s.Measure, in.Reps, in.DurationSeconds)
	if err != nil {
		return err
	}
	s.Measure, s.Reps, s.DurationSeconds = measure, in.Reps, in.DurationSeconds
	return nil
}

// swap replaces the movement, which brings its barbell flag along.
func swap(ctx context.Context, tx *db.Tx, who contract.Caller, s *store.SetRow, name *string) error {
	if name == nil {
		return nil
	}
	movement, _, err := ensureExercise(ctx, tx, who, CreateExerciseIn{Name: *name})
	if err != nil {
		return at(err, "name", "exercise")
	}
	if movement.ID == s.ExerciseID {
		return nil
	}
	s.ExerciseID, s.Exercise, s.IsBarbell = movement.ID, movement.Name, movement.IsBarbell
	return nil
}

func correct(s *store.SetRow, in UpdateSetIn) {
	if in.Weight.Set {
		s.Weight = zeroAsNone(in.Weight.Ptr())
	}
	if in.RPE.Set {
		s.Rpe = in.RPE.Ptr()
	}
	if in.Note.Set {
		s.Note = blankAsNone(in.Note.Ptr())
	}
	s.IsWarmup = valueOr(in.IsWarmup, s.IsWarmup)
	s.IsPerSide = valueOr(in.IsPerSide, s.IsPerSide)
}
