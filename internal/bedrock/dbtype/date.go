package dbtype

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// Date is a calendar day as YYYY-MM-DD, without a zone. The empty text is NULL
// in a table and null in JSON. Two days compare as their texts do.
type Date string

// DateOf returns the day that it is at t in loc.
func DateOf(t time.Time, loc *time.Location) Date {
	return Date(t.In(loc).Format(time.DateOnly))
}

// ParseDate reads a day of the calendar written YYYY-MM-DD; 2026-02-30 is
// refused.
func ParseDate(text string) (Date, error) {
	if day, err := time.Parse(time.DateOnly, text); err != nil || day.Year() < 1 { // PostgreSQL has no year 0
		return "", fmt.Errorf("parse day %q: want YYYY-MM-DD", text)
	}
	return Date(text), nil
}

// IsZero reports whether there is no day.
func (d Date) IsZero() bool { return d == "" }

// String returns the day as YYYY-MM-DD, or "" when there is none.
func (d Date) String() string { return string(d) }

// Time returns midnight of the day in UTC, for arithmetic and formatting. It
// is the zero time when there is no day.
func (d Date) Time() time.Time {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return time.Time{}
	}
	return t
}

// AddDays returns the day that is n days later, or earlier when n is negative.
// It is "" when there is no day.
func (d Date) AddDays(n int) Date {
	if d.IsZero() {
		return ""
	}
	return Date(d.Time().AddDate(0, 0, n).Format(time.DateOnly))
}

// DaysSince returns the number of days from other to d, negative when d is the
// earlier one.
func (d Date) DaysSince(other Date) int {
	return int(d.Time().Sub(other.Time()).Hours() / 24)
}

// Weekday returns the day of the week.
func (d Date) Weekday() time.Weekday { return d.Time().Weekday() }

// Value stores the text, which both engines take; "" is NULL.
func (d Date) Value() (driver.Value, error) {
	if d == "" {
		return nil, nil
	}
	if _, err := ParseDate(string(d)); err != nil {
		return nil, err
	}
	return string(d), nil
}

// Scan reads a DATE or a TEXT of YYYY-MM-DD; NULL is "".
func (d *Date) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*d = ""
		return nil
	case time.Time:
		*d = Date(v.Format(time.DateOnly))
		return nil
	case string:
		return d.set(v)
	case []byte:
		return d.set(string(v))
	default:
		return fmt.Errorf("scan day: column holds %T, want a date or text", src)
	}
}

// MarshalJSON writes the text, and null when there is no day.
func (d Date) MarshalJSON() ([]byte, error) {
	if d == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(d))
}

// UnmarshalJSON reads a day of the calendar; null and "" are no day.
func (d *Date) UnmarshalJSON(data []byte) error {
	var text *string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("parse day %s: want text", data)
	}
	if text == nil {
		*d = ""
		return nil
	}
	return d.set(*text)
}

func (d *Date) set(text string) error {
	if text == "" {
		*d = ""
		return nil
	}
	day, err := ParseDate(text)
	if err != nil {
		return err
	}
	*d = day
	return nil
}
