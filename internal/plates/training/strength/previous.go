package strength

import (
	"cmp"
	"slices"
)

// Written is a lift's prescription as it stands in the programme: sets of
// reps, or sets of seconds.
type Written struct {
	Sets    int
	Reps    int
	Seconds int
}

// Session is one generated session of one lift: where in the block it was
// written, from which prescription, and the sets the lift wrote there.
type Session struct {
	Week     int
	Deload   bool
	Weekday  int // 0 = Sunday
	Exercise int64
	Position int // of the lift within its day
	Written  Written
	Work     []Work
}

// outcome judges the session for its own exercise.
func (s Session) outcome() Outcome { return OutcomeOf(s.Exercise, s.Work) }

// Earlier returns the sessions a lift of the given day progresses from, newest
// week first and one per week. Deload weeks, other movements and sessions that
// wrote no set are passed over. Where a week has several, the one on the same
// weekday is taken, then the one with the same written sets and reps, then the
// one placed first. Weeks are ordered by number, not by date, so a workout
// moved to another day cannot reorder the block.
func Earlier(history []Session, l Lift, d Day) []Session {
	byWeek := make(map[int]Session)
	for _, s := range history {
		if s.Exercise != l.Exercise || s.Week >= d.Week || s.Deload || s.outcome() == Uncounted {
			continue
		}
		if other, taken := byWeek[s.Week]; !taken || closer(s, other, l, d) {
			byWeek[s.Week] = s
		}
	}
	earlier := make([]Session, 0, len(byWeek))
	for _, s := range byWeek {
		earlier = append(earlier, s)
	}
	slices.SortFunc(earlier, func(a, b Session) int { return cmp.Compare(b.Week, a.Week) })
	return earlier
}

// closer reports whether a matches the lift better than b does.
func closer(a, b Session, l Lift, d Day) bool {
	if x, y := a.Weekday == d.Weekday, b.Weekday == d.Weekday; x != y {
		return x
	}
	if x, y := a.Written == l.Written, b.Written == l.Written; x != y {
		return x
	}
	return a.Position < b.Position
}
