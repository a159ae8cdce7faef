package benchmark

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/testkit"
	"tectonic/internal/testkit/product"
)

// history is what five years leave behind: four sessions a week of 24 sets.
const (
	historyYears    = 5
	sessionsPerWeek = 4
	setsPerSession  = 24
)

func each(b *testing.B, fn func(*testing.B, *product.Product)) {
	b.Helper()
	catalog := app.Catalog()
	testkit.EachBench(b, app.Lines(catalog), app.Setup(catalog), func(b *testing.B, d *db.DB) { fn(b, product.New(b, d)) })
}

// lifter returns a person with five years of sets and a session of 40 today.
func lifter(b *testing.B, p *product.Product) (who *product.Person, workout int64, sets []int64) {
	b.Helper()
	who = p.Person(b, "old@hand.example")
	writeHistory(b, p, who)
	for i := range 40 {
		made := who.Must("create_set", map[string]any{
			"exercise": []string{"Back Squat", "Bench Press", "Deadlift", "Overhead Press"}[i/10], "weight": 135 + 5*(i%10), "reps": 5, "date": "today",
		})
		workout = int64(made["workout_id"].(float64))
		sets = append(sets, int64(made["id"].(float64)))
	}
	return who, workout, sets
}

// writeHistory inserts rows directly: 20,000 calls of a tool would take
// minutes and leave the same rows.
func writeHistory(b *testing.B, p *product.Product, who *product.Person) {
	b.Helper()
	err := p.DB.Write(b.Context(), func(tx *db.Tx) error {
		var workouts, sets [][]any
		now := tx.Now()
		for week := range historyYears * 52 {
			for session := range sessionsPerWeek {
				n := int64(1 + week*sessionsPerWeek + session)
				day := now.AddDate(0, 0, -7*(week+1)-session).Format(time.DateOnly)
				workouts = append(workouts, []any{n, who.Workspace(), day, instant(p.DB, now)})
				for position := range setsPerSession {
					sets = append(sets, []any{who.Workspace(), n, int64(1 + (position+int(n))%54), int64(position + 1), "reps", int64(135 + 5*position), int64(5), true, true, instant(p.DB, now), instant(p.DB, now)})
				}
			}
		}
		if err := tx.InsertMany(b.Context(), "training_workouts", []string{"id", "workspace_id", "date", "created_at"}, workouts); err != nil {
			return err
		}
		return tx.InsertMany(b.Context(), "training_sets", []string{
			"workspace_id", "workout_id", "exercise_id", "position", "measure", "weight", "reps", "is_completed", "is_barbell", "completed_at", "created_at",
		}, sets)
	})
	if err != nil {
		b.Fatal(err)
	}
	settle(b, p.DB)
}

// settle moves identities past the inserted rows and refreshes statistics.
func settle(b *testing.B, d *db.DB) {
	b.Helper()
	statements := []string{"ANALYZE"}
	if d.Dialect == db.Postgres {
		statements = append(statements, "SELECT setval(pg_get_serial_sequence('training_workouts', 'id'), (SELECT max(id) FROM training_workouts))")
	}
	for _, s := range statements {
		if _, err := d.W.ExecContext(context.Background(), s); err != nil {
			b.Fatal(err)
		}
	}
}

func instant(d *db.DB, t time.Time) any {
	if d.Dialect == db.SQLite {
		return t.UnixMicro()
	}
	return t
}

// timings reports the median and the 95th percentile in milliseconds.
func timings(b *testing.B, took []time.Duration) {
	b.Helper()
	slices.Sort(took)
	ms := func(q float64) float64 { return float64(took[int(q*float64(len(took)-1))]) / float64(time.Millisecond) }
	b.ReportMetric(ms(0.50), "p50-ms")
	b.ReportMetric(ms(0.95), "p95-ms")
}

// serve answers the request inside the process: server time, without a network.
func serve(b *testing.B, p *product.Product, r *http.Request, status int) {
	b.Helper()
	w := httptest.NewRecorder()
	p.Handler().ServeHTTP(w, r)
	if w.Code != status {
		b.Fatalf("%s %s: status %d, want %d\n%.500s", r.Method, r.URL, w.Code, status, w.Body)
	}
}

func cookies(b *testing.B, p *product.Product, who *product.Person) []*http.Cookie {
	b.Helper()
	form := url.Values{"email": {who.Email}, "password": {product.Password}, "request_id": {id.Token(10)}}
	r := httptest.NewRequest(http.MethodPost, "/login", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	p.Handler().ServeHTTP(w, r)
	if w.Code != http.StatusSeeOther {
		b.Fatalf("sign in: status %d", w.Code)
	}
	return w.Result().Cookies()
}

func request(method, path string, form url.Values, jar []*http.Cookie) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, c := range jar {
		r.AddCookie(c)
	}
	return r
}

// The session page of 40 sets after about 25,000.
func BenchmarkSessionPage(b *testing.B) {
	each(b, func(b *testing.B, p *product.Product) {
		who, workout, _ := lifter(b, p)
		jar := cookies(b, p, who)
		path := fmt.Sprintf("/workouts/%d/session", workout)
		var took []time.Duration
		b.ReportAllocs()
		for b.Loop() {
			start := time.Now()
			serve(b, p, request(http.MethodGet, path, nil, jar), http.StatusOK)
			took = append(took, time.Since(start))
		}
		timings(b, took)
	})
}

// Done as htmx sends it: the tap is stored and the fragment comes back.
func BenchmarkDone(b *testing.B) {
	each(b, func(b *testing.B, p *product.Product) {
		who, workout, sets := lifter(b, p)
		jar := cookies(b, p, who)
		var took []time.Duration
		b.ReportAllocs()
		for n := 0; b.Loop(); n++ {
			form := url.Values{
				"done": {[]string{"1", "0"}[n/len(sets)%2]}, "request_id": {id.Token(10)},
				"workspace": {fmt.Sprint(int64(who.Workspace()))},
			}
			r := request(http.MethodPost, fmt.Sprintf("/workouts/%d/sets/%d/complete", workout, sets[n%len(sets)]), form, jar)
			r.Header.Set("HX-Request", "true")
			r.Header.Set("HX-Target", "div#session-body")
			start := time.Now()
			serve(b, p, r, http.StatusOK)
			took = append(took, time.Since(start))
		}
		timings(b, took)
	})
}

// One week of Block 0, 28 sets, after five years of history. The workout is
// deleted between two runs, outside the measured time.
func BenchmarkGenerateWeek(b *testing.B) {
	each(b, func(b *testing.B, p *product.Product) {
		who := p.Person(b, "old@hand.example")
		writeHistory(b, p, who)
		block := who.Must("seed_program", map[string]any{})["id"]
		var took []time.Duration
		b.ReportAllocs()
		for b.Loop() {
			start := time.Now()
			made := who.Must("generate_program_week", map[string]any{"program_id": block, "week": 1})
			took = append(took, time.Since(start))
			b.StopTimer()
			workout := made["workouts"].([]any)[0].(map[string]any)["id"]
			who.Must("delete_workout", map[string]any{"workout_id": workout})
			b.StartTimer()
		}
		timings(b, took)
	})
}

// A read through the gate, as assistants make it.
func BenchmarkGetWorkout(b *testing.B) {
	each(b, func(b *testing.B, p *product.Product) {
		who, workout, _ := lifter(b, p)
		args := fmt.Appendf(nil, `{"workout_id":%d}`, workout)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := p.Gate.Call(b.Context(), who.Caller, gate.Request{Plate: "training", Tool: "get_workout", Args: args}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
