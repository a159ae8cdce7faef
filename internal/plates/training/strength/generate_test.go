package strength

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGenerateLift(t *testing.T) {
	t.Parallel()
	main := Day{Week: 2, Weekday: 1, PreferredReps: 3, Ascending: true, Rack: DefaultRack()}
	deload := main
	deload.Deload = true
	plank := Lift{Exercise: 1, Name: "Plank", Written: Written{Sets: 3, Seconds: 60}}
	carry := Lift{
		Exercise: 1, Name: "Carry", Written: Written{Sets: 2, Seconds: 45},
		Weighted: true, Rule: Linear, Top: 70,
	}
	last := func(l Lift, o Outcome, sets ...Set) []Session {
		return []Session{sessionOf(l, main, 1, false, sets, o)}
	}
	with := func(l Lift, change func(*Lift)) Lift { change(&l); return l }
	squat := written(4, 5, 155)
	threes := Set{Weight: 165, Reps: 3}
	for _, c := range []struct {
		says             string
		lift             Lift
		day              Day
		history          []Session
		warmups, working string
		reason           string
	}{
		{"an unweighted lift carries no load", plank, main, nil, "", "60s 60s 60s", "No load."},
		{"a deload leaves an unweighted lift alone", plank, deload, nil, "", "60s 60s 60s", "No load."},
		{
			"an unweighted main lift keeps its written reps",
			Lift{Exercise: 1, Written: Written{Sets: 2, Reps: 5}, Main: true},
			main, nil, "", "x5 x5", "No load.",
		},
		{"a timed lift is flat", carry, main, nil, "", "70x45s 70x45s", "Written start."},
		{
			"a timed lift progresses",
			carry, main, last(carry, Met, Set{Weight: 70, Seconds: 45}), "", "75x45s 75x45s", "Week 1 met: 70 + 5.",
		},
		{
			"a fixed lift is held",
			with(squat, func(l *Lift) { l.Rule = Fixed }), main, last(squat, Met, threes),
			"45x5 95x5 115x3 135x2", "150x3 155x3 160x3 165x3", "Held at 165.",
		},
		{
			"a changed start wins over earlier weeks",
			with(squat, func(l *Lift) { l.StartsHere = true }), main, last(squat, Met, Set{Weight: 200, Reps: 3}),
			"45x5 95x5 115x3 135x2", "150x3 155x3 160x3 165x3", "Written start.",
		},
		{
			"a first strike holds",
			with(squat, func(l *Lift) { l.Rule = Strikes }), main, last(squat, Short, threes),
			"45x5 95x5 115x3 135x2", "150x3 155x3 160x3 165x3", "Week 1 fell short once: 165 again.",
		},
		{
			"a drop stops at the bar and the reason says how far it went",
			written(1, 8, 50), main, last(written(1, 8, 50), Short, Set{Weight: 50, Reps: 8}),
			"45x5", "45x8", "Week 1 fell short: 50 - 5.",
		},
		{
			"a short session at the bar stays there",
			written(1, 8, 45), main, last(written(1, 8, 45), Short, Set{Weight: 45, Reps: 8}),
			"45x5", "45x8", "Week 1 fell short: 45 again.",
		},
		{
			"a session lifted without load gives no top",
			written(1, 8, 95), main, last(written(1, 8, 95), Met, Set{Reps: 8}),
			"45x5 75x3", "95x8", "Written start.",
		},
		{
			"a light weight off the bar never becomes no load",
			offBar(written(2, 8, 2)), main, nil, "", "5x8 5x8", "Written start.",
		},
		{
			"a new bar moves the earlier top onto its grid",
			written(1, 8, 155),
			Day{Week: 2, Weekday: 1, Rack: Rack{Bar: 33}},
			last(written(1, 8, 155), Met, Set{Weight: 155, Reps: 8}),
			"33x5 93x5 118x3 138x2", "158x8", "Week 1 met: 153 + 5.",
		},
	} {
		t.Run(c.says, func(t *testing.T) {
			t.Parallel()
			made := mustGenerate(t, c.lift, c.day, c.history)
			got := []string{setsText(made.Warmups), setsText(made.Working), made.Reason}
			if diff := cmp.Diff([]string{c.warmups, c.working, c.reason}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestGenerateLiftSecondStrike(t *testing.T) {
	t.Parallel()
	l := written(1, 5, 155)
	l.Rule = Strikes
	d := Day{Week: 4, Weekday: 1, Rack: DefaultRack()}
	set := []Set{{Weight: 155, Reps: 5}}
	history := []Session{
		sessionOf(l, d, 1, false, set, Short),
		sessionOf(l, d, 3, false, set, Short),
		sessionOf(l, d, 2, false, set, Untrained),
	}
	made := mustGenerate(t, l, d, history)
	if want := "Week 3 fell short: 155 - 5."; made.Reason != want || made.Top().Weight != 150 {
		t.Errorf("got %d, %q, want 150, %q", made.Top().Weight, made.Reason, want)
	}
}

func TestGenerateLiftPercent(t *testing.T) {
	t.Parallel()
	l := written(1, 5, 0)
	l.Name, l.Rule, l.Percent = "Front Squat", Percent, 75
	d := Day{Week: 3, Deload: true, Rack: DefaultRack()}
	made, err := GenerateLift(l, d, nil, func(int64) Pounds { return 191 })
	if err != nil {
		t.Fatal(err)
	}
	if want := "75% of an estimated max of 191. Deload: less a tenth."; made.Reason != want || made.Top().Weight != 130 {
		t.Errorf("got %d, %q, want 130, %q", made.Top().Weight, made.Reason, want)
	}
	_, err = GenerateLift(l, d, nil, noMax)
	want := "No estimated max for Front Squat yet, so 75% of it cannot be worked out. Log a completed set of 1 to 5 reps first."
	if refused, ok := errors.AsType[*NoMaxError](err); !ok || refused.Error() != want {
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestEarlier(t *testing.T) {
	t.Parallel()
	l := written(4, 5, 155)
	monday := Day{Week: 5, Weekday: 1}
	at := func(week, weekday, position int, change func(*Session)) Session {
		s := sessionOf(l, Day{Weekday: weekday}, week, false, []Set{{Weight: 100 + position, Reps: 5}}, Met)
		s.Position = position
		if change != nil {
			change(&s)
		}
		return s
	}
	other := func(s *Session) { s.Written = Written{Sets: 3, Reps: 8} }
	for _, c := range []struct {
		says    string
		history []Session
		weeks   []int
		first   int // position of the chosen session
	}{
		{"takes the highest week before this one", []Session{at(1, 1, 0, nil), at(3, 1, 1, nil), at(5, 1, 2, nil)}, []int{3, 1}, 1},
		{"passes over a deload", []Session{at(3, 1, 0, nil), at(4, 1, 1, func(s *Session) { s.Deload = true })}, []int{3}, 0},
		{"passes over a session without sets", []Session{at(3, 1, 0, nil), at(4, 1, 1, func(s *Session) { s.Work = nil })}, []int{3}, 0},
		{"passes over another movement", []Session{at(3, 1, 0, nil), at(4, 1, 1, func(s *Session) { s.Exercise = 2 })}, []int{3}, 0},
		{"prefers the same weekday", []Session{at(4, 4, 0, nil), at(4, 1, 1, other)}, []int{4}, 1},
		{"then the same prescription", []Session{at(4, 1, 0, other), at(4, 1, 1, nil)}, []int{4}, 1},
		{"then the lowest position", []Session{at(4, 4, 2, nil), at(4, 4, 1, nil)}, []int{4}, 1},
	} {
		t.Run(c.says, func(t *testing.T) {
			t.Parallel()
			earlier := Earlier(c.history, l, monday)
			var weeks []int
			for _, s := range earlier {
				weeks = append(weeks, s.Week)
			}
			if diff := cmp.Diff(c.weeks, weeks); diff != "" {
				t.Fatalf("weeks (-want +got):\n%s", diff)
			}
			if got := earlier[0].Position; got != c.first {
				t.Errorf("took the session at position %d, want %d", got, c.first)
			}
		})
	}
}
