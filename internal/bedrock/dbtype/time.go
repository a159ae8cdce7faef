package dbtype

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// instant is RFC 3339 in UTC with always six fractional digits.
const instant = "2006-01-02T15:04:05.000000Z"

// Time is an instant: UTC, microseconds. Its zero value is NULL in a table and
// null in JSON.
type Time struct{ time.Time }

// At returns t as it comes back from a table: UTC, cut to microseconds.
func At(t time.Time) Time {
	if t.IsZero() {
		return Time{}
	}
	return Time{t.UTC().Truncate(time.Microsecond)}
}

// ParseTime reads an RFC 3339 instant with any offset and any number of
// fractional digits; what is finer than a microsecond is cut off.
func ParseTime(text string) (Time, error) {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return Time{}, fmt.Errorf("parse instant %q: want RFC 3339, such as 2026-01-31T18:30:00Z", text)
	}
	return At(t), nil
}

// String returns the instant as RFC 3339 with six fractional digits and Z, and
// "" for the zero value.
func (t Time) String() string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(instant)
}

// Value hands a UTC time to the driver, which stores TIMESTAMPTZ on PostgreSQL
// and Unix microseconds on SQLite; the zero value is NULL.
func (t Time) Value() (driver.Value, error) {
	if t.IsZero() {
		return nil, nil
	}
	return At(t.Time).Time, nil
}

// Scan reads a TIMESTAMPTZ or an INTEGER of Unix microseconds; NULL is the
// zero value.
func (t *Time) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*t = Time{}
	case time.Time:
		*t = At(v)
	case int64:
		*t = Time{time.UnixMicro(v).UTC()}
	default:
		return fmt.Errorf("scan instant: column holds %T, want a time or microseconds", src)
	}
	return nil
}

// MarshalJSON writes the instant as RFC 3339 text with six fractional digits,
// and null for the zero value.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return t.UTC().AppendFormat(nil, `"`+instant+`"`), nil
}

// UnmarshalJSON reads RFC 3339 text; null is the zero value.
func (t *Time) UnmarshalJSON(data []byte) error {
	if bytes.Equal(data, []byte("null")) {
		*t = Time{}
		return nil
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("parse instant %s: want text", data)
	}
	at, err := ParseTime(text)
	if err != nil {
		return err
	}
	*t = at
	return nil
}
