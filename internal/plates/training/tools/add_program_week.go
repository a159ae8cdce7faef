package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/strength"
)

// AddProgramWeekIn is a week to add, empty or copied.
type AddProgramWeekIn struct {
	ProgramID    int64   `json:"program_id"`
	Number       *int64  `json:"number"` // absent = behind the last
	CopyFromWeek *int64  `json:"copy_from_week"`
	IsDeload     bool    `json:"is_deload,omitempty"`
	Notes        *string `json:"notes"`
	RequestID    *string `json:"request_id" maxlen:"64"` // read by the gate
}

// AddProgramWeek adds a week to a block.
func AddProgramWeek() contract.Tool {
	return contract.New(contract.Spec{
		Name: "add_program_week", Title: "Add a week", Scope: "write",
		Says:     "Add a week to a block, at the end or at a given number. copy_from_week duplicates that week's days and lifts exactly, to be edited where they differ; is_deload marks a lighter week, generated a tenth lighter. Returns the week with its days, dates and lift ids.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.No, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Without a number each call appends another week.",
	}, addProgramWeek)
}

func addProgramWeek(ctx context.Context, tx *db.Tx, who contract.Caller, in AddProgramWeekIn) (contract.Answer[Week], error) {
	var none contract.Answer[Week]
	if err := inRange(strength.WeekRange, "number", in.Number); err != nil {
		return none, err
	}
	p, err := lockProgram(ctx, tx, who, in.ProgramID)
	if err != nil {
		return none, err
	}
	var from Week // empty when nothing is copied
	if in.CopyFromWeek != nil {
		if from, err = weekOf(p, *in.CopyFromWeek, "copy_from_week"); err != nil {
			return none, err
		}
	}
	number, err := in.place(p, from)
	if err != nil {
		return none, err
	}
	week, err := insertWeek(ctx, tx, who, p.ID, number, in.IsDeload, in.Notes)
	if err != nil {
		return none, err
	}
	if err := copyDays(ctx, tx, who, week, from.Days); err != nil {
		return none, err
	}
	if p, err = ReadProgram(ctx, tx, who, p.ID); err != nil {
		return none, err
	}
	w, err := weekOf(p, number, "number")
	return contract.Answer[Week]{
		Out: w, Text: fmt.Sprintf("Added week %d to %s, starting %s.", w.Number, p.Name, w.StartDate), Refs: []string{programRef(p.ID)},
	}, err
}

// place decides the number of the new week.
func (in AddProgramWeekIn) place(p Program, from Week) (int64, error) {
	if err := tooMany(len(p.Weeks)+1, 0, 0, liftCount(p.Weeks)+liftCount([]Week{from})); err != nil {
		return 0, err
	}
	number := valueOr(in.Number, 0)
	for _, w := range p.Weeks {
		if w.Number == number {
			return 0, weekTaken(p.Name, number).At("number")
		}
	}
	if in.Number != nil {
		return number, nil
	}
	for _, w := range p.Weeks {
		number = max(number, w.Number)
	}
	number++
	return number, inRange(strength.WeekRange, "number", &number) // the numbers may have gaps
}

// copyDays writes days as they are written elsewhere. A copy does not start
// anew at its written weight.
func copyDays(ctx context.Context, tx *db.Tx, who contract.Caller, week int64, days []Day) error {
	for _, d := range days {
		day, err := insertDay(ctx, tx, who, week, d.Weekday, d.Focus)
		if err != nil {
			return err
		}
		for _, l := range d.Lifts {
			l.StartsHere = false
			if _, err := insertLift(ctx, tx, who, day, l); err != nil {
				return err
			}
		}
	}
	return nil
}
