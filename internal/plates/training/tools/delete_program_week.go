package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// DeleteProgramWeekIn names a week of a block; confirm is needed when sets of
// it were lifted.
type DeleteProgramWeekIn struct {
	ProgramID int64 `json:"program_id"`
	Week      int64 `json:"week"`
	Confirm   bool  `json:"confirm,omitempty"`
}

// DeleteProgramWeekOut is the week that was removed and what happened to its
// sessions.
type DeleteProgramWeekOut struct {
	Removed  Week   `json:"removed"`
	Sessions Parted `json:"sessions"`
}

// DeleteProgramWeek removes a week from a block. The weeks behind it close the
// gap, because a number says when a week is trained: that is allowed only
// while nothing in them has been lifted.
func DeleteProgramWeek() contract.Tool {
	return contract.New(contract.Spec{
		Name: "delete_program_week", Title: "Delete a week", Scope: "write", Surfaces: pagesOnly,
		Says:     "Delete one week of a block and return it. The weeks behind it move up, a week earlier, which is refused when sets of them were lifted. Planned sessions of the week go with it; sessions with lifted sets need confirm true and stay as workouts of their own.",
		ReadOnly: contract.No, Destructive: contract.Yes, Idempotent: contract.No, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Removes a week of the plan; the number then names the week that moved up.",
	}, deleteProgramWeek)
}

func deleteProgramWeek(ctx context.Context, tx *db.Tx, who contract.Caller, in DeleteProgramWeekIn) (contract.Answer[DeleteProgramWeekOut], error) {
	var none contract.Answer[DeleteProgramWeekOut]
	p, err := lockProgram(ctx, tx, who, in.ProgramID)
	if err != nil {
		return none, err
	}
	week, err := weekOf(p, in.Week, "week")
	if err != nil {
		return none, err
	}
	going, err := sessionsOf(ctx, tx, who, p, week)
	if err != nil {
		return none, err
	}
	if n := liftedIn(going); n > 0 && !in.Confirm {
		return none, fault.Refuse("Week %d has %s. Confirm to delete the week; what was lifted stays, as workouts of their own.", week.Number, sessionsWith(n)).At("confirm")
	}
	moved, err := closeWeekGap(ctx, tx, who, p, week, going)
	if err != nil {
		return none, err
	}
	return contract.Answer[DeleteProgramWeekOut]{
		Out:  DeleteProgramWeekOut{Removed: week, Sessions: moved.parted},
		Text: fmt.Sprintf("Deleted week %d of %s.", week.Number, p.Name) + moved.parted.Sentence() + moved.sentence(),
		Refs: append([]string{programRef(p.ID)}, sessionRefs(append(going, moved.later...))...),
	}, nil
}

// closedGap is what happened around a week that was deleted.
type closedGap struct {
	parted   Parted
	later    []daySession
	sessions Followed
}

// sentence says what moved up.
func (c closedGap) sentence() string {
	if len(c.later) == 0 {
		return ""
	}
	return " The weeks behind it moved up." + c.sessions.Sentence()
}

// closeWeekGap deletes the week and lets the ones behind it move up, with their
// planned sessions.
func closeWeekGap(ctx context.Context, tx *db.Tx, who contract.Caller, p Program, week Week, going []daySession) (closedGap, error) {
	var c closedGap
	var behind []Week
	for _, w := range p.Weeks {
		if w.Number > week.Number {
			behind = append(behind, w)
		}
	}
	var err error
	if c.later, err = sessionsOf(ctx, tx, who, p, behind...); err != nil {
		return c, err
	}
	for _, d := range c.later {
		if d.state == sessionLifted {
			return c, fault.Refuse("Week %d has lifted sets, so it cannot move up into the place of week %d. Delete the days of week %d instead.", d.week.Number, week.Number, week.Number)
		}
	}
	if c.parted, err = part(ctx, going); err != nil {
		return c, err
	}
	if err := store.New(tx).DeleteWeek(ctx, who.Workspace, week.ID); err != nil {
		return c, fmt.Errorf("delete week %d: %w", week.ID, err)
	}
	for _, w := range behind { // by number, so each takes a place that is free
		err := store.New(tx).RenumberWeek(ctx, store.RenumberWeekParams{Number: w.Number - 1, WorkspaceID: who.Workspace, ID: w.ID})
		if err != nil {
			return c, fmt.Errorf("move week %d up: %w", w.ID, err)
		}
	}
	if p, err = ReadProgram(ctx, tx, who, p.ID); err != nil {
		return c, err
	}
	c.sessions, err = follow(ctx, c.later, p, true, true)
	return c, err
}
