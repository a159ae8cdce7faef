package contracttest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/testkit"
	"tectonic/internal/testkit/product"
)

// At half past eleven in the evening in New York it is already tomorrow in
// London: today is the lifter's day in tools, statuses and pages.
func TestTodayIsTheLiftersDay(t *testing.T) {
	t.Parallel()
	catalog := app.Catalog()
	testkit.EachWith(t, app.Lines(catalog), app.Setup(catalog), func(t *testing.T, d *db.DB) {
		p := product.New(t, d)
		who := p.PersonIn(t, "lifter@example.com", "America/New_York")
		if got := who.Must("whoami", nil)["today"]; got != "2026-03-02" {
			t.Errorf("whoami: today is %v", got)
		}
		if got := who.Must("create_set", map[string]any{"exercise": "Bench Press", "weight": 135, "reps": 5})["date"]; got != "2026-03-02" {
			t.Errorf("a set without a date is logged on %v", got)
		}
		program := who.Must("seed_program", nil)
		if got := program["start_date"]; got != "2026-03-02" {
			t.Errorf("the block opens on %v, want Monday of this week", got)
		}
		made := who.Must("generate_program_week", map[string]any{"program_id": program["id"]})
		if got := made["workouts"].([]any)[0].(map[string]any)["status"]; got != "planned" {
			t.Errorf("today's session is %v", got)
		}
		page := who.Browser().Get("/", http.StatusOK).Page(t)
		if got := page.Find("h1").Text(); !strings.Contains(got, "March 2") {
			t.Errorf("the home page is headed %q", got)
		}
	}, func(o *db.Options) {
		o.Now = func() time.Time { return time.Date(2026, time.March, 3, 4, 30, 0, 0, time.UTC) }
	})
}
