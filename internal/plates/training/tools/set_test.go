package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

// logged logs a set of today and returns it.
func (l *lifter) logged(in args) tools.CreateSetOut {
	l.t.Helper()
	return answer[tools.CreateSetOut](l, "create_set", in)
}

func TestCreateSet(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com").client("Claude")
		first := l.logged(args{"exercise": "back squat", "weight": 155, "reps": 5, "rpe": 8, "is_completed": true})
		if first.Exercise != "Back Squat" || first.Date != "2026-03-02" || first.Position != 1 || !first.IsBarbell || !first.IsCompleted ||
			first.PerSidePlates == nil || *first.PerSidePlates != "1×45 1×10" || first.PlannedWeight != nil || *first.CreatedBy != "Claude" {
			t.Errorf("logged %+v", first)
		}
		second := l.logged(args{"exercise": "Plank Hold", "weight": 0, "duration_seconds": 60})
		if second.WorkoutID != first.WorkoutID || second.Position != 2 || second.Weight != nil || second.Measure != "time" || second.IsCompleted {
			t.Errorf("logged %+v", second)
		}
		want := fmt.Sprintf("Logged x8 per side of Bulgarian Split Squat on 2026-03-02 (id %d). Made a new exercise \"Bulgarian Split Squat\".", second.ID+1)
		if got := l.must("create_set", args{"exercise": "Bulgarian Split Squat", "reps": 8}); got != want {
			t.Errorf("said %q, want %q", got, want)
		}
	})
}

func TestCreateSetRefusals(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		foreign := g.lifter(t, "b@example.com").logged(args{"exercise": "Deadlift", "weight": 225, "reps": 5}).WorkoutID
		for _, c := range []struct {
			kind     fault.Kind
			sentence string
			in       args
		}{
			{fault.Invalid, "Weight 2001 is out of range; use 0-2000 lb.", args{"weight": 2001, "reps": 5}},
			{fault.Invalid, "Weight -5 is out of range; use 0-2000 lb.", args{"weight": -5, "reps": 5}},
			{fault.Invalid, "Reps 101 is out of range; use 1-100.", args{"reps": 101}},
			{fault.Invalid, "Duration 3601 is out of range; use 1-3600 seconds.", args{"duration_seconds": 3601}},
			{fault.Invalid, "RPE 11 is out of range; use 1-10.", args{"reps": 5, "rpe": 11}},
			{fault.Invalid, "A set counted in reps needs reps.", args{"weight": 100}},
			{fault.Invalid, "Give reps or duration_seconds, not both.", args{"reps": 5, "duration_seconds": 30}},
			{fault.Invalid, `Couldn't read "2026-02-30" as a date; use 'today' or YYYY-MM-DD.`, args{"reps": 5, "date": "2026-02-30"}},
			{fault.Invalid, "Date 1899-12-31 is out of range; use 1900-01-01 to 2031-03-02.", args{"reps": 5, "date": "1899-12-31"}},
			{fault.Invalid, "An exercise needs a non-empty name.", args{"exercise": " ", "reps": 5}},
			{fault.NotFound, "No workout with id 999 on this account.", args{"reps": 5, "workout_id": 999}},
			{fault.NotFound, fmt.Sprintf("No workout with id %d on this account.", foreign), args{"reps": 5, "workout_id": foreign}},
		} {
			if c.in["exercise"] == nil {
				c.in["exercise"] = "Never Seen"
			}
			l.refused(c.kind, c.sentence, "create_set", c.in)
		}
		if n := g.count(t, "SELECT count(*) FROM training_exercises WHERE workspace_id = $1", l.who.Workspace); n != 0 {
			t.Errorf("refused sets left %d movements", n)
		}
	})
}

func TestCompleteSetKeepsThePlan(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		workout := l.generate(l.block(), 1).Workouts[0].ID
		top := l.sets(workout)[7]
		if *top.Weight != 165 {
			t.Fatalf("the top set is %d lb", *top.Weight)
		}
		got := l.must("complete_set", args{"set_id": top.ID, "weight": 155})
		if want := "Back Squat 155x3: is completed false to true, weight 165 to 155."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		again := answer[tools.ChangedSetOut](l, "complete_set", args{"set_id": top.ID, "weight": 155})
		if len(again.Changed) != 0 || *again.PlannedWeight != 165 || *again.PlannedReps != 3 {
			t.Errorf("the second time: %+v", again)
		}
		undone := answer[tools.ChangedSetOut](l, "complete_set", args{"set_id": top.ID, "completed": false})
		if diff := cmp.Diff(contract.Changed{"is_completed": {From: true, To: false}}, undone.Changed); diff != "" {
			t.Errorf("undo: %s", diff)
		}
		if *undone.Weight != 155 {
			t.Errorf("undo changed the weight to %d", *undone.Weight)
		}
		l.refused(fault.Invalid, "A set counted in reps needs reps.", "complete_set", args{"set_id": top.ID, "duration_seconds": 30})
		missing := fmt.Sprintf("No set with id %d on this account.", top.ID)
		g.lifter(t, "b@example.com").refused(fault.NotFound, missing, "complete_set", args{"set_id": top.ID})
	})
}

func TestUpdateSet(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		set := l.logged(args{"exercise": "Back Squat", "weight": 155, "reps": 5, "rpe": 8, "note": "slow"}).ID
		for _, c := range []struct {
			name string
			in   args
			want string
		}{
			{"a zero is no load", args{"weight": 0}, "Back Squat x5: weight 155 to none."},
			{"null clears", args{"rpe": nil, "note": nil}, "Back Squat x5: rpe 8 to none, note slow to none."},
			{"the other quantity changes the measure", args{"duration_seconds": 45}, "Back Squat 45s: reps 5 to none, duration seconds none to 45, measure reps to time."},
			{"a movement brings its barbell flag", args{"exercise": "Plank"}, "Plank 45s: exercise Back Squat to Plank, is barbell true to false. Made a new exercise \"Plank\"."},
			{"the same value is no change", args{"is_warmup": false}, "Plank 45s: nothing to change."},
		} {
			c.in["set_id"] = set
			if got := l.must("update_set", c.in); got != c.want {
				t.Errorf("%s: said %q, want %q", c.name, got, c.want)
			}
		}
		l.refused(fault.Invalid, "Nothing to change: send at least one field.", "update_set", args{"set_id": set})
		l.refused(fault.Invalid, "A note is too long; use at most 2000 characters.", "update_set", args{"set_id": set, "note": strings.Repeat("x", 2001)})
		l.refused(fault.NotFound, "No set with id 999 on this account.", "update_set", args{"set_id": 999, "reps": 5})
	})
}

func TestDeleteSetAsksBeforeItRemovesTraining(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		open := l.logged(args{"exercise": "Back Squat", "weight": 155, "reps": 3}).ID
		lifted := l.logged(args{"exercise": "Back Squat", "weight": 160, "reps": 3, "is_completed": true}).ID
		if got := l.must("delete_set", args{"set_id": open}); got != "Deleted Back Squat 155x3 from 2026-03-02. It is kept in the bin for 30 days." {
			t.Errorf("said %q", got)
		}
		l.refused(fault.NotFound, fmt.Sprintf("No set with id %d on this account.", open), "delete_set", args{"set_id": open})
		sentence := fmt.Sprintf("Set %d is marked as lifted, so deleting it removes training that happened. Send confirm true if the user asked to remove it.", lifted)
		l.refused(fault.Refused, sentence, "delete_set", args{"set_id": lifted})
		removed := answer[tools.DeleteSetOut](l, "delete_set", args{"set_id": lifted, "confirm": true}).Removed
		if removed.ID != lifted || *removed.Weight != 160 {
			t.Errorf("removed %+v", removed)
		}
	})
}

func TestTheReasonOfALiftOutlivesItsFirstSet(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := answer[tools.SeedProgramOut](l, "seed_program", args{"start": "2026-03-02"}).ID
		week := args{"program_id": program, "week": 1}
		before := answer[tools.GenerateProgramWeekOut](l, "generate_program_week", week)
		session := answer[tools.GetWorkoutOut](l, "get_workout", args{"workout_id": before.Workouts[0].ID})
		for _, s := range session.SetList {
			if s.PlanReason != nil {
				l.must("delete_set", args{"set_id": s.ID})
				break
			}
		}
		after := answer[tools.GenerateProgramWeekOut](l, "generate_program_week", week)
		if len(after.Lifts) != len(before.Lifts) || after.Lifts[0].Reason != before.Lifts[0].Reason {
			t.Errorf("-want +got\n%s", cmp.Diff(before.Lifts, after.Lifts))
		}
	})
}
