package tools_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

// pairs writes plates and their pairs as the tool takes them.
func pairs(list ...any) []args {
	var all []args
	for i := 0; i < len(list); i += 2 {
		all = append(all, args{"plate": list[i], "pairs": list[i+1]})
	}
	return all
}

func TestSaveRackReplacesTheWholeRack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l, other := g.lifter(t, "a@example.com"), g.lifter(t, "b@example.com")
		first := answer[tools.SaveRackOut](l, "save_rack", args{"bar_weight": 35, "plates": pairs("45", 3, "1.25", 1, "10", 0)})
		want := tools.SaveRackOut{BarWeight: 35, Increment: 5, Plates: []tools.PlatePairs{{Plate: "45", Pairs: 3}, {Plate: "1.25", Pairs: 1}}}
		if diff := cmp.Diff(want, first); diff != "" {
			t.Errorf("rack: %s", diff)
		}
		second := answer[tools.SaveRackOut](l, "save_rack", args{"bar_weight": 45, "plates": pairs("45", 2, "1", 2)})
		if second.Increment != 2 || len(second.Plates) != 2 {
			t.Errorf("the second rack: %+v", second)
		}
		if who := answer[tools.WhoamiOut](l, "whoami", args{}); who.BarWeight != 45 || who.Increment != 2 {
			t.Errorf("whoami: %+v", who)
		}
		if who := answer[tools.WhoamiOut](other, "whoami", args{}); who.BarWeight != 45 || who.Increment != 5 {
			t.Errorf("another workspace: %+v", who)
		}
	})
}

func TestSaveRackWithoutPlatesIsTheStandardRack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		in := args{"bar_weight": 45, "plates": pairs("45", 0, "2.5", 0)}
		want := "The bar weighs 45 lb. Your smallest plate decides the smallest jump you can make: 5 lb. No plates listed, so the standard rack is assumed."
		if got := l.must("save_rack", in); got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		if got := answer[tools.SaveRackOut](l, "save_rack", in); !got.Standard || got.Increment != 5 {
			t.Errorf("rack %+v", got)
		}
	})
}

func TestSaveRackRefusals(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		l.must("save_rack", args{"bar_weight": 33, "plates": pairs("20", 2)})
		for sentence, in := range map[string]args{
			"Bar weight 0 is out of range; use 1-200 lb.":      {"bar_weight": 0, "plates": pairs()},
			"Bar weight 201 is out of range; use 1-200 lb.":    {"bar_weight": 201, "plates": pairs("45", 1)},
			"Pairs 60 is out of range; use 0-50.":              {"bar_weight": 45, "plates": pairs("45", 60)},
			"Pairs -1 is out of range; use 0-50.":              {"bar_weight": 45, "plates": pairs("45", -1)},
			"Plate 0.1 lb is out of range; use 0.25-200 lb.":   {"bar_weight": 45, "plates": pairs("0.1", 1)},
			"Plate heavy lb is out of range; use 0.25-200 lb.": {"bar_weight": 45, "plates": pairs("heavy", 1)},
			"Plate 200.5 lb is out of range; use 0.25-200 lb.": {"bar_weight": 45, "plates": pairs("200.5", 1)},
		} {
			if in["plates"] == nil || len(in["plates"].([]args)) == 0 {
				in["plates"] = []args{}
			}
			l.refused(fault.Invalid, sentence, "save_rack", in)
		}
		var many []any
		for i := range 31 {
			many = append(many, fmt.Sprint(i+1), 1)
		}
		l.refused(fault.Invalid, "A rack holds at most 30 different plates.", "save_rack", args{"bar_weight": 45, "plates": pairs(many...)})
		if who := answer[tools.WhoamiOut](l, "whoami", args{}); who.BarWeight != 33 || who.Increment != 40 {
			t.Errorf("after refusals the rack is %+v", who)
		}
	})
}

func TestRackShapesTheNextWeekOnly(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		first := l.generate(program, 1).Workouts[0].ID
		l.must("save_rack", args{"bar_weight": 33, "plates": pairs("45", 2, "25", 2, "10", 2, "5", 2, "2.5", 2)})
		if got := written(l.sets(first), "Back Squat", false); got != "150x3 155x3 160x3 165x3" {
			t.Errorf("the generated session became %s", got)
		}
		for _, s := range l.sets(l.generate(program, 2).Workouts[0].ID) {
			if s.IsBarbell && s.PerSidePlates == nil {
				t.Errorf("%s at %d cannot be loaded", s.Exercise, *s.Weight)
			}
		}
	})
}

func TestTrainingSettings(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		l.must("save_rack", args{"bar_weight": 35, "plates": pairs("45", 2)})
		if got := l.must("save_training_settings", args{"display_unit": "kg"}); got != "The unit is kg." {
			t.Errorf("said %q", got)
		}
		if n := g.count(t, "SELECT count(*) FROM training_settings WHERE workspace_id = $1 AND display_unit = 'kg' AND bar_weight = 35", l.who.Workspace); n != 1 {
			t.Error("the unit was not saved beside the bar")
		}
		l.refused(fault.Invalid, `Unit "st" is not one of lb or kg.`, "save_training_settings", args{"display_unit": "st"})
	})
}
