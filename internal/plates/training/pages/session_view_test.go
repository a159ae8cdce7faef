package pages

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/plates/training/strength"
)

// squatDay is the Monday of the second week of Block 0: squats with four
// warm-ups, then a machine.
func squatDay() []setView {
	var sets []setView
	add := func(exercise int64, name string, weight, reps int, warm, barbell bool) {
		s := strength.Set{Weight: weight, Reps: reps}
		sets = append(sets, setView{
			ID: int64(len(sets) + 1), WorkoutID: 7, ExerciseID: exercise, Exercise: name,
			Actual: s, Plan: s, Warmup: warm, Barbell: barbell,
		})
	}
	for _, w := range [][2]int{{45, 5}, {95, 5}, {120, 3}, {140, 2}} {
		add(1, "Back Squat", w[0], w[1], true, true)
	}
	for _, w := range []int{155, 160, 165, 170} {
		add(1, "Back Squat", w, 3, false, true)
	}
	for _, w := range []int{130, 135, 140} {
		add(2, "Glute Press Machine", w, 10, false, false)
	}
	sets[4].Reason = "Week 1 met: 165 + 5."
	rackUp(strength.DefaultRack(), sets)
	return sets
}

func done(sets []setView, n int) []setView {
	for i := range n {
		sets[i].Done = true
	}
	return sets
}

func arranged(sets []setView, last int64) sessionView {
	v := sessionView{WorkoutID: 7}
	v.arrange(sets, last)
	return v
}

func TestSessionArrangesLifts(t *testing.T) {
	t.Parallel()

	t.Run("the lift with the next open set is open and the later one is folded", func(t *testing.T) {
		t.Parallel()
		v := arranged(done(squatDay(), 5), 0)
		if len(v.Lifts) != 2 || v.Lifts[0].Folded || !v.Lifts[1].Folded || v.Lifts[1].Open {
			t.Errorf("lifts are %+v", v.Lifts)
		}
		if got, want := v.Lifts[1].Loads.text(), "130 135 140 × 10"; got != want {
			t.Errorf("folded lift says %q, want %q", got, want)
		}
		if got, want := v.Lifts[0].Why, "Week 1 met: 165 + 5."; got != want {
			t.Errorf("reason %q, want %q", got, want)
		}
	})

	t.Run("warm-ups fold once the first working set is done", func(t *testing.T) {
		t.Parallel()
		if arranged(done(squatDay(), 4), 0).Lifts[0].WarmFolded {
			t.Error("folded before the first working set")
		}
		if !arranged(done(squatDay(), 5), 0).Lifts[0].WarmFolded {
			t.Error("not folded after the first working set")
		}
	})

	t.Run("a warm-up comes next before its working sets", func(t *testing.T) {
		t.Parallel()
		next := arranged(done(squatDay(), 1), 0).Lifts[0].Warm[1]
		if !next.Next || next.Cue != "Next: warm-up 2 of 4" {
			t.Errorf("got %v %q", next.Next, next.Cue)
		}
	})

	t.Run("the working set next is counted among the working sets", func(t *testing.T) {
		t.Parallel()
		rows := arranged(done(squatDay(), 7), 0).Lifts[0].Rows
		if got, want := rows[3].Cue, "Next: set 4 of 4"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})

	t.Run("only the last three done rows stay in sight", func(t *testing.T) {
		t.Parallel()
		sets := squatDay()
		extra := sets[7]
		extra.ID = 50
		sets = slices.Insert(sets, 8, extra)
		l := arranged(done(sets, 8), 0).Lifts[0]
		if len(l.Older) != 1 || len(l.Rows) != 4 || l.Older[0].Actual.Weight != 155 {
			t.Errorf("older %d, rows %d", len(l.Older), len(l.Rows))
		}
	})

	t.Run("a finished lift that stays open shows its last row and folds the rest", func(t *testing.T) {
		t.Parallel()
		l := arranged(done(squatDay(), 8), 8).Lifts[0]
		if len(l.Older) != 7 || len(l.Rows) != 1 || l.Rows[0].Actual.Weight != 170 {
			t.Errorf("older %d, rows %d", len(l.Older), len(l.Rows))
		}
	})

	t.Run("a finished lift folds into the line unless the last action was in it", func(t *testing.T) {
		t.Parallel()
		sets := done(squatDay(), 8)
		sets[6].Actual.Reps = 4
		v := arranged(sets, 0)
		want := []pastLift{{Name: "Back Squat", Says: "170 × 3 on top, one set changed", Href: "/workouts/7/session?set=1#lift-1"}}
		if diff := cmp.Diff(want, v.Past); diff != "" {
			t.Error(diff)
		}
		if v.PastSets != 8 || len(v.Lifts) != 1 {
			t.Errorf("%d past sets, %d lifts", v.PastSets, len(v.Lifts))
		}
		if v := arranged(sets, 8); len(v.Past) != 0 || v.Lifts[0].Folded {
			t.Error("the lift of the last action did not stay open")
		}
	})

	t.Run("the same exercise twice with something between is two lifts", func(t *testing.T) {
		t.Parallel()
		sets := squatDay()
		sets = append(sets, setView{ID: 99, ExerciseID: 1, Exercise: "Back Squat", Actual: strength.Set{Weight: 135, Reps: 5}})
		if got := len(groupLifts(sets)); got != 3 {
			t.Errorf("%d lifts, want 3", got)
		}
	})
}

func TestProgressMarksEverySet(t *testing.T) {
	t.Parallel()
	v := arranged(done(squatDay(), 5), 0)
	want := []barLift{
		{Segments: []string{"w y", "w y", "w y", "w y", "y", "nx", "", ""}},
		{Segments: []string{"", "", ""}},
	}
	if diff := cmp.Diff(want, v.Bar); diff != "" {
		t.Error(diff)
	}
	if got, want := v.progress(), "5 of 11 sets"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := v.Bar[0].class(), "prog__lift prog__lift--8"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRowStates(t *testing.T) {
	t.Parallel()
	plan := strength.Set{Weight: 165, Reps: 3}
	tests := []struct {
		name   string
		done   bool
		plan   strength.Set
		actual strength.Set
		want   string
	}{
		{"not done is open", false, plan, plan, "open"},
		{"done as written is done", true, plan, plan, "done"},
		{"less weight is changed", true, plan, strength.Set{Weight: 155, Reps: 3}, "changed"},
		{"more reps is changed", true, plan, strength.Set{Weight: 165, Reps: 4}, "changed"},
		{"never planned is done", true, strength.Set{}, plan, "done"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := (setView{Done: tt.done, Plan: tt.plan, Actual: tt.actual}).state(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func plain(parts []textPart) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

func TestFinishedSessionSaysWhatItWas(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func([]setView)
		want   string
	}{
		{"as written", func([]setView) {}, "Everything lifted: 11 of 11 sets, 6,000 lb, Back Squat up to 170 × 3. Every set went as written."},
		{"one more rep", func(s []setView) { s[6].Actual.Reps = 4 }, "Everything lifted: 11 of 11 sets, 6,165 lb, Back Squat up to 170 × 3. One set went differently, for the better."},
		{"one rep less", func(s []setView) { s[6].Actual.Reps = 2 }, "Everything lifted: 11 of 11 sets, 5,835 lb, Back Squat up to 170 × 3. One set went differently."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			sets := done(squatDay(), 11)
			tt.change(sets)
			if got := plain(arranged(sets, 0).Finished.Was); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

func TestLoadsOfALift(t *testing.T) {
	t.Parallel()
	set := func(w, r, s int, side bool) setView {
		return setView{Actual: strength.Set{Weight: w, Reps: r, Seconds: s}, PerSide: side}
	}
	tests := []struct {
		name string
		sets []setView
		want string
	}{
		{"one count", []setView{set(100, 8, 0, false), set(105, 8, 0, false)}, "100 105 × 8"},
		{"no load", []setView{set(0, 10, 0, false), set(0, 10, 0, false)}, "2 × 10 reps"},
		{"held per side", []setView{set(0, 0, 45, true), set(0, 0, 45, true)}, "2 × 45s per side"},
		{"held with load", []setView{set(70, 0, 45, false)}, "70 × 45s"},
		{"different counts", []setView{set(100, 8, 0, false), set(105, 6, 0, false)}, "100 × 8, 105 × 6"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := loadsOf(tt.sets).text(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
