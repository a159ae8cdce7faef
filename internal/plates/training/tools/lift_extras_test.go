package tools_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

func TestSetLiftExtras(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		lift := l.plan(squat(args{"reps": 8})).Weeks[0].Days[0].Lifts[0].ID
		set := func(more args) tools.SetLiftExtrasOut {
			more["program_lift_id"] = lift
			return answer[tools.SetLiftExtrasOut](l, "set_lift_extras", more)
		}
		l.refused(fault.Invalid, noField, "set_lift_extras", args{"program_lift_id": lift})
		l.refused(fault.Invalid, "Rest 4 is out of range; use 5-900 seconds.", "set_lift_extras", args{"program_lift_id": lift, "rest_seconds": 4})
		l.refused(fault.Invalid, "The range of reps must end above 8, where it begins.", "set_lift_extras", args{"program_lift_id": lift, "reps_to": 8})
		out := set(args{"reps_to": 12, "rest_seconds": 120, "warmup_rest_seconds": 45})
		if got := []int64{*out.RepsTo, *out.RestSeconds, *out.WarmupRestSeconds}; !cmp.Equal(got, []int64{12, 120, 45}) || out.Session != "none" {
			t.Errorf("set %v, session %s", got, out.Session)
		}
		if out = set(args{"rest_seconds": nil}); out.RestSeconds != nil || *out.RepsTo != 12 {
			t.Errorf("clearing the rest leaves %v and %v", out.RestSeconds, out.RepsTo)
		}
		copied := answer[tools.Week](l, "add_program_week", args{"program_id": 1, "copy_from_week": 1})
		if n := g.count(t, "SELECT count(*) FROM training_program_lifts WHERE reps_to = 12 AND warmup_rest_seconds = 45"); n != 2 {
			t.Errorf("%d lifts have the range, want that of the copied week %d as well", n, copied.Number)
		}
		l.must("update_program_lift", args{"program_lift_id": lift, "progression": "strikes"})
		if n := g.count(t, "SELECT count(*) FROM training_program_lifts WHERE reps_to = 12"); n != 1 {
			t.Error("a range of reps stays with a rule that does not read it")
		}
		l.refused(fault.Invalid, "A range of reps goes with progression linear only.", "set_lift_extras", args{"program_lift_id": lift, "reps_to": 12})
	})
}
