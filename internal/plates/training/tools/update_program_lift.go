package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// UpdateProgramLiftIn names a lift and what changes about it.
type UpdateProgramLiftIn struct {
	ProgramLiftID   int64                `json:"program_lift_id"`
	Exercise        *string              `json:"exercise"`
	Sets            *int64               `json:"sets"`
	Reps            *int64               `json:"reps"`
	DurationSeconds *int64               `json:"duration_seconds"`
	Measure         *string              `json:"measure" enum:"reps,time"`
	IsWeighted      *bool                `json:"is_weighted"`
	TopWeight       contract.Opt[int64]  `json:"top_weight"`
	PercentOfMax    contract.Opt[int64]  `json:"percent_of_max"`
	Progression     *string              `json:"progression" enum:"fixed,linear,strikes,percent"`
	StepUp          contract.Opt[int64]  `json:"step_up"`
	StepDown        contract.Opt[int64]  `json:"step_down"`
	StartsHere      *bool                `json:"starts_here"`
	IsMain          *bool                `json:"is_main"`
	IsBarbell       *bool                `json:"is_barbell"`
	IsPerSide       *bool                `json:"is_per_side"`
	Note            contract.Opt[string] `json:"note"`
	Position        *int64               `json:"position"`
}

func (in UpdateProgramLiftIn) empty() bool {
	in.ProgramLiftID = 0
	return in == UpdateProgramLiftIn{}
}

// UpdateProgramLiftOut is the lift afterwards, what moved, and what happened to
// the day's session.
type UpdateProgramLiftOut struct {
	Lift
	Changed contract.Changed `json:"changed"`
	Session string           `json:"session" enum:"rewritten,lifted,none"`
}

// UpdateProgramLift changes a prescription.
func UpdateProgramLift() contract.Tool {
	return contract.New(contract.Spec{
		Name: "update_program_lift", Title: "Change a lift", Scope: "write",
		Says:     "Change a prescribed lift: sets, reps or seconds, top_weight or percent_of_max, movement, progression and steps, main flag, per side, note, or position in the day (0 is first). Send only what changes. To swap how the load is written, set one of top_weight and percent_of_max and null the other. Editing top_weight makes this week start at it instead of at what the last session earned. A session already generated follows if nothing in it has been lifted. Returns the lift, what moved, and what happened to the session.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Replaces the prescription and returns the old one; only untrained sets follow, lifted ones are left alone.",
	}, tellingNew(updateProgramLift))
}

func updateProgramLift(ctx context.Context, tx *db.Tx, who contract.Caller, in UpdateProgramLiftIn) (contract.Answer[UpdateProgramLiftOut], error) {
	var none contract.Answer[UpdateProgramLiftOut]
	if in.empty() {
		return none, nothingToChange()
	}
	e, before, err := editLift(ctx, tx, who, in.ProgramLiftID)
	if err != nil {
		return none, err
	}
	after, err := in.apply(ctx, e, before)
	if err != nil {
		return none, err
	}
	changed := liftChanges(before, after)
	s := session{state: sessionNone}
	if len(changed) > 0 || before.ExerciseID != after.ExerciseID { // two movements may share a name
		if s, err = e.changeLift(ctx, before, after, changed); err != nil {
			return none, err
		}
	}
	return contract.Answer[UpdateProgramLiftOut]{
		Out:  UpdateProgramLiftOut{Lift: after, Changed: changed, Session: s.state},
		Text: fmt.Sprintf("%s: %s.", after.Exercise, changesText(changed)) + SessionSentence(s.state, e.day.WeekdayName),
		Refs: e.refs(s, liftRef(after.ID)),
	}, nil
}

// apply returns the lift as it will be. The checks run on that.
func (in UpdateProgramLiftIn) apply(ctx context.Context, e *planEdit, before Lift) (Lift, error) {
	l := before
	in.replaceCount(&l)
	in.replaceLoad(&l)
	if in.Sets != nil {
		l.Sets = *in.Sets
	}
	if in.Note.Set {
		l.Note = blankAsNone(in.Note.Ptr())
	}
	l.IsMain, l.IsPerSide = valueOr(in.IsMain, l.IsMain), valueOr(in.IsPerSide, l.IsPerSide)
	l.IsBarbell, l.Position = valueOr(in.IsBarbell, l.IsBarbell), valueOr(in.Position, l.Position)
	err := checkAll(
		checkLiftNumbers(l), tooLong("A note", "note", l.Note, strength.MaxNote), checkPosition(in.Position, len(e.day.Lifts)-1), in.replaceMovement(ctx, e, &l),
	)
	if err != nil {
		return l, err
	}
	settle(&l)
	in.startHere(before, &l)
	return l, checkLift(l)
}

// replaceCount changes how the lift is counted: the other quantity, or the
// other measure, drops the one that was there.
func (in UpdateProgramLiftIn) replaceCount(l *Lift) {
	measure := liftMeasure(in.Measure, l.Measure, in.Reps, in.DurationSeconds)
	if measure != l.Measure {
		l.Reps, l.DurationSeconds = nil, nil
	}
	l.Measure = measure
	if in.Reps != nil {
		l.Reps = in.Reps
	}
	if in.DurationSeconds != nil {
		l.DurationSeconds = in.DurationSeconds
	}
}

// replaceLoad changes how the load is written and how it progresses. A new
// kind of price takes that kind's rule unless one was sent.
func (in UpdateProgramLiftIn) replaceLoad(l *Lift) {
	byPercent := l.PercentOfMax != nil
	if in.TopWeight.Set {
		l.TopWeight = in.TopWeight.Ptr()
	}
	if in.PercentOfMax.Set {
		l.PercentOfMax = in.PercentOfMax.Ptr()
	}
	l.IsWeighted = valueOr(in.IsWeighted, l.IsWeighted)
	if byPercent != (l.PercentOfMax != nil) {
		l.Progression = nil // settled from the price
	}
	if in.Progression != nil {
		l.Progression = in.Progression
	}
	if in.StepUp.Set {
		l.StepUp = in.StepUp.Ptr()
	}
	if in.StepDown.Set {
		l.StepDown = in.StepDown.Ptr()
	}
}

// replaceMovement swaps the movement, which brings its barbell flag along
// unless one was sent.
func (in UpdateProgramLiftIn) replaceMovement(ctx context.Context, e *planEdit, l *Lift) error {
	if in.Exercise == nil {
		return nil
	}
	movement, _, err := ensureExercise(ctx, e.tx, e.who, CreateExerciseIn{Name: *in.Exercise, IsBarbell: in.IsBarbell})
	if err != nil {
		return at(err, "name", "exercise")
	}
	if movement.ID != l.ExerciseID {
		l.ExerciseID, l.Exercise, l.IsBarbell = movement.ID, movement.Name, valueOr(in.IsBarbell, movement.IsBarbell)
	}
	return nil
}

// startHere lets a lift that progresses begin anew at a weight that was edited.
func (in UpdateProgramLiftIn) startHere(before Lift, l *Lift) {
	edited := l.TopWeight != nil && (before.TopWeight == nil || *before.TopWeight != *l.TopWeight)
	progresses := l.Progression != nil && (*l.Progression == string(strength.Linear) || *l.Progression == string(strength.Strikes))
	l.StartsHere = valueOr(in.StartsHere, l.StartsHere || edited && progresses)
}

func liftChanges(before, after Lift) contract.Changed {
	c := contract.Changed{}
	change(c, "exercise", &before.Exercise, &after.Exercise)
	change(c, "position", &before.Position, &after.Position)
	change(c, "sets", &before.Sets, &after.Sets)
	change(c, "measure", &before.Measure, &after.Measure)
	change(c, "reps", before.Reps, after.Reps)
	change(c, "duration_seconds", before.DurationSeconds, after.DurationSeconds)
	change(c, "is_weighted", &before.IsWeighted, &after.IsWeighted)
	change(c, "top_weight", before.TopWeight, after.TopWeight)
	change(c, "percent_of_max", before.PercentOfMax, after.PercentOfMax)
	change(c, "progression", before.Progression, after.Progression)
	change(c, "step_up", before.StepUp, after.StepUp)
	change(c, "step_down", before.StepDown, after.StepDown)
	change(c, "starts_here", &before.StartsHere, &after.StartsHere)
	change(c, "is_per_side", &before.IsPerSide, &after.IsPerSide)
	change(c, "is_barbell", &before.IsBarbell, &after.IsBarbell)
	change(c, "is_main", &before.IsMain, &after.IsMain)
	change(c, "note", before.Note, after.Note)
	change(c, "reps_to", before.RepsTo, after.RepsTo)
	return c
}

// changeLift writes the lift; a session follows all but a note.
func (e *planEdit) changeLift(ctx context.Context, before, after Lift, changed contract.Changed) (session, error) {
	s := session{state: sessionNone}
	if _, note := changed["note"]; !note || len(changed) > 1 {
		var err error
		if s, err = e.session(ctx); err != nil {
			return s, err
		}
	}
	if err := e.saveLift(ctx, before.Position, after); err != nil {
		return s, err
	}
	if err := e.reread(ctx); err != nil {
		return s, err
	}
	return s, e.rewrite(ctx, s, after, before.Position != after.Position)
}

// saveLift writes the row. A lift that moves makes the ones between its old
// and its new place close up.
func (e *planEdit) saveLift(ctx context.Context, from int64, l Lift) error {
	var err error
	switch {
	case l.Position < from:
		err = e.shift(ctx, l.Position, from-1, +1)
	case l.Position > from:
		err = e.shift(ctx, from+1, l.Position, -1)
	}
	if err != nil {
		return err
	}
	n, err := store.New(e.tx).UpdateLift(ctx, store.UpdateLiftParams{
		ExerciseID: l.ExerciseID, Position: l.Position, Sets: l.Sets, Measure: l.Measure, Reps: l.Reps, DurationSeconds: l.DurationSeconds,
		IsWeighted: l.IsWeighted, TopWeight: l.TopWeight, PercentOfMax: l.PercentOfMax, Progression: l.Progression,
		StepUp: l.StepUp, StepDown: l.StepDown, StartsHere: l.StartsHere, IsPerSide: l.IsPerSide, IsBarbell: l.IsBarbell, IsMain: l.IsMain,
		Note: l.Note, RepsTo: l.RepsTo, WorkspaceID: e.who.Workspace, ID: l.ID,
	})
	if err == nil && n == 0 {
		return missing("exercise", l.ExerciseID)
	}
	if err != nil {
		return fmt.Errorf("update lift %d: %w", l.ID, err)
	}
	return nil
}
