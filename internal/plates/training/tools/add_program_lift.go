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

// AddProgramLiftIn is a lift to add to a training day.
type AddProgramLiftIn struct {
	ProgramDayID int64 `json:"program_day_id"`
	LiftInput
	Position  *int64  `json:"position"` // absent = last
	RequestID *string `json:"request_id" maxlen:"64"`
}

// AddProgramLiftOut is the lift and what happened to the day's session.
type AddProgramLiftOut struct {
	Lift
	Session string `json:"session" enum:"rewritten,lifted,none"`
}

// AddProgramLift adds a lift to a training day.
func AddProgramLift() contract.Tool {
	return contract.New(contract.Spec{
		Name: "add_program_lift", Title: "Add a lift", Scope: "write",
		Says:     "Add a lift to a training day: last, unless position says otherwise. Fields as in create_program; measure, per side, weighted and barbell default to how the movement is usually done. A session already generated gains the lift's sets if nothing in it has been lifted. Returns the lift and what happened to the session.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.No, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Each call adds a lift; an untrained session only gains its sets.",
	}, tellingNew(addProgramLift))
}

func addProgramLift(ctx context.Context, tx *db.Tx, who contract.Caller, in AddProgramLiftIn) (contract.Answer[AddProgramLiftOut], error) {
	var none contract.Answer[AddProgramLiftOut]
	e, err := editDay(ctx, tx, who, in.ProgramDayID)
	if err != nil {
		return none, err
	}
	n := len(e.day.Lifts)
	if err := checkAll(checkPosition(in.Position, n), tooMany(len(e.program.Weeks), len(e.week.Days), n+1, liftCount(e.program.Weeks)+1)); err != nil {
		return none, err
	}
	l, err := newLift(ctx, tx, who, in.LiftInput)
	if err != nil {
		return none, err
	}
	if err := checkRepsTo(l, e.program.PreferredReps); err != nil {
		return none, err
	}
	l.Position = valueOr(in.Position, int64(n))
	s, err := e.session(ctx)
	if err != nil {
		return none, err
	}
	if l, err = e.addLift(ctx, l, s); err != nil {
		return none, err
	}
	return contract.Answer[AddProgramLiftOut]{
		Out:  AddProgramLiftOut{Lift: l, Session: s.state},
		Text: fmt.Sprintf("Added %s to %s at position %d.", liftLabel(l), e.day.WeekdayName, l.Position) + SessionSentence(s.state, e.day.WeekdayName),
		Refs: e.refs(s, liftRef(l.ID)),
	}, nil
}

// addLift writes the lift and its sets, and returns it as it is stored.
func (e *planEdit) addLift(ctx context.Context, l Lift, s session) (Lift, error) {
	if err := e.shift(ctx, l.Position, strength.MaxLiftsPerDay, +1); err != nil {
		return l, err
	}
	id, err := insertLift(ctx, e.tx, e.who, e.day.ID, l)
	if err != nil {
		return l, err
	}
	if err := e.reread(ctx); err != nil {
		return l, err
	}
	l, _ = liftIn(e.day, id)
	return l, e.rewrite(ctx, s, l, true)
}

// shift moves the lifts of the day from one position to another, both
// included, by some places.
func (e *planEdit) shift(ctx context.Context, from, to, places int64) error {
	err := store.New(e.tx).ShiftLifts(ctx, store.ShiftLiftsParams{
		Places: places, WorkspaceID: e.who.Workspace, ProgramDayID: e.day.ID, FromPosition: from, ToPosition: to,
	})
	if err != nil {
		return fmt.Errorf("shift the lifts of day %d: %w", e.day.ID, err)
	}
	return nil
}

// checkPosition refuses a place that would leave a gap.
func checkPosition(n *int64, last int) error {
	return inRange(strength.Range{Name: "Position", Low: 0, High: last}, "position", n)
}
