package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

func TestLibraryIsThereForEveryone(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		out := answer[tools.ListExercisesOut](l, "list_exercises", args{})
		if out.Total != 54 || out.Shown != 54 || out.Withheld != 0 || out.Limit != 200 {
			t.Errorf("page %+v, want all 54", out.Page)
		}
		for _, e := range out.Exercises {
			if !e.Library || !e.IsBarbell || e.DefaultMeasure != "reps" || e.DefaultIsPerSide || !e.DefaultWeighted || e.CreatedBy != nil {
				t.Errorf("library movement %+v", e)
			}
		}
	})
}

func TestListExercises(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		l.must("create_exercise", args{"name": "100%_Plank", "default_measure": "time", "default_is_weighted": false})
		l.must("create_exercise", args{"name": "Single-Arm Row"})
		g.lifter(t, "b@example.com").must("create_exercise", args{"name": "Secret Plank"})
		for _, c := range []struct {
			name string
			in   args
			want string
		}{
			{"a part of the name", args{"query": "front SQ"}, "You can use 1 exercise(s).\n  Front Squat (library, barbell)"},
			{"a percent sign is literal", args{"query": "0%_p"}, "You can use 1 exercise(s).\n  100%_Plank (yours, timed, unweighted)"},
			{"an underscore is literal", args{"query": "back_squat"}, "You can use 0 exercise(s)."},
			{"another workspace's is not there", args{"query": "secret"}, "You can use 0 exercise(s)."},
			{"per side by name", args{"query": "single-arm"}, "You can use 1 exercise(s).\n  Single-Arm Row (yours, per side)"},
			{
				"the rest is counted",
				args{"query": "deadlift", "limit": 1},
				"You can use 8 exercise(s).\n  Deadlift (library, barbell)\n7 not shown. Narrow with query or raise limit.",
			},
		} {
			t.Run(c.name, func(t *testing.T) {
				l := *l
				l.t = t
				if got := l.must("list_exercises", c.in); got != c.want {
					t.Errorf("said\n%s\nwant\n%s", got, c.want)
				}
			})
		}
		l.refused(fault.Invalid, "Limit 500 is out of range; use 1-200.", "list_exercises", args{"limit": 500})
		l.refused(fault.Invalid, "Limit 0 is out of range; use 1-200.", "list_exercises", args{"limit": 0})
	})
}

func TestCreateExercise(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		made := answer[tools.CreateExerciseOut](l.client("Claude"), "create_exercise", args{"name": "  Pin   Squat "})
		if !made.Created || made.Name != "Pin Squat" || made.Library || made.IsBarbell || made.CreatedBy == nil || *made.CreatedBy != "Claude" {
			t.Errorf("made %+v", made)
		}
		if got, want := l.must("create_exercise", args{"name": "pin squat", "is_barbell": true}),
			fmt.Sprintf("Exercise 'Pin Squat' is ready (id %d). It was already there; nothing was changed.", made.ID); got != want {
			t.Errorf("the second time: %q, want %q", got, want)
		}
		again := answer[tools.CreateExerciseOut](l, "create_exercise", args{"name": "PIN SQUAT", "is_barbell": true})
		if again.Created || again.ID != made.ID || again.IsBarbell {
			t.Errorf("the second call changed it: %+v", again)
		}
		library := answer[tools.CreateExerciseOut](l, "create_exercise", args{"name": "back squat"})
		if library.Created || !library.Library || library.Name != "Back Squat" {
			t.Errorf("a library name: %+v", library)
		}
		other := answer[tools.CreateExerciseOut](g.lifter(t, "b@example.com"), "create_exercise", args{"name": "Pin Squat"})
		if !other.Created || other.ID == made.ID {
			t.Errorf("another workspace was given %+v", other)
		}
		for fragment, perSide := range map[string]bool{"Bulgarian Split Squat": true, "One-Arm Press": true, "Pistol Squat": true, "Leg Press": false} {
			if got := answer[tools.CreateExerciseOut](l, "create_exercise", args{"name": fragment}).DefaultIsPerSide; got != perSide {
				t.Errorf("%s starts per side %v, want %v", fragment, got, perSide)
			}
		}
		if answer[tools.CreateExerciseOut](l, "create_exercise", args{"name": "Pistol Box", "default_is_per_side": false}).DefaultIsPerSide {
			t.Error("an explicit false was overruled by the name")
		}
	})
}

func TestExerciseRefusals(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l, other := g.lifter(t, "a@example.com"), g.lifter(t, "b@example.com")
		own := answer[tools.CreateExerciseOut](l, "create_exercise", args{"name": "Pin Squat"}).ID
		l.must("create_exercise", args{"name": "Hack Squat"})
		var backSquat int64
		for _, e := range answer[tools.ListExercisesOut](l, "list_exercises", args{"query": "Back Squat"}).Exercises {
			backSquat = e.ID
		}
		long, missing := strings.Repeat("x", 121), fmt.Sprintf("No exercise with id %d on this account.", own)
		for _, c := range []struct {
			who      *lifter
			kind     fault.Kind
			sentence string
			tool     string
			in       args
		}{
			{l, fault.Invalid, "An exercise needs a non-empty name.", "create_exercise", args{"name": " \t "}},
			{l, fault.Invalid, "An exercise name is too long; use at most 120 characters.", "create_exercise", args{"name": long}},
			{l, fault.Invalid, "An icon needs an https address of at most 500 characters.", "create_exercise", args{"name": "X", "icon_url": "javascript:alert(1)"}},
			{l, fault.Invalid, `Measure "time " is not one of reps or time.`, "create_exercise", args{"name": "X", "default_measure": "time "}},
			{l, fault.Conflict, `There is already an exercise named "Back Squat".`, "update_exercise", args{"exercise_id": own, "name": "BACK squat"}},
			{l, fault.Conflict, `There is already an exercise named "Hack Squat".`, "update_exercise", args{"exercise_id": own, "name": "hack squat"}},
			{other, fault.NotFound, missing, "update_exercise", args{"exercise_id": own, "name": "Mine"}},
			{l, fault.NotFound, fmt.Sprintf("No exercise with id %d on this account.", backSquat), "update_exercise", args{"exercise_id": backSquat, "name": "Mine"}},
		} {
			c.who.refused(c.kind, c.sentence, c.tool, c.in)
		}
	})
}

func TestUpdateExercise(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		own := answer[tools.CreateExerciseOut](l, "create_exercise", args{"name": "Plank", "icon_url": "https://example.com/i.svg"}).ID
		got := answer[tools.Exercise](l, "update_exercise", args{"exercise_id": own, "name": "PLANK", "default_measure": "time", "default_is_weighted": false, "icon_url": nil})
		if got.Name != "PLANK" || got.DefaultMeasure != "time" || got.DefaultWeighted || got.IconURL != nil || got.ID != own {
			t.Errorf("saved %+v", got)
		}
		if got := answer[tools.Exercise](l, "update_exercise", args{"exercise_id": own, "is_barbell": true}); got.Name != "PLANK" || !got.IsBarbell || got.DefaultMeasure != "time" {
			t.Errorf("what was not sent changed: %+v", got)
		}
	})
}
