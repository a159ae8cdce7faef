package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/strength"
)

// AddProgramDayIn is a training day to add to a week.
type AddProgramDayIn struct {
	ProgramID int64 `json:"program_id"`
	Week      int64 `json:"week"`
	DayInput
	RequestID *string `json:"request_id" maxlen:"64"` // read by the gate
}

// AddProgramDay adds a training day to a week of a block.
func AddProgramDay() contract.Tool {
	return contract.New(contract.Spec{
		Name: "add_program_day", Title: "Add a training day", Scope: "write",
		Says:     "Add a training day with its lifts to one week of a block. weekday is 0 Sunday to 6 Saturday; the date follows from the block's start. Lifts as in create_program. Returns the day with its date and lift ids.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.No, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Each call adds a day.",
	}, tellingNew(addProgramDay))
}

func addProgramDay(ctx context.Context, tx *db.Tx, who contract.Caller, in AddProgramDayIn) (contract.Answer[Day], error) {
	var none contract.Answer[Day]
	if err := checkAll(inRange(strength.WeekRange, "week", &in.Week), checkWeekday(in.Weekday)); err != nil {
		return none, err
	}
	p, err := lockProgram(ctx, tx, who, in.ProgramID)
	if err != nil {
		return none, err
	}
	w, err := weekOf(p, in.Week, "week")
	if err != nil {
		return none, err
	}
	if err := tooMany(len(p.Weeks), len(w.Days)+1, len(in.Lifts), liftCount(p.Weeks)+len(in.Lifts)); err != nil {
		return none, err
	}
	day, err := inputDay(ctx, tx, who, w.ID, in.DayInput)
	if err != nil {
		return none, err
	}
	e, err := editDay(ctx, tx, who, day)
	if err != nil {
		return none, err
	}
	return contract.Answer[Day]{
		Out: e.day, Refs: []string{programRef(p.ID)},
		Text: fmt.Sprintf("Added %s to week %d of %s (%s), with %d lift(s).", e.day.WeekdayName, w.Number, p.Name, e.day.Date, len(e.day.Lifts)),
	}, nil
}
