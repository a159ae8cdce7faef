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

// DeleteProgramLiftIn names a lift.
type DeleteProgramLiftIn struct {
	ProgramLiftID int64 `json:"program_lift_id"`
}

// DeleteProgramLiftOut is what was removed, so that it can be added again, and
// what happened to the day's session.
type DeleteProgramLiftOut struct {
	Removed Lift   `json:"removed"`
	Session string `json:"session" enum:"rewritten,lifted,none"`
}

// DeleteProgramLift removes a lift from a training day.
func DeleteProgramLift() contract.Tool {
	return contract.New(contract.Spec{
		Name: "delete_program_lift", Title: "Remove a lift", Scope: "write",
		Says:     "Remove a lift from a training day and return it, so it can be added back. The lifts after it close up. A session already generated loses the lift's sets if nothing in it has been lifted and is left alone otherwise.",
		ReadOnly: contract.No, Destructive: contract.Yes, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Removes a row and its untrained sets; a repeated call finds nothing.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in DeleteProgramLiftIn) (contract.Answer[DeleteProgramLiftOut], error) {
		var none contract.Answer[DeleteProgramLiftOut]
		e, l, err := editLift(ctx, tx, who, in.ProgramLiftID)
		if err != nil {
			return none, err
		}
		s, err := e.removeLift(ctx, l)
		if err != nil {
			return none, err
		}
		return contract.Answer[DeleteProgramLiftOut]{
			Out:  DeleteProgramLiftOut{Removed: l, Session: s.state},
			Text: fmt.Sprintf("Removed %s from %s.", liftLabel(l), e.day.WeekdayName) + SessionSentence(s.state, e.day.WeekdayName),
			Refs: e.refs(s, liftRef(l.ID)),
		}, nil
	})
}

// removeLift removes the lift, what it wrote into a session that nobody has
// lifted in, and the gap that it leaves.
func (e *planEdit) removeLift(ctx context.Context, l Lift) (session, error) {
	s, err := e.session(ctx)
	if err != nil {
		return s, err
	}
	if s.state == sessionRewritten {
		if err := store.DropLiftSets(ctx, e.tx, e.who.Workspace, s.workout, l.ID); err != nil {
			return s, err
		}
	}
	if err := store.RemoveLift(ctx, e.tx, e.who.Workspace, l.ID); err != nil {
		return s, err
	}
	return s, e.shift(ctx, l.Position+1, strength.MaxLiftsPerDay, -1)
}
