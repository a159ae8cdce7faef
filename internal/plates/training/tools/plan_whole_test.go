package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

// schedule generates a week of one day and returns its workout.
func (l *lifter) schedule(program int64, week int) int64 {
	l.t.Helper()
	return l.generate(program, week).Workouts[0].ID
}

// lift completes every set of a workout as planned.
func (l *lifter) lift(workout int64) {
	l.t.Helper()
	l.exec("UPDATE training_sets SET is_completed = TRUE WHERE workout_id = $1", workout)
}

// written tells the rows of a workout as a preview tells them.
func (l *lifter) written(workout int64) []tools.PreviewSet {
	l.t.Helper()
	var sets []tools.PreviewSet
	for _, s := range answer[tools.GetWorkoutOut](l, "get_workout", args{"workout_id": workout}).SetList {
		sets = append(sets, tools.PreviewSet{Weight: s.Weight, Reps: s.Reps, DurationSeconds: s.DurationSeconds, IsWarmup: s.IsWarmup, IsPerSide: s.IsPerSide, IsBarbell: s.IsBarbell})
	}
	return sets
}

func TestPreviewIsWhatGenerationWrites(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		for week := 1; week <= 4; week++ {
			before := g.count(t, "SELECT count(*) FROM training_sets")
			preview := answer[tools.PreviewProgramWeekOut](l, "preview_program_week", args{"program_id": program, "week": week})
			if now := g.count(t, "SELECT count(*) FROM training_sets"); now != before {
				t.Fatalf("the preview of week %d wrote %d sets", week, now-before)
			}
			var want []tools.PreviewSet
			reasons := map[string]string{}
			for _, lift := range preview.Days[0].Lifts {
				want = append(want, lift.Sets...)
				reasons[lift.Exercise] = lift.Reason
			}
			out := answer[tools.GenerateProgramWeekOut](l, "generate_program_week", args{"program_id": program, "week": week})
			if diff := cmp.Diff(want, l.written(out.Workouts[0].ID)); diff != "" || len(want) < 27 {
				t.Errorf("week %d: the preview of %d sets (-) and what was written (+):\n%s", week, len(want), diff)
			}
			for _, lift := range out.Lifts {
				if reasons[lift.Exercise] != lift.Reason {
					t.Errorf("week %d, %s: the preview says %q, the session %q", week, lift.Exercise, reasons[lift.Exercise], lift.Reason)
				}
			}
			l.lift(out.Workouts[0].ID)
			again := answer[tools.PreviewProgramWeekOut](l, "preview_program_week", args{"program_id": program, "week": week})
			if d := again.Days[0]; d.WorkoutID == nil || len(d.Lifts) != 0 {
				t.Errorf("the preview of a week that is there: %+v", d)
			}
		}
		l.refused(fault.NotFound, fmt.Sprintf("Program %d has no week 9; it has 4.", program), "preview_program_week", args{"program_id": program, "week": 9})
	})
}

func TestAForecastTakesWhatIsOpenAsMet(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		l.generate(program, 1)
		for week, want := range map[int]string{
			2: "170x3 If week 1 is met: 165 + 5.", 3: "175x3 If week 2 is met: 170 + 5.", 4: "160x3 If week 3 is met: 175 + 5. Deload: less a tenth.",
		} {
			if got := l.forecast(program, week, 0); got != want {
				t.Errorf("week %d: %q, want %q", week, got, want)
			}
		}
		g.wait(24 * 60 * 60 * 1e9) // Tuesday: what was not lifted on Monday is missed
		if got, want := l.forecast(program, 2, 0), "165x3 Week 1 was not trained: 165 again."; got != want {
			t.Errorf("after a missed week 1: %q, want %q", got, want)
		}
	})
}

func TestUpdateProgramTakesPlannedSessionsAlong(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		first, second := l.schedule(program, 1), l.schedule(program, 2)
		l.lift(first)
		out := answer[tools.UpdateProgramOut](l, "update_program", args{"program_id": program, "name": "Base", "start_date": "2026-03-09", "preferred_reps": nil})
		if out.Name != "Base" || out.Sessions != (tools.Followed{Rewritten: 1, Left: 1}) || out.PreferredReps != nil {
			t.Errorf("the block is %+v, its sessions %+v", out.ProgramSummary, out.Sessions)
		}
		if n := g.count(t, "SELECT count(*) FROM training_workouts WHERE id = $1 AND date = '2026-03-02' OR id = $2 AND date = '2026-03-16'", first, second); n != 2 {
			t.Errorf("%d sessions are where they belong, want 2", n)
		}
		if got := l.written(second)[4]; *got.Reps != 5 {
			t.Errorf("the planned session still asks %d reps", *got.Reps)
		}
		if n := g.count(t, "SELECT count(*) FROM training_sets WHERE workout_id = $1 AND position BETWEEN 1 AND 28", second); n != len(l.written(second)) {
			t.Error("the positions of a rewritten session have gaps")
		}
		l.refused(fault.Invalid, noField, "update_program", args{"program_id": program})
		l.refused(fault.Invalid, "A block needs a name.", "update_program", args{"program_id": program, "name": " "})
		other := l.plan(squat(nil))
		if got, want := l.must("update_program", args{"program_id": other.ID, "notes": "x"}), "Block of 1: notes none to x."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		third := answer[tools.Program](l, "create_program", args{"name": "Third", "weeks": []args{}})
		l.refused(fault.Conflict, fmt.Sprintf(`You already have a block named "block of 1" (id %d). Edit that one, or use a different name.`, other.ID), "update_program", args{"program_id": third.ID, "name": "block of 1"})
	})
}

func TestUpdateProgramWeekRewritesItsSessions(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		workout := l.schedule(program, 1)
		in := args{"program_id": program, "week": 1, "is_deload": true, "notes": "travel"}
		want := "Week 1 of Block 0: is deload false to true, notes none to travel. 1 planned session was rewritten to match."
		if got := l.must("update_program_week", in); got != want {
			t.Errorf("said %q\nwant %q", got, want)
		}
		sets := l.written(workout)
		if top := sets[len(sets)-1]; *top.Weight != 70 { // the good morning, 75 less a tenth
			t.Errorf("the last set weighs %d", *top.Weight)
		}
		l.lift(workout)
		if got := l.must("update_program_week", args{"program_id": program, "week": 1, "is_deload": false}); !strings.HasSuffix(got, "1 session has lifted sets in it, so it was left alone.") {
			t.Errorf("said %q", got)
		}
		l.refused(fault.Invalid, noField, "update_program_week", args{"program_id": program, "week": 1})
	})
}

func TestDeleteProgramWeek(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		first, second, third := l.schedule(program, 1), l.schedule(program, 2), l.schedule(program, 3)
		l.lift(first)
		if got, want := l.must("delete_program_week", args{"program_id": program, "week": 2}),
			"Deleted week 2 of Block 0. Its planned session went with it. The weeks behind it moved up. 1 planned session was rewritten to match."; got != want {
			t.Errorf("said %q\nwant %q", got, want)
		}
		if n := g.count(t, "SELECT count(*) FROM training_workouts WHERE id = $1", second); n != 0 {
			t.Error("the planned session of the deleted week is still there")
		}
		if n := g.count(t, "SELECT count(*) FROM training_workouts WHERE id = $1 AND date = '2026-03-09'", third); n != 1 {
			t.Error("the session of week 3 did not move up")
		}
		if got := l.written(third)[7]; *got.Weight != 170 {
			t.Errorf("the session that moved up asks %d, want what follows week 1", *got.Weight)
		}
		l.lift(third)
		l.refused(fault.Refused, "Week 2 has lifted sets, so it cannot move up into the place of week 1. Delete the days of week 1 instead.", "delete_program_week", args{"program_id": program, "week": 1, "confirm": true})
		l.refused(fault.Refused, "Week 2 has 1 session with lifted sets. Confirm to delete the week; what was lifted stays, as workouts of their own.", "delete_program_week", args{"program_id": program, "week": 2})
		l.must("delete_program_week", args{"program_id": program, "week": 2, "confirm": true})
		if n := g.count(t, "SELECT count(*) FROM training_workouts WHERE id = $1 AND program_day_id IS NULL", third); n != 1 {
			t.Error("what was lifted is not a workout of its own")
		}
		if n := g.count(t, "SELECT count(*) FROM training_sets WHERE workout_id = $1 AND program_lift_id IS NULL", third); n != 28 {
			t.Errorf("%d sets stand on their own, want 28", n)
		}
		p := answer[tools.Program](l, "get_program", args{"program_id": program})
		if len(p.Weeks) != 2 || p.Weeks[1].Number != 2 || !p.Weeks[1].IsDeload {
			t.Errorf("the weeks left are %+v", p.Weeks)
		}
	})
}

func TestDeleteProgramDay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		p := answer[tools.Program](l, "get_program", args{"program_id": l.block()})
		day := func(week int) int64 { return p.Weeks[week-1].Days[0].ID }
		first, second, third := l.schedule(p.ID, 1), l.schedule(p.ID, 2), l.schedule(p.ID, 3)
		l.lift(first)
		l.must("create_set", args{"workout_id": second, "exercise": "Plank", "duration_seconds": 60})
		l.refused(fault.Refused, "The Monday session has lifted sets. Confirm to delete the day; what was lifted stays, as a workout of its own.", "delete_program_day", args{"program_day_id": day(1)})
		for _, c := range []struct {
			day  int64
			says string
		}{
			{day(1), "Deleted Monday of week 1 of Block 0. 1 session stays as a workout of its own."},
			{day(2), "Deleted Monday of week 2 of Block 0. 1 session stays as a workout of its own."}, // a set by hand
			{day(3), "Deleted Monday of week 3 of Block 0. Its planned session went with it."},
			{day(4), "Deleted Monday of week 4 of Block 0."},
		} {
			if got := l.must("delete_program_day", args{"program_day_id": c.day, "confirm": true}); got != c.says {
				t.Errorf("said %q, want %q", got, c.says)
			}
		}
		if n := g.count(t, "SELECT count(*) FROM training_workouts WHERE id IN ($1, $2, $3)", first, second, third); n != 2 {
			t.Errorf("%d workouts are left, want 2", n)
		}
	})
}

func TestABlockIsPutAwayAndDeleted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		first := l.schedule(program, 1)
		l.generate(program, 2)
		l.must("set_goal", args{"exercise": "Back Squat", "target_weight": 225, "program_id": program})
		if got := l.must("archive_program", args{"program_id": program}); got != "Block 0 is put away." {
			t.Errorf("said %q", got)
		}
		if got := l.must("list_programs", args{}); got != "You have 0 program(s)." {
			t.Errorf("a block that is put away is listed: %q", got)
		}
		l.must("get_program", args{"program_id": program})
		l.must("archive_program", args{"program_id": program, "archived": false})
		if got := answer[tools.ListProgramsOut](l, "list_programs", args{}); got.Total != 1 {
			t.Error("a block that was taken back out is not listed")
		}
		l.lift(first)
		l.refused(fault.Refused, "Block 0 has 1 session with lifted sets. Confirm to delete the block; what was lifted stays, as workouts of their own.", "delete_program", args{"program_id": program})
		if got, want := l.must("delete_program", args{"program_id": program, "confirm": true}), "Deleted Block 0. Its planned session went with it. 1 session stays as a workout of its own."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		for query, want := range map[string]int{
			"SELECT count(*) FROM training_program_lifts": 0, "SELECT count(*) FROM training_workouts": 1,
			"SELECT count(*) FROM training_goals WHERE program_id IS NULL AND superseded_at IS NOT NULL": 1,
		} {
			if got := g.count(t, query); got != want {
				t.Errorf("%s: %d, want %d", query, got, want)
			}
		}
		l.refused(fault.NotFound, fmt.Sprintf("No program with id %d on this account.", program), "delete_program", args{"program_id": program})
	})
}

func TestABlockIsSharedAsADocument(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		export := func(l *lifter, program int64) string {
			return answer[tools.ExportProgramOut](l, "export_program", args{"program_id": program}).Document
		}
		program := l.block()
		text := export(l, program)
		other := g.lifter(t, "b@example.com")
		raw := decodeArgs(t, text)
		made := answer[tools.Program](other, "create_program", raw)
		if diff := cmp.Diff(text, export(other, made.ID)); diff != "" {
			t.Errorf("create_program writes another block (-want +got):\n%s", diff)
		}
		lift := made.Weeks[1].Days[0].Lifts[2].ID
		other.must("set_lift_extras", args{"program_lift_id": lift, "reps_to": 15, "rest_seconds": 90})
		other.must("update_program_lift", args{"program_lift_id": lift, "top_weight": 150})
		text = export(other, made.ID)
		copied := answer[tools.Program](other, "import_program", args{"document": text, "name": "Again", "start_date": "2026-06-01"})
		want := strings.NewReplacer(`"Block 0"`, `"Again"`, `"2026-03-02"`, `"2026-06-01"`).Replace(text)
		if diff := cmp.Diff(want, export(other, copied.ID)); diff != "" {
			t.Errorf("import_program writes another block (-want +got):\n%s", diff)
		}
		if !strings.Contains(text, `"reps_to": 15`) || !strings.Contains(text, `"starts_here": true`) {
			t.Error("the document forgets the range of reps or the start")
		}
		for document, says := range map[string]string{
			"{": "This could not be read as a block", `{"name": "A", "weeks": []} x`: "This could not be read as a block",
			`{"name": "A", "colour": "red"}`: "This could not be read as a block",
			`{"name": "", "weeks": []}`:      "A block needs a name.",
			`{"name": "A", "weeks": [{"days": [{"weekday": 1, "lifts": [{"exercise": "Dip", "sets": 3, "reps": 8, "top_weight": 10, "progression": "wave"}]}]}]}`: `Progression "wave" is not one of`,
		} {
			_, err := other.call("import_program", args{"document": document})
			if r := fault.From(err); r == nil || !strings.HasPrefix(r.Sentence(), says) {
				t.Errorf("%s is answered %v, want %q", document, err, says)
			}
		}
	})
}

func TestSaveProgramLiftTakesEverythingAtOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		p := l.plan(squat(args{"reps": 8}))
		workout := l.schedule(p.ID, 1)
		lift := p.Weeks[0].Days[0].Lifts[0].ID
		row := args{"program_lift_id": lift, "reps": 6, "reps_to": 10, "rest_seconds": 180, "note": "belt"}
		want := "Back Squat: reps 8 to 6, reps to none to 10, rest seconds none to 180, note none to belt. The planned session on Monday was rewritten to match."
		if got := l.must("save_program_lift", row); got != want {
			t.Errorf("said %q\nwant %q", got, want)
		}
		if sets := l.written(workout); *sets[len(sets)-1].Reps != 6 {
			t.Errorf("the session asks %d reps", *sets[len(sets)-1].Reps)
		}
		if got, want := l.must("save_program_lift", row), "Back Squat: nothing to change."; got != want {
			t.Errorf("again: %q", got)
		}
		l.refused(fault.Invalid, "A range of reps goes with progression linear only.", "save_program_lift", args{"program_lift_id": lift, "progression": "strikes", "reps_to": 10})
		day := p.Weeks[0].Days[0].ID
		if got, want := l.must("add_lift_row", args{"program_day_id": day, "exercise": "Curl", "sets": 3, "reps": 8, "reps_to": 12, "top_weight": 40, "rest_seconds": 60}),
			"Added Curl 3x8 to Monday at position 1. The planned session on Monday was rewritten to match."; got != want {
			t.Errorf("said %q", got)
		}
		if n := g.count(t, "SELECT count(*) FROM training_program_lifts WHERE reps_to = 12 AND rest_seconds = 60"); n != 1 {
			t.Error("the range and the rest of an added row are not kept")
		}
	})
}
