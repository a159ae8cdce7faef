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

// UpdateProgramDayIn names a training day and what changes about it.
type UpdateProgramDayIn struct {
	ProgramDayID int64                `json:"program_day_id"`
	Weekday      *int64               `json:"weekday"`
	Focus        contract.Opt[string] `json:"focus"`
}

// UpdateProgramDayOut is the day afterwards, what moved, and what happened to
// its session.
type UpdateProgramDayOut struct {
	Day
	Changed contract.Changed `json:"changed"`
	Session string           `json:"session" enum:"rewritten,lifted,none"`
}

// UpdateProgramDay moves a training day to another weekday or changes its
// focus.
func UpdateProgramDay() contract.Tool {
	return contract.New(contract.Spec{
		Name: "update_program_day", Title: "Move a training day", Scope: "write",
		Says:     "Change one day's weekday (0 Sunday to 6 Saturday) or focus; only this week's day changes. A session already generated from it moves along if nothing in it has been lifted and stays put otherwise. Returns the day, what changed, and what happened to the session.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Replaces weekday or focus and returns the old values; only untrained sessions follow.",
	}, updateProgramDay)
}

func updateProgramDay(ctx context.Context, tx *db.Tx, who contract.Caller, in UpdateProgramDayIn) (contract.Answer[UpdateProgramDayOut], error) {
	var none contract.Answer[UpdateProgramDayOut]
	if in.Weekday == nil && !in.Focus.Set {
		return none, nothingToChange()
	}
	if err := checkAll(checkWeekday(valueOr(in.Weekday, 0)), tooLong("A focus", "focus", in.Focus.Ptr(), strength.MaxFocus)); err != nil {
		return none, err
	}
	e, err := editDay(ctx, tx, who, in.ProgramDayID)
	if err != nil {
		return none, err
	}
	weekday, focus := valueOr(in.Weekday, e.day.Weekday), e.day.Focus
	if in.Focus.Set {
		focus = blankAsNone(in.Focus.Ptr())
	}
	changed := contract.Changed{}
	change(changed, "weekday", &e.day.Weekday, &weekday)
	change(changed, "focus", e.day.Focus, focus)
	state := session{state: sessionNone}
	if len(changed) > 0 {
		if state, err = e.changeDay(ctx, weekday, focus); err != nil {
			return none, err
		}
	}
	return contract.Answer[UpdateProgramDayOut]{
		Out:  UpdateProgramDayOut{Day: e.day, Changed: changed, Session: state.state},
		Text: fmt.Sprintf("%s of week %d: %s.", e.day.WeekdayName, e.week.Number, changesText(changed)) + SessionSentence(state.state, e.day.WeekdayName),
		Refs: e.refs(state),
	}, nil
}

// changeDay writes the day; a session follows a new weekday only.
func (e *planEdit) changeDay(ctx context.Context, weekday int64, focus *string) (session, error) {
	s, moves := session{state: sessionNone}, weekday != e.day.Weekday
	if moves {
		var err error
		if s, err = e.session(ctx); err != nil {
			return s, err
		}
	}
	err := store.New(e.tx).UpdateDay(ctx, store.UpdateDayParams{Weekday: weekday, Focus: focus, WorkspaceID: e.who.Workspace, ID: e.day.ID})
	if err != nil {
		return s, fmt.Errorf("update day %d: %w", e.day.ID, err)
	}
	if err := e.reread(ctx); err != nil {
		return s, err
	}
	return s, e.move(ctx, s, e.day.Date)
}
