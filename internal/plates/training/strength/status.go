package strength

import "time"

// Status says what a workout is, seen from a given day.
type Status string

// The statuses of a workout.
const (
	Performed Status = "performed"
	Planned   Status = "planned"
	Skipped   Status = "skipped"
)

// StatusOf returns the status of a workout. Anything lifted makes it
// performed. Otherwise a generated one is a plan until its day has passed and
// skipped after that, and one logged by hand is a plan only while its day lies
// ahead.
func StatusOf(lifted, generated bool, day, today time.Time) Status {
	switch {
	case lifted:
		return Performed
	case day.After(today):
		return Planned
	case !generated:
		return Performed
	case day.Before(today):
		return Skipped
	default:
		return Planned
	}
}

// CalendarWord returns the word a calendar uses for the status.
func (s Status) CalendarWord() string {
	switch s {
	case Performed:
		return "trained"
	case Skipped:
		return "missed"
	default:
		return "planned"
	}
}
