package pages

import (
	"testing"
	"time"

	"tectonic/internal/bedrock/contract"
)

func TestAgo(t *testing.T) {
	t.Parallel()
	kyiv, err := time.LoadLocation("Europe/Kyiv")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 2, 0, 30, 0, 0, kyiv)
	for _, c := range []struct {
		before time.Duration
		want   string
	}{
		{0, "just now"},
		{-time.Minute, "just now"}, // another node's clock
		{59 * time.Second, "just now"},
		{time.Minute, "1 minute ago"},
		{59*time.Minute + 59*time.Second, "59 minutes ago"},
		{time.Hour, "yesterday 23:30"},
		{24 * time.Hour, "yesterday 00:30"},
		{25 * time.Hour, "Feb 28, 2026"},
	} {
		if got := ago(now.Add(-c.before).UTC(), now.UTC(), contract.Caller{Zone: kyiv}); got != c.want {
			t.Errorf("%s before: got %q, want %q", c.before, got, c.want)
		}
	}
	late := now.Add(20 * time.Hour)
	if got := ago(now, late, contract.Caller{Zone: kyiv}); got != "today 00:30" {
		t.Errorf("got %q", got)
	}
	if got := ago(time.Time{}, now, contract.Caller{}); got != "never" {
		t.Errorf("got %q", got)
	}
	if got := onDay(now, contract.Caller{}); got != "Mar 01, 2026" {
		t.Errorf("without a zone the day is %q", got)
	}
}
