package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// DeleteProgramDayIn names a training day; confirm is needed when its session
// has lifted sets.
type DeleteProgramDayIn struct {
	ProgramDayID int64 `json:"program_day_id"`
	Confirm      bool  `json:"confirm,omitempty"`
}

// DeleteProgramDayOut is the day that was removed and what happened to its
// session.
type DeleteProgramDayOut struct {
	Removed  Day    `json:"removed"`
	Sessions Parted `json:"sessions"`
}

// DeleteProgramDay removes a training day with its lifts.
func DeleteProgramDay() contract.Tool {
	return contract.New(contract.Spec{
		Name: "delete_program_day", Title: "Delete a training day", Scope: "write", Surfaces: pagesOnly,
		Says:     "Delete one training day with its lifts and return it. A planned session goes with it; one with lifted sets needs confirm true and stays as a workout of its own.",
		ReadOnly: contract.No, Destructive: contract.Yes, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Removes a day of the plan; a repeated call finds nothing.",
	}, deleteProgramDay)
}

func deleteProgramDay(ctx context.Context, tx *db.Tx, who contract.Caller, in DeleteProgramDayIn) (contract.Answer[DeleteProgramDayOut], error) {
	var none contract.Answer[DeleteProgramDayOut]
	e, err := editDay(ctx, tx, who, in.ProgramDayID)
	if err != nil {
		return none, err
	}
	s, err := e.session(ctx)
	if err != nil {
		return none, err
	}
	if s.state == sessionLifted && !in.Confirm {
		return none, fault.Refuse("The %s session has lifted sets. Confirm to delete the day; what was lifted stays, as a workout of its own.", e.day.WeekdayName).At("confirm")
	}
	list := []daySession{{e, s}}
	parted, err := part(ctx, list)
	if err != nil {
		return none, err
	}
	if err := store.New(tx).DeleteDay(ctx, who.Workspace, e.day.ID); err != nil {
		return none, fmt.Errorf("delete day %d: %w", e.day.ID, err)
	}
	return contract.Answer[DeleteProgramDayOut]{
		Out:  DeleteProgramDayOut{Removed: e.day, Sessions: parted},
		Text: fmt.Sprintf("Deleted %s of week %d of %s.", e.day.WeekdayName, e.week.Number, e.program.Name) + parted.Sentence(),
		Refs: append([]string{programRef(e.program.ID)}, sessionRefs(list)...),
	}, nil
}
