package strength

import (
	"cmp"
	"fmt"
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
	Assumed  bool // it has not been lifted yet and is taken as met
}

// Assume takes what is still open of the session as done to the letter.
func (s *Session) Assume() {
	for i, w := range s.Work {
		if !w.Done {
			s.Work[i].Actual, s.Work[i].Done, s.Assumed = w.Planned, true, true
		}
	}
}

// Ahead returns the session that a lift would write on a day, taken as met.
func Ahead(l Lift, d Day, g Generated) Session {
	s := Session{Week: d.Week, Deload: d.Deload, Weekday: d.Weekday, Exercise: l.Exercise, Position: l.Position, Written: l.Written}
	for _, set := range g.Working {
		s.Work = append(s.Work, Work{Exercise: l.Exercise, Planned: set})
	}
	s.Assume()
	return s
}

// met begins the reason of a step up: "Week 1 met", "If week 1 is met".
func (s Session) met() string {
	if s.Assumed {
		return fmt.Sprintf("If week %d is met", s.Week)
	}
	return fmt.Sprintf("Week %d met", s.Week)
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
