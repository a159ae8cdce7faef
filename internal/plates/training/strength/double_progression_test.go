package strength

import (
	"testing"
)

// What ten weeks of a lift of 3 sets of 8 to 10 reps ask for. did is the reps
// of the three sets that were done; "" leaves the session out.
func TestDoubleProgressionOverTenSessions(t *testing.T) {
	t.Parallel()
	curl := Lift{Exercise: 1, Name: "Curl", Written: Written{Sets: 3, Reps: 8}, Weighted: true, Rule: Linear, Top: 50, RepsTo: 10}
	var history []Session
	for i, c := range []struct {
		did    []int
		asks   string
		reason string
	}{
		{[]int{8, 8, 8}, "50x8", "Written start."},
		{[]int{9, 9, 9}, "50x9", "Week 1 met: 50 again, for 9 reps."},
		{[]int{10, 9, 9}, "50x10", "Week 2 met: 50 again, for 10 reps."},
		{[]int{10, 10, 10}, "50x10", "Week 3 fell short once: 50 for 10 reps again."},
		{[]int{10, 10, 12}, "55x8", "Week 4 met at 10 reps: 50 + 5, back to 8 reps."},
		{nil, "60x8", "Week 5 met at 10 reps: 55 + 5, back to 8 reps."},
		{[]int{8, 7, 6}, "60x8", "Week 6 was not trained: 60 for 8 reps again."},
		{[]int{8, 8, 7}, "60x8", "Week 7 fell short once: 60 for 8 reps again."},
		{[]int{8, 8, 8}, "55x8", "Week 8 fell short twice running: 60 - 5, back to 8 reps."},
		{[]int{9, 9, 9}, "55x9", "Week 9 met: 55 again, for 9 reps."},
	} {
		day := Day{Week: i + 1, Weekday: 1, Rack: DefaultRack()}
		got, err := GenerateLift(curl, day, history, nil)
		if err != nil {
			t.Fatal(err)
		}
		if asks := SetLabel(got.Top(), false); asks != c.asks || got.Reason != c.reason {
			t.Errorf("week %d asks %s: %s\nwant %s: %s", day.Week, asks, got.Reason, c.asks, c.reason)
		}
		s := Session{Week: day.Week, Weekday: 1, Exercise: 1, Written: curl.Written}
		for j, planned := range got.Working {
			w := Work{Exercise: 1, Planned: planned, Actual: planned, Done: c.did != nil}
			if w.Done {
				w.Actual.Reps = c.did[j]
			}
			s.Work = append(s.Work, w)
		}
		history = append(history, s)
	}
}

func TestDoubleProgressionAtItsEdges(t *testing.T) {
	t.Parallel()
	row := Lift{Exercise: 1, Written: Written{Sets: 1, Reps: 8}, Weighted: true, Barbell: true, Rule: Linear, Top: 100, RepsTo: 12}
	with := func(change func(*Lift)) Lift { l := row; change(&l); return l }
	done := func(planned Set, reps int) Work {
		return Work{Exercise: 1, Planned: planned, Actual: Set{Weight: planned.Weight, Reps: reps}, Done: true}
	}
	for _, c := range []struct {
		says   string
		lift   Lift
		deload bool
		last   []Work
		asks   string
		reason string
	}{
		{"the lift's own step up", with(func(l *Lift) { l.StepUp = 10 }), false, []Work{done(Set{Weight: 100, Reps: 12}, 12)}, "110x8", "Week 1 met at 12 reps: 100 + 10, back to 8 reps."},
		{"a deload keeps the reps", row, true, []Work{done(Set{Weight: 100, Reps: 9}, 9)}, "90x10", "Week 1 met: 100 again, for 10 reps. Deload: less a tenth."},
		{"a range that became lower asks its top", with(func(l *Lift) { l.RepsTo = 10 }), false, []Work{done(Set{Weight: 100, Reps: 12}, 11)}, "100x10", "Week 1 fell short once: 100 for 10 reps again."},
		{"a range that became higher starts at its bottom", row, false, []Work{done(Set{Weight: 100, Reps: 5}, 4)}, "100x8", "Week 1 fell short once: 100 for 8 reps again."},
		{"a start anew", with(func(l *Lift) { l.StartsHere = true }), false, []Work{done(Set{Weight: 200, Reps: 12}, 12)}, "100x8", "Written start."},
		{"another rule reads no range", with(func(l *Lift) { l.Rule = Strikes }), false, []Work{done(Set{Weight: 100, Reps: 8}, 8)}, "105x8", "Week 1 met: 100 + 5."},
		{"no range", with(func(l *Lift) { l.RepsTo = 0 }), false, []Work{done(Set{Weight: 100, Reps: 8}, 8)}, "105x8", "Week 1 met: 100 + 5."},
	} {
		history := []Session{{Week: 1, Weekday: 1, Exercise: 1, Written: c.lift.Written, Work: c.last}}
		got, err := GenerateLift(c.lift, Day{Week: 2, Weekday: 1, Deload: c.deload, Rack: DefaultRack()}, history, nil)
		if err != nil {
			t.Fatal(err)
		}
		if asks := SetLabel(got.Top(), false); asks != c.asks || got.Reason != c.reason {
			t.Errorf("%s: %s: %s\nwant %s: %s", c.says, asks, got.Reason, c.asks, c.reason)
		}
	}
}

func TestDoubleProgressionStopsAtTheBar(t *testing.T) {
	t.Parallel()
	steps, r := Steps{Up: 5, Down: 5}, RepRange{8, 12}
	got := NextInRange(Set{Weight: 45, Reps: 9}, r, []Outcome{Short, Short}, false, steps, 45)
	if want := (Set{Weight: 45, Reps: 8}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := NextInRange(Set{Weight: 45, Reps: 9}, r, nil, false, steps, 45); got.Reps != 9 {
		t.Errorf("without an outcome it asks %v", got)
	}
	if got, want := climbReason(Session{Week: 3}, r, []Outcome{Short, Short}, false, Set{Weight: 45, Reps: 9}, got), "Week 3 fell short twice running: 45 again, back to 8 reps."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
