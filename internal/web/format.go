package web

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tectonic/internal/bedrock/dbtype"
)

// Day returns "Mar 02, 2026", or "" for no day.
func Day(d dbtype.Date) string { return dated(d, "Jan 02, 2006") }

// LongDay returns "Monday March 2, 2026", or "" for no day.
func LongDay(d dbtype.Date) string { return dated(d, "Monday January 2, 2006") }

// WeekDay returns "Monday Mar 2", or "" for no day.
func WeekDay(d dbtype.Date) string { return dated(d, "Monday Jan 2") }

func dated(d dbtype.Date, layout string) string {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return string(d)
	}
	return t.Format(layout)
}

// When returns an instant in the zone as "Mar 02, 2026 14:03", or "" for
// none. A nil zone is UTC.
func When(t time.Time, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	if zone == nil {
		zone = time.UTC
	}
	return t.In(zone).Format("Jan 02, 2006 15:04")
}

// Count returns the number with commas: 12,285.
func Count[N ~int | ~int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "−", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Lb returns a weight in pounds: "1,165 lb".
func Lb[N ~int | ~int64](n N) string { return Count(n) + " lb" }

// Plural returns the number and the word that fits it: "1 set", "2 sets". The
// plural is the word with an s unless one is given.
func Plural[N ~int | ~int64](n N, one string, many ...string) string {
	if n == 1 {
		return "1 " + one
	}
	if len(many) > 0 {
		return Count(n) + " " + many[0]
	}
	return Count(n) + " " + one + "s"
}

// USD returns micro-dollars with all six places: "$4.204180".
func USD(micro int64) string {
	sign := ""
	if micro < 0 {
		sign, micro = "−", -micro
	}
	return fmt.Sprintf("%s$%s.%06d", sign, Count(micro/1_000_000), micro%1_000_000)
}

// Bytes returns a size in the largest unit that divides it well: "1 MiB".
func Bytes(n int64) string {
	switch {
	case n >= 1<<20:
		return trimZero(float64(n)/(1<<20)) + " MiB"
	case n >= 1<<10:
		return trimZero(float64(n)/(1<<10)) + " KiB"
	}
	return Plural(n, "byte")
}

func trimZero(f float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(f, 'f', 1, 64), ".0")
}
