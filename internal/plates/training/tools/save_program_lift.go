package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// SaveProgramLiftIn is a row of the block editor: a lift and what changes
// about it, its range of reps and its rests.
type SaveProgramLiftIn struct {
	UpdateProgramLiftIn
	RepsTo            contract.Opt[int64] `json:"reps_to" label:"Reps to"`
	RestSeconds       contract.Opt[int64] `json:"rest_seconds" label:"Rest"`
	WarmupRestSeconds contract.Opt[int64] `json:"warmup_rest_seconds" label:"Rest after a warm-up"`
}

func (in SaveProgramLiftIn) extras() SetLiftExtrasIn {
	return SetLiftExtrasIn{RepsTo: in.RepsTo, RestSeconds: in.RestSeconds, WarmupRestSeconds: in.WarmupRestSeconds}
}

// SaveProgramLift changes everything about a lift in one go.
func SaveProgramLift() contract.Tool {
	return contract.New(contract.Spec{
		Name: "save_program_lift", Title: "Save a lift", Scope: "write", Surfaces: pagesOnly,
		Says:     "Change a lift as update_program_lift does, with its range of reps and its rests in the same call. Send only what changes; null clears. Returns the lift, what moved, and what happened to a session already generated.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Replaces the prescription and returns the old one; only untrained sets follow.",
	}, saveProgramLift)
}

func saveProgramLift(ctx context.Context, tx *db.Tx, who contract.Caller, in SaveProgramLiftIn) (contract.Answer[UpdateProgramLiftOut], error) {
	var none contract.Answer[UpdateProgramLiftOut]
	if in.UpdateProgramLiftIn.empty() && in.extras().empty() {
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
	in.extras().replaceIn(&after.LiftExtras)
	if err := checkExtras(after, e.program.PreferredReps); err != nil {
		return none, err
	}
	changed, s, err := e.saveRow(ctx, before, after)
	if err != nil {
		return none, err
	}
	return contract.Answer[UpdateProgramLiftOut]{
		Out:  UpdateProgramLiftOut{Lift: after, Changed: changed, Session: s.state},
		Text: fmt.Sprintf("%s: %s.", after.Exercise, changesText(changed)) + SessionSentence(s.state, e.day.WeekdayName),
		Refs: e.refs(s, liftRef(after.ID)),
	}, nil
}

// saveRow writes the lift and its rests. A session does not follow a rest: it
// is read from the plan.
func (e *planEdit) saveRow(ctx context.Context, before, after Lift) (contract.Changed, session, error) {
	s := session{state: sessionNone}
	if rests := extrasChanges(before.LiftExtras, after.LiftExtras); len(rests) > 0 {
		if err := e.saveExtras(ctx, after); err != nil {
			return nil, s, err
		}
	}
	changed := liftChanges(before, after)
	if len(changed) > 0 || before.ExerciseID != after.ExerciseID { // two movements may share a name
		var err error
		if s, err = e.changeLift(ctx, before, after, changed); err != nil {
			return nil, s, err
		}
	}
	for name, c := range extrasChanges(before.LiftExtras, after.LiftExtras) {
		changed[name] = c
	}
	return changed, s, nil
}

// saveExtras writes the range of reps and the rests of a lift.
func (e *planEdit) saveExtras(ctx context.Context, l Lift) error {
	err := store.New(e.tx).UpdateLiftExtras(ctx, store.UpdateLiftExtrasParams{
		RepsTo: l.RepsTo, RestSeconds: l.RestSeconds, WarmupRestSeconds: l.WarmupRestSeconds, WorkspaceID: e.who.Workspace, ID: l.ID,
	})
	if err != nil {
		return fmt.Errorf("update the extras of lift %d: %w", l.ID, err)
	}
	return nil
}
