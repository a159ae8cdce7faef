package tools_test

import (
	"strings"
	"testing"
)

// A name that nobody knows makes a movement, and the answer says so.
func TestANewMovementIsTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		l.block()
		set := l.logged(args{"exercise": "Deadlift", "weight": 225, "reps": 5}).ID
		for _, c := range []struct {
			tool string
			in   args
			says string
		}{
			{"create_set", args{"exercise": "Bench Pres", "weight": 135, "reps": 5}, `Made a new exercise "Bench Pres". Did you mean "Bench Press"?`},
			{"create_set", args{"exercise": "Sled Drag", "weight": 90, "reps": 5}, `Made a new exercise "Sled Drag".`},
			{"update_set", args{"set_id": set, "exercise": "Dedlift"}, `Made a new exercise "Dedlift". Did you mean "Deadlift"?`},
			{"add_program_day", args{"program_id": 1, "week": 1, "weekday": 0, "lifts": []args{{"exercise": "Frnt Squat", "sets": 3, "reps": 5, "top_weight": 95}}}, `Made a new exercise "Frnt Squat". Did you mean "Front Squat"?`},
			{"add_program_lift", args{"program_day_id": 1, "exercise": "Yoke Walk", "sets": 3, "reps": 5, "top_weight": 95}, `Made a new exercise "Yoke Walk".`},
			{"create_program", args{"name": "New", "start_date": "2027-01-04", "weeks": []args{{"days": []args{{"weekday": 1, "lifts": []args{{"exercise": "Back Sqat", "sets": 3, "reps": 5, "top_weight": 95}}}}}}}, `Made a new exercise "Back Sqat". Did you mean "Back Squat"?`},
			{"update_program_lift", args{"program_lift_id": 1, "exercise": "Bak Squat"}, `Made a new exercise "Bak Squat". Did you mean "Back Squat"?`},
		} {
			if got := l.must(c.tool, c.in); !strings.HasSuffix(got, c.says) {
				t.Errorf("%s: %q does not end in %q", c.tool, got, c.says)
			}
			if got := l.must("create_set", args{"exercise": "bench press", "weight": 135, "reps": 5}); strings.Contains(got, "Made") {
				t.Errorf("a known movement is told as new: %q", got)
			}
		}
	})
}
