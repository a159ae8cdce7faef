package strength

import (
	"fmt"
	"strings"
	"testing"
)

// named is a generated lift with the name of its movement.
type named struct {
	Generated
	name string
}

// sessionOf is a session in which a lift wrote some working sets and the
// lifter then did what the outcome says.
func sessionOf(l Lift, d Day, week int, deload bool, working []Set, o Outcome) Session {
	s := Session{
		Week: week, Deload: deload, Weekday: d.Weekday,
		Exercise: l.Exercise, Position: l.Position, Written: l.Written,
	}
	for i, set := range working {
		w := Work{Exercise: l.Exercise, Planned: set, Actual: set, Done: o != Untrained}
		if o == Short && i == len(working)-1 {
			w.Actual.Reps--
		}
		s.Work = append(s.Work, w)
	}
	return s
}

func mustGenerate(t *testing.T, l Lift, d Day, history []Session) Generated {
	t.Helper()
	made, err := GenerateLift(l, d, history, noMax)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func noMax(int64) Pounds { return 0 }

// runBlock0 trains Block 0 week by week with the given outcomes, the same for
// every lift, and returns the week that follows them. A week after the fourth
// repeats the lifts of the third.
func runBlock0(t *testing.T, outcomes []Outcome, lastIsDeload bool) []named {
	t.Helper()
	block := Block0()
	var history []Session
	var made []named
	for i := range len(outcomes) + 1 {
		day := block.Weeks[min(i, 3)].Days[0]
		d := Day{
			Week: i + 1, Weekday: day.Weekday, Deload: (i == 3 && i < len(outcomes)) || (i == len(outcomes) && lastIsDeload),
			PreferredReps: block.PreferredReps, Ascending: block.Ascending, Rack: DefaultRack(),
		}
		made = nil
		for n, l := range day.Lifts {
			l.Exercise = int64(n + 1)
			g := mustGenerate(t, l, d, history)
			made = append(made, named{g, l.Name})
			if i < len(outcomes) {
				history = append(history, sessionOf(l, d, d.Week, d.Deload, g.Working, outcomes[i]))
			}
		}
	}
	return made
}

func setsText(sets []Set) string {
	words := make([]string, len(sets))
	for i, s := range sets {
		words[i] = SetLabel(s, false)
	}
	return strings.Join(words, " ")
}

func TestBlock0(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		outcomes []Outcome
		deload   bool
		warmups  string
		working  string
		reason   string
		sets     int
	}{
		{nil, false, "45x5 95x5 115x3 135x2", "150x3 155x3 160x3 165x3", "Written start.", 28},
		{
			[]Outcome{Met},
			false, "45x5 95x5 120x3 140x2", "155x3 160x3 165x3 170x3",
			"Week 1 met: 165 + 5.", 28,
		},
		{
			[]Outcome{Met, Met},
			false, "45x5 100x5 125x3 145x2", "160x3 165x3 170x3 175x3",
			"Week 2 met: 170 + 5.", 28,
		},
		{
			[]Outcome{Met, Met, Met},
			true, "45x5 90x5 115x3 130x2", "145x3 150x3 155x3 160x3",
			"Week 3 met: 175 + 5. Deload: less a tenth.", 28,
		},
		{
			[]Outcome{Met, Met, Short},
			true, "45x5 85x5 105x3 125x2", "135x3 140x3 145x3 150x3",
			"Week 3 fell short: 175 - 10. Deload: less a tenth.", 27,
		},
		{
			[]Outcome{Met, Met, Untrained},
			true, "45x5 90x5 115x3 130x2", "145x3 150x3 155x3 160x3",
			"Week 3 was not trained: 175 again. Deload: less a tenth.", 28,
		},
		{
			[]Outcome{Met, Met, Met, Met},
			false, "45x5 100x5 130x3 150x2", "165x3 170x3 175x3 180x3",
			"Week 3 met: 175 + 5.", 28,
		},
		{
			[]Outcome{Met, Met, Short, Met},
			false, "45x5 95x5 115x3 135x2", "150x3 155x3 160x3 165x3",
			"Week 3 fell short: 175 - 10.", 28,
		},
		{
			[]Outcome{Met, Met, Untrained, Short},
			false, "45x5 100x5 125x3 145x2", "160x3 165x3 170x3 175x3",
			"Week 3 was not trained: 175 again.", 28,
		},
	} {
		t.Run(fmt.Sprintf("week %d after %v", len(c.outcomes)+1, c.outcomes), func(t *testing.T) {
			t.Parallel()
			made := runBlock0(t, c.outcomes, c.deload)
			squat := made[0]
			if got := setsText(squat.Warmups); got != c.warmups {
				t.Errorf("warm-up %s, want %s", got, c.warmups)
			}
			if got := setsText(squat.Working); got != c.working {
				t.Errorf("working sets %s, want %s", got, c.working)
			}
			if squat.Reason != c.reason {
				t.Errorf("reason %q, want %q", squat.Reason, c.reason)
			}
			if got := countSets(made); got != c.sets {
				t.Errorf("%d sets, want %d", got, c.sets)
			}
		})
	}
}

func countSets(made []named) int {
	n := 0
	for _, m := range made {
		n += len(m.Warmups) + len(m.Working)
	}
	return n
}
