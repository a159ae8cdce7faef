package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

// squat is a lift that is nothing special; more replaces or adds fields.
func squat(more args) args {
	l := args{"exercise": "Back Squat", "sets": 3, "reps": 5, "top_weight": 155}
	for name, value := range more {
		if l[name] = value; value == nil {
			delete(l, name)
		}
	}
	return l
}

func oneDay(lifts ...args) []args { return []args{{"days": []args{{"weekday": 1, "lifts": lifts}}}} }

// plan writes a block of one Monday with these lifts.
func (l *lifter) plan(lifts ...args) tools.Program {
	l.t.Helper()
	return answer[tools.Program](l, "create_program", args{"name": fmt.Sprintf("Block of %d", len(lifts)), "weeks": oneDay(lifts...)})
}

func names(lifts []tools.Lift) string {
	words := make([]string, len(lifts))
	for i, one := range lifts {
		words[i] = fmt.Sprintf("%d %s", one.Position, one.Exercise)
	}
	return strings.Join(words, ", ")
}

func TestCreateProgramWritesAWholeBlock(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com").client("Claude")
		in := args{"name": " Block  1 ", "block": 1, "notes": "hard", "preferred_reps": 3, "weeks": []args{
			{"days": []args{
				{"weekday": 4, "focus": "Press", "lifts": []args{{"exercise": "Plank", "sets": 3, "duration_seconds": 60, "is_weighted": false}}},
				{"weekday": 1, "lifts": []args{squat(args{"is_main": true}), {"exercise": "bench press", "sets": 5, "reps": 3, "percent_of_max": 75, "note": "paused"}}},
			}},
			{"number": 4, "is_deload": true},
		}}
		if got, want := l.must("create_program", in), "Wrote Block 1: 2 week(s) from 2026-03-02, 3 lift(s). Made a new exercise \"Plank\"."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		p := answer[tools.Program](l, "get_program", args{"program_id": 1})
		if p.Name != "Block 1" || *p.Block != 1 || !p.IsAscending || *p.PreferredReps != 3 || *p.Notes != "hard" || *p.CreatedBy != "Claude" {
			t.Errorf("the block is %+v", p.ProgramSummary)
		}
		days := p.Weeks[0].Days
		if len(p.Weeks) != 2 || p.Weeks[1].Number != 4 || !p.Weeks[1].IsDeload || days[0].Date != "2026-03-02" || days[1].Date != "2026-03-05" {
			t.Errorf("the weeks are %+v", p.Weeks)
		}
		plank, main, bench := days[1].Lifts[0], days[0].Lifts[0], days[0].Lifts[1]
		if plank.Measure != "time" || plank.IsBarbell || plank.Progression != nil || plank.TopWeight != nil {
			t.Errorf("the plank is %+v", plank)
		}
		if !main.IsMain || !main.IsBarbell || *main.Progression != "linear" || main.StartsHere {
			t.Errorf("the squat is %+v", main)
		}
		if bench.Exercise != "Bench Press" || *bench.Progression != "percent" || bench.Position != 1 || *bench.Note != "paused" {
			t.Errorf("the bench press is %+v", bench)
		}
		l.refused(fault.Conflict, `You already have a block named "Block 1" (id 1). Edit that one, or use a different name.`, "create_program", in)
		in["block"] = 2
		l.must("create_program", in)
	})
}

func TestARefusedBlockLeavesNoMovementBehind(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		_, err := l.call("create_program", args{"name": "A", "weeks": oneDay(squat(args{"exercise": "Hack Squat"}), squat(args{"top_weight": nil}))})
		r := fault.From(err)
		if r == nil || len(r.Fields) != 1 || r.Fields[0].Path != "/weeks/0/days/0/lifts/1/top_weight" {
			t.Errorf("refused as %+v", r)
		}
		if n := g.count(t, "SELECT count(*) FROM training_exercises WHERE workspace_id IS NOT NULL"); n != 0 {
			t.Errorf("%d movements are left", n)
		}
	})
}

const (
	exactlyOne = "A lift needs exactly one of top_weight (pounds) or percent_of_max (a percentage of the estimated max for that movement), unless is_weighted is false."
	noZero     = "A lift cannot weigh zero. For a plank, a band, or anything carrying no external load, set is_weighted to false instead."
	noLoad     = "An unweighted lift carries no load, so it cannot also have a top_weight or a percent_of_max. Drop the load, or set is_weighted."
	tooBig     = "A week holds at most 14 days, a day at most 30 lifts, a block at most 52 weeks and 600 lifts."
	noField    = "Nothing to change: send at least one field."
)

// refusedLifts are the lifts that nothing may write, wherever they are sent.
var refusedLifts = []struct {
	lift     args
	sentence string
}{
	{squat(args{"top_weight": 0}), noZero},
	{squat(args{"top_weight": 0, "sets": 99}), noZero},
	{squat(args{"sets": 21}), "Sets 21 is out of range; use 1-20."},
	{squat(args{"sets": 0}), "Sets 0 is out of range; use 1-20."},
	{squat(args{"reps": 101}), "Reps 101 is out of range; use 1-100."},
	{squat(args{"reps": nil, "duration_seconds": 3601}), "Duration 3601 is out of range; use 1-3600 seconds."},
	{squat(args{"top_weight": 2001}), "Top weight 2001 is out of range; use 1-2000 lb."},
	{squat(args{"top_weight": -5}), "Top weight -5 is out of range; use 1-2000 lb."},
	{squat(args{"top_weight": nil, "percent_of_max": 201}), "Percent of max 201 is out of range; use 1-200%."},
	{squat(args{"step_up": 101}), "Step up 101 is out of range; use 1-100 lb."},
	{squat(args{"step_down": 0}), "Step down 0 is out of range; use 1-100 lb."},
	{squat(args{"exercise": "  "}), "An exercise needs a non-empty name."},
	{squat(args{"exercise": strings.Repeat("x", 121)}), "An exercise name is too long; use at most 120 characters."},
	{squat(args{"top_weight": nil}), exactlyOne},
	{squat(args{"percent_of_max": 75}), exactlyOne},
	{squat(args{"is_weighted": false}), noLoad},
	{squat(args{"top_weight": nil, "percent_of_max": 75, "is_weighted": false}), noLoad},
	{squat(args{"measure": "time", "reps": nil}), "A timed lift needs duration_seconds."},
	{squat(args{"measure": "time"}), "A timed lift needs duration_seconds."},
	{squat(args{"reps": nil}), "A lift counted in reps needs reps."},
	{squat(args{"duration_seconds": 30}), "Give reps or duration_seconds, not both."},
	{squat(args{"measure": "minutes"}), `Measure "minutes" is not one of reps or time.`},
	{squat(args{"progression": "percent"}), "Progression percent reads percent_of_max, so it cannot go with top_weight."},
	{squat(args{"top_weight": nil, "percent_of_max": 75, "progression": "linear"}), "Progression linear reads top_weight, so it cannot go with percent_of_max."},
	{squat(args{"top_weight": nil, "percent_of_max": 75, "progression": "strikes"}), "Progression strikes reads top_weight, so it cannot go with percent_of_max."},
	{squat(args{"note": strings.Repeat("x", 2001)}), "A note is too long; use at most 2000 characters."},
}

func TestALiftThatCannotStandIsRefusedEverywhere(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		p := l.plan(squat(nil))
		day := p.Weeks[0].Days[0]
		for _, r := range refusedLifts {
			l.refused(fault.Invalid, r.sentence, "create_program", args{"name": "B", "weeks": oneDay(r.lift)})
			l.refused(fault.Invalid, r.sentence, "add_program_day", args{"program_id": p.ID, "week": 1, "weekday": 2, "lifts": []args{r.lift}})
			added := args{"program_day_id": day.ID}
			for name, value := range r.lift {
				added[name] = value
			}
			l.refused(fault.Invalid, r.sentence, "add_program_lift", added)
		}
		if n := g.count(t, "SELECT count(*) FROM training_program_lifts"); n != 1 {
			t.Errorf("%d lifts, want 1", n)
		}
	})
}

func TestPlanRefusals(t *testing.T) {
	t.Parallel()
	many := func(n int, one args) []args {
		list := make([]args, n)
		for i := range list {
			list[i] = one
		}
		return list
	}
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		p := l.plan(squat(nil))
		day := p.Weeks[0].Days[0].ID
		lift := p.Weeks[0].Days[0].Lifts[0].ID
		full := answer[tools.Program](l, "create_program", args{"name": "Full", "weeks": []args{
			{"days": many(14, args{"weekday": 1, "lifts": many(30, squat(nil))})}, {"days": many(6, args{"weekday": 1, "lifts": many(30, squat(nil))})},
		}})
		for _, r := range []struct {
			kind     fault.Kind
			sentence string
			tool     string
			in       args
		}{
			{fault.Invalid, "A block needs a name.", "create_program", args{"name": " ", "weeks": []args{}}},
			{fault.Invalid, "A block name is too long; use at most 120 characters.", "create_program", args{"name": strings.Repeat("x", 121), "weeks": []args{}}},
			{fault.Invalid, "Block 1000 is out of range; use 0-999.", "create_program", args{"name": "B", "block": 1000, "weeks": []args{}}},
			{fault.Invalid, "Preferred reps 6 is out of range; use 1-5.", "create_program", args{"name": "B", "preferred_reps": 6, "weeks": []args{}}},
			{fault.Invalid, "Week 53 is out of range; use 1-52.", "create_program", args{"name": "B", "weeks": []args{{"number": 53}}}},
			{fault.Invalid, "Weekday 7 is out of range; use 0 (Sunday) to 6 (Saturday).", "create_program", args{"name": "B", "weeks": []args{{"days": []args{{"weekday": 7}}}}}},
			{fault.Invalid, `Couldn't read "soon" as a date; use 'today' or YYYY-MM-DD.`, "create_program", args{"name": "B", "start_date": "soon", "weeks": []args{}}},
			{fault.Invalid, "Date 1899-12-31 is out of range; use 1900-01-01 to 2031-03-02.", "create_program", args{"name": "B", "start_date": "1899-12-31", "weeks": []args{}}},
			{fault.Invalid, "A focus is too long; use at most 80 characters.", "create_program", args{"name": "B", "weeks": []args{{"days": []args{{"weekday": 1, "focus": strings.Repeat("x", 81)}}}}}},
			{fault.Conflict, "B already has a week 2. Add it at another number, or edit the week that is there.", "create_program", args{"name": "B", "weeks": []args{{"number": 2}, {}}}},
			{fault.Conflict, fmt.Sprintf(`You already have a block named "block OF 1" (id %d). Edit that one, or use a different name.`, p.ID), "create_program", args{"name": "block OF 1", "weeks": []args{}}},
			{fault.Refused, tooBig, "create_program", args{"name": "B", "weeks": many(53, args{})}},
			{fault.Refused, tooBig, "create_program", args{"name": "B", "weeks": []args{{"days": many(15, args{"weekday": 1})}}}},
			{fault.Refused, tooBig, "create_program", args{"name": "B", "weeks": []args{{"days": []args{{"weekday": 1, "lifts": many(31, squat(nil))}}}}}},
			{fault.Refused, tooBig, "create_program", args{"name": "B", "weeks": many(2, args{"days": many(14, args{"weekday": 1, "lifts": many(22, squat(nil))})})}},

			{fault.NotFound, "No program with id 99 on this account.", "add_program_week", args{"program_id": 99}},
			{fault.Invalid, "Week 0 is out of range; use 1-52.", "add_program_week", args{"program_id": p.ID, "number": 0}},
			{fault.Conflict, "Block of 1 already has a week 1. Add it at another number, or edit the week that is there.", "add_program_week", args{"program_id": p.ID, "number": 1}},
			{fault.NotFound, fmt.Sprintf("Program %d has no week 9; it has 1.", p.ID), "add_program_week", args{"program_id": p.ID, "copy_from_week": 9}},
			{fault.Refused, tooBig, "add_program_week", args{"program_id": full.ID, "copy_from_week": 2}},

			{fault.NotFound, "No program with id 99 on this account.", "add_program_day", args{"program_id": 99, "week": 1, "weekday": 1}},
			{fault.NotFound, fmt.Sprintf("Program %d has no week 9; it has 1.", p.ID), "add_program_day", args{"program_id": p.ID, "week": 9, "weekday": 1}},
			{fault.Invalid, "Weekday -1 is out of range; use 0 (Sunday) to 6 (Saturday).", "add_program_day", args{"program_id": p.ID, "week": 1, "weekday": -1}},
			{fault.Refused, tooBig, "add_program_day", args{"program_id": full.ID, "week": 1, "weekday": 1}},
			{fault.Refused, tooBig, "add_program_day", args{"program_id": full.ID, "week": 2, "weekday": 1, "lifts": []args{squat(nil)}}},

			{fault.NotFound, "No program day with id 99 on this account.", "update_program_day", args{"program_day_id": 99, "weekday": 1}},
			{fault.Invalid, "Weekday 8 is out of range; use 0 (Sunday) to 6 (Saturday).", "update_program_day", args{"program_day_id": day, "weekday": 8}},
			{fault.Invalid, noField, "update_program_day", args{"program_day_id": day}},

			{fault.NotFound, "No program day with id 99 on this account.", "add_program_lift", squat(args{"program_day_id": 99})},
			{fault.Invalid, "Position 2 is out of range; use 0-1.", "add_program_lift", squat(args{"program_day_id": day, "position": 2})},
			{fault.Invalid, "Position -1 is out of range; use 0-1.", "add_program_lift", squat(args{"program_day_id": day, "position": -1})},
			{fault.Refused, tooBig, "add_program_lift", squat(args{"program_day_id": full.Weeks[0].Days[0].ID})},

			{fault.NotFound, "No program lift with id 99999 on this account.", "update_program_lift", args{"program_lift_id": 99999, "sets": 3}},
			{fault.Invalid, noField, "update_program_lift", args{"program_lift_id": lift}},
			{fault.Invalid, noZero, "update_program_lift", args{"program_lift_id": lift, "top_weight": 0}},
			{fault.Invalid, "Sets 21 is out of range; use 1-20.", "update_program_lift", args{"program_lift_id": lift, "sets": 21}},
			{fault.Invalid, exactlyOne, "update_program_lift", args{"program_lift_id": lift, "percent_of_max": 75}},
			{fault.Invalid, exactlyOne, "update_program_lift", args{"program_lift_id": lift, "top_weight": nil}},
			{fault.Invalid, noLoad, "update_program_lift", args{"program_lift_id": lift, "is_weighted": false}},
			{fault.Invalid, "A timed lift needs duration_seconds.", "update_program_lift", args{"program_lift_id": lift, "measure": "time"}},
			{fault.Invalid, "Give reps or duration_seconds, not both.", "update_program_lift", args{"program_lift_id": lift, "reps": 5, "duration_seconds": 30}},
			{fault.Invalid, `Measure "x" is not one of reps or time.`, "update_program_lift", args{"program_lift_id": lift, "measure": "x"}},
			{fault.Invalid, "Progression percent reads percent_of_max, so it cannot go with top_weight.", "update_program_lift", args{"program_lift_id": lift, "progression": "percent"}},
			{fault.Invalid, "Progression fixed reads top_weight, so it cannot go with percent_of_max.", "update_program_lift", args{"program_lift_id": lift, "top_weight": nil, "percent_of_max": 75, "progression": "fixed"}},
			{fault.Invalid, "An exercise needs a non-empty name.", "update_program_lift", args{"program_lift_id": lift, "exercise": ""}},
			{fault.Invalid, "Position 1 is out of range; use 0-0.", "update_program_lift", args{"program_lift_id": lift, "position": 1}},
			{fault.NotFound, "No program lift with id 99999 on this account.", "delete_program_lift", args{"program_lift_id": 99999}},
		} {
			l.refused(r.kind, r.sentence, r.tool, r.in)
		}
	})
}

func TestAddProgramWeekCopiesAWeekExactly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		p := l.plan(squat(args{"progression": "strikes", "step_up": 10, "step_down": 20, "is_main": true, "note": "deep"}), args{"exercise": "Plank", "sets": 2, "duration_seconds": 45, "is_weighted": false})
		l.must("update_program_lift", args{"program_lift_id": p.Weeks[0].Days[0].Lifts[0].ID, "top_weight": 165})
		if got, want := l.must("add_program_week", args{"program_id": p.ID, "number": 3}), "Added week 3 to Block of 2, starting 2026-03-16."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		w := answer[tools.Week](l, "add_program_week", args{"program_id": p.ID, "copy_from_week": 1, "is_deload": true})
		if w.Number != 4 || !w.IsDeload || w.StartDate != "2026-03-23" || len(w.Days) != 1 || w.Days[0].Date != "2026-03-23" {
			t.Fatalf("the copy is %+v", w)
		}
		source := answer[tools.Program](l, "get_program", args{"program_id": p.ID}).Weeks[0].Days[0].Lifts
		for i, want := range source {
			got := w.Days[0].Lifts[i]
			want.ID, want.StartsHere = got.ID, false // a copy goes on from what was earned
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("lift %d (-source +copy):\n%s", i, diff)
			}
		}
	})
}

func TestAddProgramDayTellsItsDate(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		in := args{"program_id": program, "week": 2, "weekday": 4, "focus": "Bench", "lifts": []args{squat(nil), squat(nil), squat(nil)}}
		if got, want := l.must("add_program_day", in), "Added Thursday to week 2 of Block 0 (2026-03-12), with 3 lift(s)."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		if d := answer[tools.Day](l, "add_program_day", args{"program_id": program, "week": 2, "weekday": 0}); d.Date != "2026-03-15" || len(d.Lifts) != 0 || d.Focus != nil {
			t.Errorf("an empty Sunday is %+v", d)
		}
	})
}

// scheduled is a generated session of three lifts.
func scheduled(l *lifter) (day tools.Day, workout int64) {
	l.t.Helper()
	p := l.plan(squat(nil), squat(args{"exercise": "Leg Press", "is_barbell": false, "top_weight": 200}), squat(args{"exercise": "Bench Press", "top_weight": 135}))
	workout = l.generate(p.ID, 1).Workouts[0].ID
	return p.Weeks[0].Days[0], workout
}

// rows tells the sets of a session in short, with the ids of those that a plan
// edit must leave alone.
func rows(sets []tools.Set, keep ...string) (order []string, ids map[string][]int64) {
	ids = map[string][]int64{}
	for _, s := range sets {
		if n := len(order); n == 0 || order[n-1] != s.Exercise {
			order = append(order, s.Exercise)
		}
		for _, name := range keep {
			if s.Exercise == name {
				ids[name] = append(ids[name], s.ID)
			}
		}
	}
	return order, ids
}

func TestAnUntrainedSessionFollowsALift(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		day, workout := scheduled(l)
		_, before := rows(l.sets(workout), "Back Squat", "Bench Press")
		press := day.Lifts[1].ID
		got := l.must("update_program_lift", args{"program_lift_id": press, "top_weight": 220, "sets": 5})
		if want := "Leg Press: top weight 200 to 220, sets 3 to 5, starts here false to true. The planned session on Monday was rewritten to match."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		order, after := rows(l.sets(workout), "Back Squat", "Bench Press")
		if diff := cmp.Diff([]string{"Back Squat", "Leg Press", "Bench Press"}, order); diff != "" {
			t.Errorf("the order changed:\n%s", diff)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("other lifts got new rows:\n%s", diff)
		}
		if got, want := written(l.sets(workout), "Leg Press", false), "195x5 200x5 205x5 215x5 220x5"; got != want {
			t.Errorf("the leg press is %s, want %s", got, want)
		}
		again := answer[tools.UpdateProgramLiftOut](l, "update_program_lift", args{"program_lift_id": press, "top_weight": 220})
		if len(again.Changed) != 0 || again.Session != "none" {
			t.Errorf("the same again changed %v and the session was %s", again.Changed, again.Session)
		}
		if got, want := l.must("update_program_lift", args{"program_lift_id": press, "note": "slow"}), "Leg Press: note none to slow."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
	})
}

func TestASessionGainsLosesAndReordersLifts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		day, workout := scheduled(l)
		l.must("create_set", args{"workout_id": workout, "exercise": "Cable Row", "weight": 100, "reps": 10})
		check := func(lifts string, sessions ...string) {
			t.Helper()
			p := answer[tools.Program](l, "get_program", args{"program_id": 1})
			if got := names(p.Weeks[0].Days[0].Lifts); got != lifts {
				t.Errorf("the lifts are %s, want %s", got, lifts)
			}
			order, _ := rows(l.sets(workout))
			if diff := cmp.Diff(sessions, order); diff != "" {
				t.Errorf("the session (-want +got):\n%s", diff)
			}
		}
		got := l.must("add_program_lift", squat(args{"program_day_id": day.ID, "exercise": "Front Squat", "position": 1}))
		if want := "Added Front Squat 3x5 to Monday at position 1. The planned session on Monday was rewritten to match."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		check("0 Back Squat, 1 Front Squat, 2 Leg Press, 3 Bench Press", "Back Squat", "Front Squat", "Leg Press", "Bench Press", "Cable Row")
		l.must("update_program_lift", args{"program_lift_id": day.Lifts[2].ID, "position": 0})
		check("0 Bench Press, 1 Back Squat, 2 Front Squat, 3 Leg Press", "Bench Press", "Back Squat", "Front Squat", "Leg Press", "Cable Row")
		l.must("update_program_lift", args{"program_lift_id": day.Lifts[2].ID, "position": 2})
		check("0 Back Squat, 1 Front Squat, 2 Bench Press, 3 Leg Press", "Back Squat", "Front Squat", "Bench Press", "Leg Press", "Cable Row")
		got = l.must("delete_program_lift", args{"program_lift_id": day.Lifts[0].ID})
		if want := "Removed Back Squat 3x5 from Monday. The planned session on Monday was rewritten to match."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		check("0 Front Squat, 1 Bench Press, 2 Leg Press", "Front Squat", "Bench Press", "Leg Press", "Cable Row")
		l.must("add_program_lift", squat(args{"program_day_id": day.ID, "exercise": "Deadlift"}))
		check("0 Front Squat, 1 Bench Press, 2 Leg Press, 3 Deadlift", "Front Squat", "Bench Press", "Leg Press", "Deadlift", "Cable Row")
	})
}

func TestALiftedSessionIsLeftAlone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		day, workout := scheduled(l)
		l.must("complete_set", args{"set_id": l.sets(workout)[0].ID})
		before := l.sets(workout)
		const alone = " The Monday session has lifted sets in it, so it was left alone."
		for _, edit := range []struct {
			tool string
			in   args
			want string
		}{
			{"update_program_lift", args{"program_lift_id": day.Lifts[0].ID, "sets": 4}, "Back Squat: sets 3 to 4." + alone},
			{"add_program_lift", squat(args{"program_day_id": day.ID}), "Added Back Squat 3x5 to Monday at position 3." + alone},
		} {
			if got := l.must(edit.tool, edit.in); got != edit.want {
				t.Errorf("said %q, want %q", got, edit.want)
			}
		}
		if got := l.must("update_program_day", args{"program_day_id": day.ID, "weekday": 3}); got != "Wednesday of week 1: weekday 1 to 3. The Wednesday session has lifted sets in it, so it was left alone." {
			t.Errorf("said %q", got)
		}
		if diff := cmp.Diff(before, l.sets(workout)); diff != "" {
			t.Errorf("the session changed:\n%s", diff)
		}
		out := answer[tools.DeleteProgramLiftOut](l, "delete_program_lift", args{"program_lift_id": day.Lifts[1].ID})
		after := l.sets(workout)
		if out.Session != "lifted" || len(after) != len(before) {
			t.Errorf("after the removal (%s) there are %d sets, want %d", out.Session, len(after), len(before))
		}
		for _, s := range after {
			if s.Exercise == "Leg Press" && s.ProgramLiftID != nil {
				t.Errorf("set %d still names the removed lift", s.ID)
			}
		}
	})
}

func TestADayMovesItsSession(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		day, workout := scheduled(l)
		before := l.sets(workout)
		got := l.must("update_program_day", args{"program_day_id": day.ID, "weekday": 3})
		if want := "Wednesday of week 1: weekday 1 to 3. The planned session on Wednesday was rewritten to match."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		after := l.sets(workout)
		for i := range before {
			before[i].Date = "2026-03-04"
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("more than the date changed:\n%s", diff)
		}
		out := answer[tools.UpdateProgramDayOut](l, "update_program_day", args{"program_day_id": day.ID, "focus": "Legs", "weekday": 3})
		if out.Session != "none" || *out.Focus != "Legs" || len(out.Changed) != 1 {
			t.Errorf("a new focus: %+v", out)
		}
		if got, want := l.must("update_program_day", args{"program_day_id": day.ID, "focus": nil}), "Wednesday of week 1: focus Legs to none."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		l.must("update_workout", args{"workout_id": workout, "new_date": "2026-03-06"})
		l.must("update_program_lift", args{"program_lift_id": day.Lifts[0].ID, "top_weight": 185})
		if date := l.sets(workout)[0].Date; date != "2026-03-06" {
			t.Errorf("a load edit moved the session to %s", date)
		}
	})
}

func TestALiftChangesItsKind(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		lift := l.plan(squat(args{"progression": "strikes"})).Weeks[0].Days[0].Lifts[0].ID
		change := func(in args) tools.UpdateProgramLiftOut {
			t.Helper()
			in["program_lift_id"] = lift
			return answer[tools.UpdateProgramLiftOut](l, "update_program_lift", in)
		}
		if out := change(args{"top_weight": nil, "percent_of_max": 75}); *out.Progression != "percent" || out.StartsHere {
			t.Errorf("a percentage: %+v", out.Lift)
		}
		if out := change(args{"top_weight": 165, "percent_of_max": nil}); *out.Progression != "linear" || !out.StartsHere {
			t.Errorf("pounds again: %+v", out.Lift)
		}
		if out := change(args{"top_weight": 170, "starts_here": false}); out.StartsHere {
			t.Errorf("starts_here was sent as false: %+v", out.Lift)
		}
		if out := change(args{"progression": "fixed", "top_weight": 175}); out.StartsHere {
			t.Errorf("a held load has no start: %+v", out.Lift)
		}
		if out := change(args{"exercise": "Leg Press"}); out.IsBarbell || out.Exercise != "Leg Press" {
			t.Errorf("another movement: %+v", out.Lift)
		}
		if out := change(args{"exercise": "Back Squat", "is_barbell": false}); out.IsBarbell {
			t.Errorf("another movement with a flag: %+v", out.Lift)
		}
		if out := change(args{"is_weighted": false, "top_weight": nil, "duration_seconds": 60}); out.Measure != "time" || out.Reps != nil || out.Progression != nil {
			t.Errorf("held without load: %+v", out.Lift)
		}
	})
}

// A percentage without an estimate cannot be worked out, so the edit that would
// rewrite a session with it is refused whole.
func TestAnEditThatCannotBeGeneratedIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		day, workout := scheduled(l)
		before := l.sets(workout)
		l.refused(fault.Refused, "No estimated max for Back Squat yet, so 75% of it cannot be worked out. Log a completed set of 1 to 5 reps first.",
			"update_program_lift", args{"program_lift_id": day.Lifts[0].ID, "top_weight": nil, "percent_of_max": 75})
		if diff := cmp.Diff(before, l.sets(workout)); diff != "" {
			t.Errorf("the session changed:\n%s", diff)
		}
	})
}
