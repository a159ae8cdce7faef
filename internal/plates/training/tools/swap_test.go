package tools_test

import (
	"testing"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

// A lift that another movement is done for keeps its plan: today's loads are
// the same share of the other max, and next week the lift was not trained.
func TestSwapForToday(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		p := l.plan(squat(nil))
		lift := p.Weeks[0].Days[0].Lifts[0].ID
		l.must("add_program_week", args{"program_id": p.ID, "copy_from_week": 1, "request_id": "w2"})
		l.must("generate_program_week", args{"program_id": p.ID, "week": 1})
		workout := g.count(t, "SELECT id FROM training_workouts")
		before := l.must("get_workout", args{"workout_id": workout})
		swap := args{"workout_id": workout, "program_lift_id": lift, "exercise": "Front Squat"}

		out := answer[tools.SwapLiftOut](l, "swap_lift", swap)
		if out.Planned != "Back Squat" || out.Exercise != "Front Squat" || len(out.Sets) != 3 || out.Sets[0].Weight != nil || *out.Sets[0].PlannedWeight == 0 {
			t.Errorf("without a max the swap gives %+v", out)
		}
		if n := g.count(t, "SELECT count(*) FROM training_sets WHERE is_warmup AND workout_id = $1", workout); n != 0 {
			t.Errorf("%d warm-ups of another movement are left", n)
		}
		swap["exercise"] = "Back Squat"
		l.must("swap_lift", swap)
		if after := l.must("get_workout", args{"workout_id": workout}); len(after) < len(before)/2 {
			t.Errorf("swapped back the workout is\n%s\nand was\n%s", after, before)
		}

		l.logged(args{"exercise": "Back Squat", "weight": 200, "reps": 1, "rpe": 10, "is_completed": true, "date": "2026-03-01"})
		l.logged(args{"exercise": "Front Squat", "weight": 100, "reps": 1, "rpe": 10, "is_completed": true, "date": "2026-03-01"})
		swap["exercise"] = "Front Squat"
		out = answer[tools.SwapLiftOut](l, "swap_lift", swap)
		for _, s := range out.Sets {
			if half := *s.PlannedWeight / 2; s.Weight == nil || *s.Weight < half-5 || *s.Weight > half+5 {
				t.Errorf("half the max gives %v for %d", s.Weight, *s.PlannedWeight)
			}
			l.must("complete_set", args{"set_id": s.ID})
		}
		l.refused(fault.Refused, "Every set of Back Squat is done, so there is nothing to swap.", "swap_lift", swap)
		l.must("generate_program_week", args{"program_id": p.ID, "week": 2})
		if n := g.count(t, "SELECT count(*) FROM training_sets WHERE plan_reason LIKE 'Week 1 was not trained%'"); n != 1 {
			t.Errorf("%d reasons of the week after say that the lift was not trained", n)
		}
		g.lifter(t, "b@example.com").refused(fault.NotFound, "No workout with id 1 on this account.", "swap_lift", swap)
	})
}
