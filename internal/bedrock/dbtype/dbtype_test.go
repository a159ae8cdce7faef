package dbtype_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/dbtype"
)

func TestTimeJSON(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("east", 2*3600)
	for name, c := range map[string]struct {
		in   time.Time
		want string
	}{
		"has six digits when there are none":  {time.Date(2026, 1, 31, 18, 30, 0, 0, time.UTC), `"2026-01-31T18:30:00.000000Z"`},
		"is UTC":                              {time.Date(2026, 1, 31, 1, 30, 0, 5000, east), `"2026-01-30T23:30:00.000005Z"`},
		"cuts what is finer than microsecond": {time.Date(2026, 1, 31, 1, 30, 0, 1999, time.UTC), `"2026-01-31T01:30:00.000001Z"`},
		"is null when zero":                   {time.Time{}, `null`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := json.Marshal(dbtype.At(c.in))
			if err != nil || string(got) != c.want {
				t.Fatalf("got %s, %v, want %s", got, err, c.want)
			}
			var back dbtype.Time
			if err := json.Unmarshal(got, &back); err != nil || back != dbtype.At(c.in) {
				t.Errorf("read back %v, %v", back, err)
			}
		})
	}
}

func TestTimeRefusesOtherText(t *testing.T) {
	t.Parallel()
	var at dbtype.Time
	for _, text := range []string{`"2026-01-31"`, `"yesterday"`, `12`} {
		if err := json.Unmarshal([]byte(text), &at); err == nil {
			t.Errorf("%s was read as %v", text, at)
		}
	}
}

func TestDate(t *testing.T) {
	t.Parallel()
	chicago, err := time.LoadLocation("America/Chicago")
	if err != nil {
		t.Fatal(err)
	}
	if got := dbtype.DateOf(time.Date(2026, 3, 1, 3, 0, 0, 0, time.UTC), chicago); got != "2026-02-28" {
		t.Errorf("in Chicago it is %s", got)
	}
	if got := dbtype.Date("2026-02-27").AddDays(3); got != "2026-03-02" {
		t.Errorf("three days later is %s", got)
	}
	if got := dbtype.Date("2026-03-02").DaysSince("2026-02-27"); got != 3 {
		t.Errorf("got %d days, want 3", got)
	}
	for _, text := range []string{"2026-02-30", "2026-2-3", "", "20260203"} {
		if _, err := dbtype.ParseDate(text); err == nil {
			t.Errorf("%q was read as a day", text)
		}
	}
	got, err := json.Marshal([]dbtype.Date{"2026-01-31", ""})
	if err != nil || string(got) != `["2026-01-31",null]` {
		t.Errorf("got %s, %v", got, err)
	}
	var back []dbtype.Date
	if err := json.Unmarshal(got, &back); err != nil || !cmp.Equal(back, []dbtype.Date{"2026-01-31", ""}) {
		t.Errorf("read back %q, %v", back, err)
	}
}
