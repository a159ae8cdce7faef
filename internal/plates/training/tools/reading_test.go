package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

// log writes one completed set.
func (l *lifter) log(date, exercise string, weight, reps int, more args) int64 {
	l.t.Helper()
	in := args{"date": date, "exercise": exercise, "weight": weight, "reps": reps, "is_completed": true}
	for name, value := range more {
		in[name] = value
	}
	return answer[tools.CreateSetOut](l, "create_set", in).ID
}

func TestExerciseHistoryTellsTheLift(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		l.log("2026-02-16", "Back Squat", 145, 5, nil)
		l.log("2026-02-23", "Back Squat", 95, 5, args{"is_warmup": true})
		best := l.log("2026-02-23", "Back Squat", 155, 5, args{"rpe": 8})
		l.log("2026-03-02", "Back Squat", 165, 8, nil)
		l.log("2026-03-02", "Back Squat", 185, 5, args{"is_completed": false})
		got := strings.Split(l.must("exercise_history", args{"exercise": "back squat"}), "\n")
		want := []string{
			"Back Squat: 3 set(s), heaviest 165, estimated max 191 (155x5 at RPE 8 on 2026-02-23).",
			"  2026-03-02 Back Squat 165x8 done", "  2026-02-23 Back Squat 155x5 done RPE 8", "  2026-02-16 Back Squat 145x5 done",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
		out := answer[tools.ExerciseHistoryOut](l, "exercise_history", args{"exercise": "Back Squat", "include_planned": true, "include_warmups": true, "limit": 2})
		if out.Total != 5 || out.Shown != 2 || out.Withheld != 3 || *out.Heaviest != 165 || out.Basis.SetID != best || *out.Estimated != 191 {
			t.Errorf("everything: %+v", out)
		}
		early := answer[tools.ExerciseHistoryOut](l, "exercise_history", args{"exercise": "Back Squat", "to": "2026-02-20"})
		if early.Total != 1 || *early.Estimated != 179 || early.Basis.Date != "2026-02-16" {
			t.Errorf("up to a day: %+v", early)
		}
		none := l.must("exercise_history", args{"exercise": "Deadlift"})
		if none != "Deadlift: 0 set(s), estimated max not yet readable: it needs a completed set of 1 to 5 reps." {
			t.Errorf("nothing lifted: %q", none)
		}
		if n := g.count(t, "SELECT count(*) FROM training_exercises WHERE workspace_id IS NOT NULL"); n != 0 {
			t.Errorf("%d movements were made", n)
		}
	})
}

func TestReadingRefusals(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		l.must("create_exercise", args{"name": "Plank", "default_is_weighted": false})
		for _, r := range []struct {
			kind     fault.Kind
			sentence string
			tool     string
			in       args
		}{
			{fault.NotFound, `No exercise named "Leg Day" for this account.`, "exercise_history", args{"exercise": "Leg Day"}},
			{fault.NotFound, `No exercise named "Zercher" for this account. Close: Zercher Squat.`, "exercise_history", args{"exercise": "Zercher"}},
			{fault.Invalid, "Limit 201 is out of range; use 1-200.", "exercise_history", args{"exercise": "Deadlift", "limit": 201}},
			{fault.Invalid, `Couldn't read "soon" as a date; use 'today' or YYYY-MM-DD.`, "exercise_history", args{"exercise": "Deadlift", "from": "soon"}},
			{fault.Invalid, "From 2026-03-02 is after to 2026-03-01.", "exercise_history", args{"exercise": "Deadlift", "from": "today", "to": "2026-03-01"}},

			{fault.Invalid, "A goal needs target_weight, or clear true to remove it.", "set_goal", args{"exercise": "Deadlift"}},
			{fault.Invalid, "Target weight 2001 is out of range; use 1-2000 lb.", "set_goal", args{"exercise": "Deadlift", "target_weight": 2001}},
			{fault.Invalid, "Target reps 0 is out of range; use 1-100.", "set_goal", args{"exercise": "Deadlift", "target_weight": 200, "target_reps": 0}},
			{fault.Invalid, `Couldn't read "soon" as a date; use 'today' or YYYY-MM-DD.`, "set_goal", args{"exercise": "Deadlift", "target_weight": 200, "target_date": "soon"}},
			{fault.Invalid, "Target date 2026-03-01 is in the past; use today or later.", "set_goal", args{"exercise": "Deadlift", "target_weight": 200, "target_date": "2026-03-01"}},
			{fault.Invalid, "A note is too long; use at most 500 characters.", "set_goal", args{"exercise": "Deadlift", "target_weight": 200, "note": strings.Repeat("x", 501)}},
			{fault.NotFound, "No program with id 9 on this account.", "set_goal", args{"exercise": "Deadlift", "target_weight": 200, "program_id": 9}},
			{fault.NotFound, `No exercise named "Fly" for this account.`, "set_goal", args{"exercise": "Fly", "target_weight": 200}},
			{fault.NotFound, "No goal is set for Deadlift.", "set_goal", args{"exercise": "Deadlift", "clear": true}},
			{fault.Refused, "Plank carries no external load, so there is no weight to aim at.", "set_goal", args{"exercise": "Plank", "target_weight": 45}},

			{fault.Refused, "No blocks have been written yet.", "block_progress", args{}},
			{fault.NotFound, "No program with id 9 on this account.", "block_progress", args{"program_id": 9}},
			{fault.NotFound, `No exercise named "Fly" for this account.`, "block_progress", args{"exercise": "Fly"}},
			{fault.NotFound, `No object with id "workout:9".`, "fetch", args{"id": "workout:9"}},
			{fault.NotFound, `No object with id "workout:01".`, "fetch", args{"id": "workout:01"}},
			{fault.NotFound, `No object with id "set:1".`, "fetch", args{"id": "set:1"}},
			{fault.NotFound, `No object with id "".`, "fetch", args{"id": ""}},
		} {
			l.refused(r.kind, r.sentence, r.tool, r.in)
		}
		for n := range 6 {
			l.must("create_program", args{"name": fmt.Sprint("Block ", n), "start_date": fmt.Sprintf("2027-0%d-01", n+1), "weeks": []args{{}}})
		}
		l.refused(fault.Refused, "No block covers today. Name one with program_id: Block 5 (id 6), Block 4 (id 5), Block 3 (id 4), Block 2 (id 3), Block 1 (id 2).", "block_progress", args{})
	})
}

func TestSetGoalKeepsTheOneBefore(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		l.log("2026-02-23", "Back Squat", 155, 5, args{"rpe": 8})
		l.log("2026-02-23", "Back Squat", 165, 1, nil)
		first := args{"exercise": "Back Squat", "target_weight": 225, "target_date": "2026-06-01"}
		const stands = "Goal for Back Squat: 225x1 by 2026-06-01. Estimated max now 191 (155x5 at RPE 8 on 2026-02-23); heaviest set of 1 or more reps 165."
		if got := l.must("set_goal", first); got != stands {
			t.Errorf("said %q, want %q", got, stands)
		}
		if got := l.must("set_goal", first); got != stands+" That was already the goal." {
			t.Errorf("again: %q", got)
		}
		out := answer[tools.SetGoalOut](l, "set_goal", args{"exercise": "Back Squat", "target_weight": 155, "target_reps": 3, "note": "clean"})
		if out.Replaced == nil || out.Replaced.TargetWeight != 225 || !out.Reached || *out.ReachedOn != "2026-02-23" || out.BestSet.Weight != 155 || *out.Goal.Note != "clean" {
			t.Errorf("the next goal: %+v", out)
		}
		if h := answer[tools.ExerciseHistoryOut](l, "exercise_history", args{"exercise": "Back Squat"}); h.Goal == nil || h.Goal.ID != out.Goal.ID {
			t.Errorf("the history tells the goal %+v", h.Goal)
		}
		program := l.block()
		inBlock := answer[tools.SetGoalOut](l, "set_goal", args{"exercise": "Back Squat", "target_weight": 180, "program_id": program})
		if inBlock.Replaced != nil || *inBlock.Goal.ProgramID != program {
			t.Errorf("a goal of a block: %+v", inBlock)
		}
		if got, want := l.must("set_goal", args{"exercise": "Back Squat", "clear": true}), "Removed the goal for Back Squat: 155x3."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		if n := g.count(t, "SELECT count(*) FROM training_goals"); n != 3 {
			t.Errorf("%d goals are kept, want 3", n)
		}
		if n := g.count(t, "SELECT count(*) FROM training_goals WHERE superseded_at IS NULL"); n != 1 {
			t.Errorf("%d goals are active, want that of the block", n)
		}
	})
}

func TestBlockProgressReportsNumbers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		for week, outcome := range []string{"met", "short", ""} {
			l.train(l.generate(program, week+1).Workouts[0].ID, outcome)
			if week < 2 {
				g.wait(7 * 24 * time.Hour)
			}
		}
		l.must("set_goal", args{"exercise": "Back Squat", "target_weight": 225})
		got := strings.Split(l.must("block_progress", args{"exercise": "Back Squat"}), "\n")
		want := []string{
			"Block 0, week 3 of 4: 2 performed, 0 skipped, 2 still planned.",
			"  Back Squat: w1 165x3 met, w2 170x3 short, w3 160x3 not trained yet; estimated max 191 to 192.",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
		out := answer[tools.BlockProgressOut](l, "block_progress", args{"program_id": program})
		if len(out.Weeks) != 4 || len(out.Lifts) != 5 || out.Weeks[3].Sessions.NotGenerated != 1 || !out.Weeks[3].IsDeload || out.Weeks[0].Sets != 16 || out.Weeks[2].Sets != 0 {
			t.Errorf("the block: %+v", out)
		}
		squat := out.Lifts[0]
		if squat.Goal == nil || *squat.PlannedTopChange != -5 || *squat.EstimatedChange != 1 || *squat.Progression != "linear" {
			t.Errorf("the squat: %+v", squat)
		}
		second, third, fourth := squat.Weeks[1], squat.Weeks[2], squat.Weeks[3]
		if *second.LiftedTop != 170 || *second.LiftedReps != 2 || second.Outcome != "short" {
			t.Errorf("week 2: %+v", second)
		}
		if third.LiftedTop != nil || third.Outcome != "untrained" || *third.Estimated != 192 {
			t.Errorf("week 3: %+v", third)
		}
		if fourth.Outcome != "not_generated" || fourth.PlannedTop != nil || fourth.Estimated != nil {
			t.Errorf("week 4: %+v", fourth)
		}
		g.wait(7 * 24 * time.Hour)
		if out := answer[tools.BlockProgressOut](l, "block_progress", args{}); out.Weeks[2].Sessions.Skipped != 1 {
			t.Errorf("a week later week 3 is %+v", out.Weeks[2].Sessions)
		}
	})
}

func TestSearchAndFetch(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		workout := l.generate(program, 1).Workouts[0].ID
		l.must("create_exercise", args{"name": "100%_raw"})
		find := func(query string) (ids []string) {
			for _, r := range answer[tools.SearchOut](l, "search", args{"query": query}).Results {
				ids = append(ids, r.ID+" "+r.Title+" "+r.URL)
			}
			return ids
		}
		own := fmt.Sprintf("?w=%d", l.who.Workspace)
		for query, want := range map[string][]string{
			"zercher": {find("Zercher Squat")[0]},
			"2026-03": {fmt.Sprintf("workout:%d Workout on 2026-03-02 https://gym.example/workouts/%d%s", workout, workout, own)},
			"BLOCK 0": {fmt.Sprintf("program:%d Block 0 https://gym.example/programs/%d%s", program, program, own)},
			"%_":      {find("100%_raw")[0]},
			"_______": nil,
		} {
			if diff := cmp.Diff(want, find(query)); diff != "" {
				t.Errorf("search %q (-want +got):\n%s", query, diff)
			}
		}
		if n := len(find("s")); n != 20 {
			t.Errorf("%d movements were found, want the first 20", n)
		}
		for handle, check := range map[string]struct{ tool, same string }{
			fmt.Sprintf("workout:%d", workout): {"get_workout", `{"workout_id":` + fmt.Sprint(workout) + `}`},
			fmt.Sprintf("program:%d", program): {"get_program", `{"program_id":` + fmt.Sprint(program) + `}`},
		} {
			out := answer[tools.FetchOut](l, "fetch", args{"id": handle})
			var in args
			if err := json.Unmarshal([]byte(check.same), &in); err != nil {
				t.Fatal(err)
			}
			direct, err := l.call(check.tool, in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(direct.Text, out.Text); diff != "" {
				t.Errorf("%s reads otherwise than %s:\n%s", handle, check.tool, diff)
			}
			if diff := cmp.Diff(decode[map[string]any](t, direct), out.Metadata); diff != "" {
				t.Errorf("%s holds something else than %s:\n%s", handle, check.tool, diff)
			}
		}
		l.log("2026-02-23", "Back Squat", 155, 5, nil)
		id, _, _ := strings.Cut(find("Back Squat")[0], " ")
		out := answer[tools.FetchOut](l, "fetch", args{"id": id})
		if out.Title != "Back Squat" || out.Metadata["estimated_1rm"] != 191.0 || !strings.HasPrefix(out.Text, "Back Squat: 1 set(s), heaviest 155") {
			t.Errorf("a movement: %+v", out)
		}
		other := g.lifter(t, "b@example.com")
		other.refused(fault.NotFound, fmt.Sprintf(`No object with id "workout:%d".`, workout), "fetch", args{"id": fmt.Sprintf("workout:%d", workout)})
	})
}
