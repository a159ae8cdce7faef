package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// SeedProgramIn may name the first day of week 1.
type SeedProgramIn struct {
	Start *string `json:"start" doc:"'today' or YYYY-MM-DD; Monday of this week when absent"`
}

// SeedProgramOut is the block, new or not.
type SeedProgramOut struct {
	Program
	Created bool `json:"created"`
}

// SeedProgram writes Block 0, once.
func SeedProgram() contract.Tool {
	return contract.New(contract.Spec{
		Name: "seed_program", Title: "Write Block 0", Scope: "write", Surfaces: pagesOnly,
		Says:     "Write Block 0: four weeks of one squat day, the last a deload. A second run returns the block that is there, untouched.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Why: "One Block 0 per workspace; a second call returns it.",
	}, seedProgram)
}

func seedProgram(ctx context.Context, tx *db.Tx, who contract.Caller, in SeedProgramIn) (contract.Answer[SeedProgramOut], error) {
	var none contract.Answer[SeedProgramOut]
	today := who.Today(tx.Now())
	start := store.Date(strength.MondayOf(store.Day(today)))
	if in.Start != nil {
		var err error
		if start, err = readWorkoutDay(*in.Start, "start", today); err != nil {
			return none, err
		}
	}
	id, created, err := ensureBlock(ctx, tx, who, strength.Block0(), start)
	if err != nil {
		return none, err
	}
	p, err := ReadProgram(ctx, tx, who, id)
	if err != nil {
		return none, err
	}
	return contract.Answer[SeedProgramOut]{
		Out:  SeedProgramOut{Program: p, Created: created},
		Text: fmt.Sprintf("Program %d: %s, %d week(s) from %s", p.ID, p.Name, p.WeekCount, p.StartDate),
		Refs: []string{fmt.Sprintf("program:%d", p.ID)},
	}, nil
}

// ensureBlock returns the block of that name and number, and writes it when
// there is none.
func ensureBlock(ctx context.Context, tx *db.Tx, who contract.Caller, b strength.Block, start dbtype.Date) (id int64, created bool, err error) {
	id, created, err = store.OpenBlock(ctx, tx, who.Workspace, b, start, author(who))
	if err != nil || !created {
		return id, false, err
	}
	for _, w := range b.Weeks {
		if err := writeWeek(ctx, tx, who, id, w); err != nil {
			return 0, false, err
		}
	}
	return id, true, nil
}

func writeWeek(ctx context.Context, tx *db.Tx, who contract.Caller, program int64, w strength.BlockWeek) error {
	q, at := store.New(tx), dbtype.At(tx.Now())
	week, err := q.InsertWeek(ctx, store.InsertWeekParams{WorkspaceID: who.Workspace, ProgramID: program, Number: int64(w.Number), IsDeload: w.Deload, CreatedAt: at})
	if err != nil {
		return fmt.Errorf("insert week %d: %w", w.Number, err)
	}
	for _, d := range w.Days {
		focus := d.Focus
		day, err := q.InsertDay(ctx, store.InsertDayParams{WorkspaceID: who.Workspace, ProgramWeekID: week, Weekday: int64(d.Weekday), Focus: &focus, CreatedAt: at})
		if err != nil {
			return fmt.Errorf("insert a day of week %d: %w", w.Number, err)
		}
		for i, l := range d.Lifts {
			if err := writeLift(ctx, tx, who, day, i, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeLift writes a lift; its movement is the visible one of the name, else a
// new one with the lift's barbell flag.
func writeLift(ctx context.Context, tx *db.Tx, who contract.Caller, day int64, position int, l strength.Lift) error {
	movement, _, err := ensureExercise(ctx, tx, who, CreateExerciseIn{Name: l.Name, IsBarbell: &l.Barbell})
	if err != nil {
		return err
	}
	rule := string(l.Rule)
	written := Lift{
		Exercise: movement.Name, ExerciseID: movement.ID, Position: int64(position), Sets: int64(l.Written.Sets),
		Measure: "reps", Reps: store.Optional(l.Written.Reps), DurationSeconds: store.Optional(l.Written.Seconds), IsWeighted: l.Weighted,
		TopWeight: store.Optional(l.Top), PercentOfMax: store.Optional(l.Percent), Progression: blankAsNone(&rule),
		StepUp: store.Optional(l.StepUp), StepDown: store.Optional(l.StepDown), IsPerSide: movement.DefaultIsPerSide,
		IsBarbell: l.Barbell, IsMain: l.Main,
	}
	if l.Written.Seconds > 0 {
		written.Measure = "time"
	}
	_, err = insertLift(ctx, tx, who, day, written)
	return err
}
