package strength

import "time"

const (
	dayLayout   = "2006-01-02"
	monthLayout = "2006-01"
	yearsAround = 5 // how far from today the calendar can be turned
)

// ParseDay reads a day written YYYY-MM-DD as midnight UTC.
func ParseDay(text string) (time.Time, error) { return time.Parse(dayLayout, text) }

// FormatDay writes a day as YYYY-MM-DD.
func FormatDay(day time.Time) string { return day.Format(dayLayout) }

// DayOf drops the time of day and the zone: the calendar day t shows where it
// is, at midnight UTC.
func DayOf(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// MondayOf returns the Monday on or before a day.
func MondayOf(day time.Time) time.Time {
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}

// CalendarMonth reads a month written YYYY-MM and returns its first day. Text
// that is no real month, or one more than five years from today, gives the
// current month.
func CalendarMonth(text string, today time.Time) time.Time {
	current := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
	month, err := time.Parse(monthLayout, text)
	if err != nil || month.Before(current.AddDate(-yearsAround, 0, 0)) || month.After(current.AddDate(yearsAround, 0, 0)) {
		return current
	}
	return month
}

// CalendarBounds returns the first and the last day of the grid that shows a
// month: whole weeks, Monday first.
func CalendarBounds(month time.Time) (first, last time.Time) {
	opens := time.Date(month.Year(), month.Month(), 1, 0, 0, 0, 0, time.UTC)
	closes := opens.AddDate(0, 1, -1)
	return MondayOf(opens), MondayOf(closes).AddDate(0, 0, 6)
}
