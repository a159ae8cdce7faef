package tools

import (
	"context"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
)

// GetProgramIn names a block.
type GetProgramIn struct {
	ProgramID int64 `json:"program_id"`
}

// GetProgram reads one block in full.
func GetProgram() contract.Tool {
	return contract.New(contract.Spec{
		Name: "get_program", Title: "Read one block", Scope: "read",
		Says:     "Read one training block in full: its weeks, the days of each with the dates they fall on and the workout each has produced, and every lift in order with sets, reps or seconds, load, progression rule and steps. Returns the ids the program edit tools take.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Reads only.", Narrow: "This block is too large for one answer; read its sessions with get_workout.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in GetProgramIn) (contract.Answer[Program], error) {
		p, err := ReadProgram(ctx, tx, who, in.ProgramID)
		if err != nil {
			return contract.Answer[Program]{}, err
		}
		return contract.Answer[Program]{Out: p, Text: programText(p)}, nil
	})
}

func programText(p Program) string {
	lines := []string{fmt.Sprintf("%s: %d week(s) from %s.", p.Name, p.WeekCount, p.StartDate)}
	for _, w := range p.Weeks {
		deload := ""
		if w.IsDeload {
			deload = " (deload)"
		}
		lines = append(lines, fmt.Sprintf("Week %d%s from %s", w.Number, deload, w.StartDate))
		for _, d := range w.Days {
			focus := ""
			if d.Focus != nil {
				focus = " " + *d.Focus
			}
			lines = append(lines, fmt.Sprintf("  %s %s%s (day %d)", d.WeekdayName, d.Date, focus, d.ID))
			for _, l := range d.Lifts {
				lines = append(lines, "    "+liftText(l))
			}
		}
	}
	return strings.Join(lines, "\n")
}

// liftText is one prescription: "0 Back Squat 4x5 top 155, linear, main (lift 16)".
func liftText(l Lift) string {
	text := fmt.Sprintf("%d %s", l.Position, liftLabel(l))
	switch {
	case l.TopWeight != nil:
		text += fmt.Sprintf(" top %d", *l.TopWeight)
	case l.PercentOfMax != nil:
		text += fmt.Sprintf(" at %d%%", *l.PercentOfMax)
	default:
		text += " no load"
	}
	if l.Progression != nil {
		text += ", " + *l.Progression
	}
	for _, f := range []struct {
		on   bool
		word string
	}{{l.IsPerSide, "per side"}, {l.IsMain, "main"}, {l.StartsHere, "starts here"}} {
		if f.on {
			text += ", " + f.word
		}
	}
	return fmt.Sprintf("%s (lift %d)", text, l.ID)
}

// liftLabel is a prescription in short: "Back Squat 4x5", "Plank 3x60s".
func liftLabel(l Lift) string {
	if l.Reps != nil {
		return fmt.Sprintf("%s %dx%d", l.Exercise, l.Sets, *l.Reps)
	}
	return fmt.Sprintf("%s %dx%ds", l.Exercise, l.Sets, valueOr(l.DurationSeconds, 0))
}
