package tools_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

func TestCreateWorkoutOpensOnePerDate(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		first := answer[tools.CreateWorkoutOut](l, "create_workout", args{"date": "today"})
		again := answer[tools.CreateWorkoutOut](l, "create_workout", args{"date": "2026-03-02"})
		if !first.Created || again.Created || again.ID != first.ID || first.Status != "performed" {
			t.Errorf("first %+v, again %+v", first, again)
		}
		if got, want := l.must("create_workout", args{"date": "2026-03-02"}), fmt.Sprintf("Workout on 2026-03-02 is ready (id %d).", first.ID); got != want {
			t.Errorf("said %q, want %q", got, want)
		}
	})
}

func TestUpdateWorkout(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		lifted := l.logged(args{"exercise": "Back Squat", "weight": 155, "reps": 5, "is_completed": true}).WorkoutID
		other := answer[tools.CreateWorkoutOut](l, "create_workout", args{"date": "2026-03-03"}).ID
		tool := "update_workout"
		l.refused(fault.Refused,
			fmt.Sprintf("Workout %d has lifted sets, so moving it rewrites training history. Send confirm true if the user asked to move it.", lifted),
			tool, args{"workout_id": lifted, "new_date": "2026-03-03"})
		got := l.must(tool, args{"workout_id": lifted, "new_date": "2026-03-03", "notes": "late", "confirm": true})
		want := fmt.Sprintf("Workout %d: date 2026-03-02 to 2026-03-03, notes none to late. That day also has workout %d.", lifted, other)
		if got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		l.refused(fault.Invalid, "Nothing to change: send at least one field.", tool, args{"workout_id": lifted})
		l.refused(fault.NotFound, "No workout on 2026-03-02 for this account.", tool, args{"notes": "x"})
		l.refused(fault.NotFound, "No workout with id 999 on this account.", tool, args{"workout_id": 999, "notes": "x"})
		l.refused(fault.Invalid, "Date 2031-03-03 is out of range; use 1900-01-01 to 2031-03-02.", tool, args{"workout_id": other, "new_date": "2031-03-03"})
	})
}

func TestRateWorkoutNeverOpensOne(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		l.refused(fault.NotFound, "No workout on 2026-03-02 to rate.", "rate_workout", args{"rpe": 8})
		l.must("create_workout", args{"date": "today"})
		l.must("rate_workout", args{"rpe": 7})
		if got := l.must("rate_workout", args{"rpe": 8}); got != "Session on 2026-03-02: rpe 7 to 8." {
			t.Errorf("said %q", got)
		}
		l.refused(fault.Invalid, "RPE 0 is out of range; use 1-10.", "rate_workout", args{"rpe": 0})
	})
}

// A workout of every status, and the calendar turned around them.
func TestListWorkoutsByStatus(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := answer[tools.SeedProgramOut](l, "seed_program", args{"start": "2026-02-16"}).ID
		missed := l.generate(program, 1).Workouts[0].ID  // 2026-02-16
		trained := l.generate(program, 2).Workouts[0].ID // 2026-02-23
		l.must("complete_set", args{"set_id": l.sets(trained)[0].ID})
		planned := l.generate(program, 3).Workouts[0].ID // today
		empty := answer[tools.CreateWorkoutOut](l, "create_workout", args{"date": "2026-02-20"}).ID
		ahead := answer[tools.CreateWorkoutOut](l, "create_workout", args{"date": "2026-03-09"}).ID
		for status, want := range map[string][]int64{
			"performed": {trained, empty}, "planned": {ahead, planned}, "skipped": {missed},
		} {
			out := answer[tools.ListWorkoutsOut](l, "list_workouts", args{"status": status})
			var got []int64
			for _, w := range out.Workouts {
				got = append(got, w.ID)
				if w.Status != status {
					t.Errorf("workout %d is %s in the list of %s", w.ID, w.Status, status)
				}
			}
			if diff := cmp.Diff(want, got); diff != "" || out.Total != int64(len(want)) {
				t.Errorf("%s, total %d: %s", status, out.Total, diff)
			}
		}
		want := fmt.Sprintf("Showing 1 of 2 workout(s), most recent first; 1 not shown. Narrow with from/to or raise limit.\n  2026-02-20 performed, 0 sets, 0 done (id %d)", empty)
		if got := l.must("list_workouts", args{"from": "2026-02-16", "to": "2026-02-20", "limit": 1}); got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		l.refused(fault.Invalid, "From 2026-03-02 is after to 2026-03-01.", "list_workouts", args{"from": "today", "to": "2026-03-01"})
	})
}

func TestGetWorkoutNamesTheOthersOfTheDay(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		logged := l.logged(args{"exercise": "Deadlift", "weight": 225, "reps": 5, "is_completed": true, "rpe": 8}).WorkoutID
		session := l.generate(l.block(), 1).Workouts[0].ID
		want := fmt.Sprintf("2026-03-02: 1 set(s), 1 completed, performed.\n  Deadlift 225x5 done RPE 8\nThat day also has workout %d.", session)
		if got := l.must("get_workout", args{}); got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		l.refused(fault.NotFound, "No workout on 2026-03-01 for this account.", "get_workout", args{"date": "2026-03-01"})
		g.lifter(t, "b@example.com").refused(fault.NotFound, fmt.Sprintf("No workout with id %d on this account.", logged), "get_workout", args{"workout_id": logged})
	})
}

func TestDeleteWorkoutAsksBeforeItRemovesTraining(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		workout := l.logged(args{"exercise": "Deadlift", "weight": 225, "reps": 5, "is_completed": true}).WorkoutID
		l.refused(fault.Refused, "This workout has lifted sets. Confirm to delete it.", "delete_workout", args{"workout_id": workout})
		l.must("delete_workout", args{"workout_id": workout, "confirm": true})
		l.refused(fault.NotFound, fmt.Sprintf("No workout with id %d on this account.", workout), "delete_workout", args{"workout_id": workout, "confirm": true})
		if n := g.count(t, "SELECT count(*) FROM training_sets WHERE workspace_id = $1", l.who.Workspace); n != 0 {
			t.Errorf("%d sets are left", n)
		}
	})
}

func TestRepeatWorkoutPlansWhatWasLifted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		old := l.logged(args{"exercise": "Deadlift", "weight": 225, "reps": 5, "rpe": 8, "is_completed": true, "date": "2026-02-23"}).WorkoutID
		l.logged(args{"exercise": "Plank", "duration_seconds": 60, "weight": 0, "workout_id": old})
		l.must("create_workout", args{"date": "today"})
		l.must("repeat_workout", args{"workout_id": old})
		const written = "SELECT count(*) FROM training_sets AS s JOIN training_workouts AS w ON w.id = s.workout_id " +
			"WHERE s.workspace_id = $1 AND w.date = '2026-03-02' AND NOT s.is_completed AND s.rpe IS NULL AND " +
			"(s.weight = 225 AND s.planned_weight = 225 AND s.planned_reps = 5 OR s.weight IS NULL AND s.planned_duration_seconds = 60)"
		if n := g.count(t, written, l.who.Workspace); n != 2 {
			t.Errorf("%d sets are written as they were lifted, want 2", n)
		}
		const days = "SELECT count(*) FROM training_workouts WHERE workspace_id = $1 AND date = '2026-03-02'"
		if n := g.count(t, days, l.who.Workspace); n != 1 {
			t.Errorf("%d workouts on the day, want the empty one to be used", n)
		}
		l.must("repeat_workout", args{"workout_id": old, "date": "2026-03-02"})
		if n := g.count(t, days, l.who.Workspace); n != 2 {
			t.Errorf("%d workouts on the day, want another one beside the written one", n)
		}
		l.must("create_workout", args{"date": "2026-02-01"})
		empty := g.count(t, "SELECT id FROM training_workouts WHERE workspace_id = $1 AND date = '2026-02-01'", l.who.Workspace)
		l.refused(fault.Refused, "The workout of 2026-02-01 has no sets to repeat.", "repeat_workout", args{"workout_id": empty})
		other := g.lifter(t, "b@example.com")
		other.refused(fault.NotFound, fmt.Sprintf("No workout with id %d on this account.", old), "repeat_workout", args{"workout_id": old})
	})
}
