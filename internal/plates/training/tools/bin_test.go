package tools_test

import (
	"testing"
	"time"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/tools"
)

// bins returns the newest entry of the bin.
func (g *gym) bins(t *testing.T) int64 {
	t.Helper()
	return int64(g.count(t, "SELECT max(id) FROM training_bin"))
}

func TestADeletedSetComesBackAsItWas(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		l.logged(args{"exercise": "Back Squat", "weight": 155, "reps": 3, "is_completed": true})
		second := l.logged(args{"exercise": "Back Squat", "weight": 160, "reps": 3, "is_completed": true, "rpe": 8})
		before := l.must("get_workout", args{"workout_id": second.WorkoutID})
		l.must("delete_set", args{"set_id": second.ID, "confirm": true})
		if n := g.count(t, "SELECT count(*) FROM training_sets"); n != 1 {
			t.Fatalf("%d sets are left of two", n)
		}
		taken := l.logged(args{"exercise": "Back Squat", "weight": 165, "reps": 3, "is_completed": true}) // takes its place
		stranger := g.lifter(t, "b@example.com")
		entry := g.bins(t)
		stranger.refused(fault.NotFound, "There is no entry 1 in the bin. What was deleted is kept for 30 days.", "restore_from_bin", args{"bin_id": entry})
		out := answer[tools.RestoreFromBinOut](l, "restore_from_bin", args{"bin_id": entry})
		if out.Kind != store.BinnedSet || len(out.SetIDs) != 1 || out.SetIDs[0] != second.ID {
			t.Errorf("restored %+v", out)
		}
		if a, b := g.count(t, "SELECT position FROM training_sets WHERE id = $1", second.ID), g.count(t, "SELECT position FROM training_sets WHERE id = $1", taken.ID); a != 2 || b != 3 {
			t.Errorf("the restored set is at %d and the one that had its place at %d", a, b)
		}
		l.must("delete_set", args{"set_id": taken.ID, "confirm": true})
		if after := l.must("get_workout", args{"workout_id": second.WorkoutID}); after != before {
			t.Errorf("the workout is\n%s\nand was\n%s", after, before)
		}
		l.refused(fault.NotFound, "There is no entry 1 in the bin. What was deleted is kept for 30 days.", "restore_from_bin", args{"bin_id": entry})
	})
}

func TestADeletedWorkoutComesBackUnlessItsDayWasWrittenAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		p := l.plan(squat(nil))
		l.must("generate_program_week", args{"program_id": p.ID, "week": 1})
		workout := g.count(t, "SELECT id FROM training_workouts")
		sets := g.count(t, "SELECT count(*) FROM training_sets")
		before := l.must("get_workout", args{"workout_id": workout})
		l.must("delete_workout", args{"workout_id": workout})
		l.must("generate_program_week", args{"program_id": p.ID, "week": 1})
		entry := g.bins(t)
		if _, err := l.call("restore_from_bin", args{"bin_id": entry}); err == nil {
			t.Fatal("a second session of one day was restored")
		}
		l.must("delete_workout", args{"workout_id": g.count(t, "SELECT max(id) FROM training_workouts")})
		l.must("restore_from_bin", args{"bin_id": entry})
		if n := g.count(t, "SELECT count(*) FROM training_sets"); n != sets {
			t.Errorf("%d sets came back of %d", n, sets)
		}
		if after := l.must("get_workout", args{"workout_id": workout}); after != before {
			t.Errorf("the workout is\n%s\nand was\n%s", after, before)
		}
	})
}

func TestASetOfADeletedWorkoutWaitsForIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		s := l.logged(args{"exercise": "Back Squat", "weight": 155, "reps": 3})
		l.must("delete_set", args{"set_id": s.ID})
		set := g.bins(t)
		l.must("delete_workout", args{"workout_id": s.WorkoutID})
		l.refused(fault.Conflict, "The workout that this set belongs to is not there any more. Restore the workout first, if it is in the bin.", "restore_from_bin", args{"bin_id": set})
		l.must("restore_from_bin", args{"bin_id": g.bins(t)})
		l.must("restore_from_bin", args{"bin_id": set})
	})
}

func TestTheBinIsEmptiedAfterThirtyDays(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		s := l.logged(args{"exercise": "Back Squat", "weight": 155, "reps": 3})
		l.must("delete_set", args{"set_id": s.ID})
		g.wait(29 * 24 * time.Hour)
		if n, err := store.EmptyBin(t.Context(), g.db); n != 0 || err != nil {
			t.Errorf("after 29 days %d entries went, %v", n, err)
		}
		g.wait(2 * 24 * time.Hour)
		if n, err := store.EmptyBin(t.Context(), g.db); n != 1 || err != nil {
			t.Errorf("after 31 days %d entries went, %v", n, err)
		}
	})
}
