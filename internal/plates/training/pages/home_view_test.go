package pages

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/plates/training/strength"
)

func day(text string) time.Time {
	t, err := strength.ParseDay(text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestCalendarShowsWholeWeeks(t *testing.T) {
	t.Parallel()
	tests := []struct{ month, first, last string }{
		{"2026-03-01", "2026-02-23", "2026-04-05"},
		{"2026-02-01", "2026-01-26", "2026-03-01"},
		{"2021-02-01", "2021-02-01", "2021-02-28"},
	}
	for _, tt := range tests {
		t.Run(tt.month, func(t *testing.T) {
			t.Parallel()
			weeks := calendarOf(day(tt.month), day("2026-03-09"), nil).Weeks
			last := weeks[len(weeks)-1]
			if got := strength.FormatDay(weeks[0][0].Date); got != tt.first {
				t.Errorf("first day %s, want %s", got, tt.first)
			}
			if got := strength.FormatDay(last[6].Date); got != tt.last {
				t.Errorf("last day %s, want %s", got, tt.last)
			}
		})
	}
}

func TestTallyCountsDaysOfTheMonth(t *testing.T) {
	t.Parallel()
	c := calendarOf(day("2026-03-01"), day("2026-03-09"), []workoutView{
		{Date: "2026-02-26", Status: strength.Performed}, // of another month
		{Date: "2026-03-02", Status: strength.Performed},
		{Date: "2026-03-02", Status: strength.Performed}, // the same day
		{Date: "2026-03-05", Status: strength.Skipped},
		{Date: "2026-03-12", Status: strength.Planned},
		{Date: "2026-03-16", Status: strength.Planned},
	})
	want := []tallyPart{{strength.Performed, 1}, {strength.Planned, 2}, {strength.Skipped, 1}}
	if diff := cmp.Diff(want, c.Tally); diff != "" {
		t.Error(diff)
	}
	if c.Previous != "2026-02" || c.Next != "2026-04" {
		t.Errorf("neighbours %s and %s", c.Previous, c.Next)
	}
}

func TestCalendarEndsFiveYearsFromToday(t *testing.T) {
	t.Parallel()
	c := calendarOf(day("2031-03-01"), day("2026-03-09"), nil)
	if c.Next != "" || c.Previous != "2031-02" {
		t.Errorf("neighbours %q and %q", c.Previous, c.Next)
	}
}
