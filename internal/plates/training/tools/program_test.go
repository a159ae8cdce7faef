package tools_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

func TestSeedProgramWritesBlock0Once(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		first := answer[tools.SeedProgramOut](l, "seed_program", args{})
		if !first.Created || first.StartDate != "2026-03-02" || first.WeekCount != 4 || *first.CurrentWeek != 1 || *first.Block != 0 {
			t.Errorf("the first time: %+v", first.ProgramSummary)
		}
		if own := g.count(t, "SELECT count(*) FROM training_exercises WHERE workspace_id = $1", l.who.Workspace); own != 4 {
			t.Errorf("%d movements were made, want 4", own)
		}
		again := answer[tools.SeedProgramOut](l, "seed_program", args{"start": "2026-05-04"})
		if again.Created || again.ID != first.ID || again.StartDate != first.StartDate {
			t.Errorf("the second time: %+v", again.ProgramSummary)
		}
		if got, want := l.must("seed_program", args{}), fmt.Sprintf("Program %d: Block 0, 4 week(s) from 2026-03-02", first.ID); got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		other := g.lifter(t, "b@example.com")
		if got := answer[tools.SeedProgramOut](other, "seed_program", args{"start": "2026-08-19"}); !got.Created || got.StartDate != "2026-08-19" || got.CurrentWeek != nil {
			t.Errorf("another workspace: %+v", got.ProgramSummary)
		}
		l.refused(fault.Invalid, `Couldn't read "soon" as a date; use 'today' or YYYY-MM-DD.`, "seed_program", args{"start": "soon"})
	})
}

func TestSeedProgramAtOnceWritesOneBlock(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				if _, err := l.call("seed_program", args{}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := g.count(t, "SELECT count(*) FROM training_programs WHERE workspace_id = $1", l.who.Workspace); n != 1 {
			t.Errorf("%d blocks, want 1", n)
		}
		if n := g.count(t, "SELECT count(*) FROM training_program_lifts WHERE workspace_id = $1", l.who.Workspace); n != 20 {
			t.Errorf("%d lifts, want 20", n)
		}
	})
}

func TestGetProgramTellsTheBlock(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		workout := l.generate(program, 2).Workouts[0].ID
		p := answer[tools.Program](l, "get_program", args{"program_id": program})
		for i, w := range p.Weeks {
			if w.Number != int64(i+1) || w.IsDeload != (i == 3) || len(w.Days) != 1 || len(w.Days[0].Lifts) != 5 {
				t.Errorf("week %d: %+v", i+1, w)
			}
		}
		second := p.Weeks[1].Days[0]
		if second.Date != "2026-03-09" || second.WorkoutID == nil || *second.WorkoutID != workout || p.Weeks[0].Days[0].WorkoutID != nil {
			t.Errorf("the day that was generated: %+v", second)
		}
		text := l.must("get_program", args{"program_id": program})
		for _, line := range []string{
			"Block 0: 4 week(s) from 2026-03-02.",
			"Week 4 (deload) from 2026-03-23",
			fmt.Sprintf("  Monday 2026-03-02 Squat (day %d)", p.Weeks[0].Days[0].ID),
			fmt.Sprintf("    0 Back Squat 4x5 top 155, linear, main (lift %d)", p.Weeks[0].Days[0].Lifts[0].ID),
		} {
			if !strings.Contains(text+"\n", line+"\n") {
				t.Errorf("no line %q in\n%s", line, text)
			}
		}
		l.refused(fault.NotFound, "No program with id 999 on this account.", "get_program", args{"program_id": 999})
		g.lifter(t, "b@example.com").refused(fault.NotFound, fmt.Sprintf("No program with id %d on this account.", program), "get_program", args{"program_id": program})
	})
}

func TestListPrograms(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		if got := l.must("list_programs", args{}); got != "You have 0 program(s)." {
			t.Errorf("without blocks: %q", got)
		}
		program := l.block()
		want := fmt.Sprintf("You have 1 program(s).\n  Block 0: 4 week(s) from 2026-03-02, now in week 1 (id %d)", program)
		if got := l.must("list_programs", args{}); got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		g.wait(28 * 24 * time.Hour)
		out := answer[tools.ListProgramsOut](l, "list_programs", args{})
		if len(out.Programs) != 1 || out.Programs[0].CurrentWeek != nil || out.Limit != 50 {
			t.Errorf("after the block: %+v", out)
		}
		if got := g.lifter(t, "b@example.com").must("list_programs", args{}); got != "You have 0 program(s)." {
			t.Errorf("another workspace sees %q", got)
		}
		l.refused(fault.Invalid, "Limit 201 is out of range; use 1-200.", "list_programs", args{"limit": 201})
	})
}
