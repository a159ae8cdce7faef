package store

import (
	"time"

	"tectonic/internal/bedrock/dbtype"
)

// Number returns a nullable number as strength writes it: 0 is absent.
func Number(p *int64) int {
	if p == nil {
		return 0
	}
	return int(*p)
}

// Optional returns a number of strength as a nullable column: 0 is NULL.
func Optional(n int) *int64 {
	if n == 0 {
		return nil
	}
	v := int64(n)
	return &v
}

// Day returns a date as strength writes it: midnight UTC.
func Day(d dbtype.Date) time.Time {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return time.Time{} // a date column holds dates
	}
	return t
}

// Date returns a day of strength as a column.
func Date(t time.Time) dbtype.Date { return dbtype.Date(t.Format(time.DateOnly)) }
