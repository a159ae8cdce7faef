package contracttest

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/testkit"
	"tectonic/internal/testkit/product"
)

// heard collects the statements of a handler by their text.
type heard struct {
	mu   sync.Mutex
	text map[string][]any
}

func (h *heard) Enabled(context.Context, slog.Level) bool { return true }
func (h *heard) WithAttrs([]slog.Attr) slog.Handler       { return h }
func (h *heard) WithGroup(string) slog.Handler            { return h }
func (h *heard) Handle(_ context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var sql string
	var args []any
	r.Attrs(func(a slog.Attr) bool {
		switch v := a.Value.Any().(type) {
		case string:
			if strings.Contains(v, "-- name:") {
				sql = v
			}
		case []any:
			args = v
		}
		return true
	})
	if sql != "" {
		h.text[sql] = args
	}
	return nil
}

// forget drops what was heard of the preparations.
func (h *heard) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = map[string][]any{}
}

// grows are the tables that hold a row per set, workout, call or visitor, and
// so must never be read from end to end.
var grows = regexp.MustCompile(`\b(training_sets|training_workouts|record_rows|request_keys|sessions|accounts|members)\b`)

// alias finds the short names of the tables, by which SQLite's plans call them.
var alias = regexp.MustCompile(`(?i)\b(?:FROM|JOIN)\s+(\w+)\s+AS\s+(\w+)`)

// Every statement of the hot paths (sign-in to calendar, session page, Done,
// generation) finds its rows by an index on both engines, with five years of
// history in the tables.
func TestHotPathsUseIndexes(t *testing.T) {
	t.Parallel()
	catalog := app.Catalog()
	h := &heard{text: map[string][]any{}}
	testkit.EachWith(t, app.Lines(catalog), app.Setup(catalog), func(t *testing.T, d *db.DB) {
		p := product.New(t, d)
		who := p.Person(t, "lifter@example.com")
		// Others train too, so that one lifter's rows are a small part of each table.
		for n := range 8 {
			writeYears(t, p, p.Person(t, fmt.Sprintf("other-%d@example.com", n)), int64(n+1)*100_000, 3)
		}
		writeYears(t, p, who, 10_000_000, 20)
		analyze(t, d)
		h.forget()
		walkHotPaths(t, who)
		if len(h.text) < 20 {
			t.Fatalf("only %d statements were heard", len(h.text))
		}
		for sql, args := range h.text {
			for _, scan := range scans(t, d, sql, args) {
				t.Errorf("%s reads a whole table: %s", name(sql), scan)
			}
		}
	}, func(o *db.Options) { o.StatementLog = slog.New(h) })
}

func name(sql string) string {
	first, _, _ := strings.Cut(sql, "\n")
	return first
}

func walkHotPaths(t *testing.T, who *product.Person) {
	t.Helper()
	program, workout := who.Week()
	b := who.Browser()
	b.Get("/", 200)
	b.Get(fmt.Sprintf("/workouts/%d/session", workout), 200)
	b.Get(fmt.Sprintf("/workouts/%d", workout), 200)
	b.Get("/workouts", 200)
	b.Get("/exercises/1", 200)
	b.Post(fmt.Sprintf("/workouts/%d/sets/%d/complete", workout, firstSet(t, who, workout)), map[string][]string{"done": {"1"}}, 303)
	who.Must("generate_program_week", map[string]any{"program_id": program, "week": 2})
	who.Must("list_workouts", map[string]any{"from": "2026-01-01", "to": "2026-02-01"})
}

func firstSet(t *testing.T, who *product.Person, workout int64) int64 {
	t.Helper()
	list := who.Must("get_workout", map[string]any{"workout_id": workout})["set_list"].([]any)
	return int64(list[0].(map[string]any)["id"].(float64))
}

// writeYears inserts 1,000 workouts, numbered from an id, with some sets each
// and a record row per workout, so that a planner has a reason to use an index.
func writeYears(t *testing.T, p *product.Product, who *product.Person, from int64, sets int) {
	t.Helper()
	const workouts = 1000
	err := p.DB.Write(t.Context(), func(tx *db.Tx) error {
		var w, s, r [][]any
		at := any(tx.Now())
		if p.DB.Dialect == db.SQLite {
			at = tx.Now().UnixMicro()
		}
		for n := range workouts {
			id := from + int64(n)
			w = append(w, []any{id, who.Workspace(), tx.Now().AddDate(0, 0, -2*n-1).Format(time.DateOnly), at})
			r = append(r, []any{fmt.Sprintf("rf_%d", id), "outcome", at, who.Workspace(), "training", "create_set", "cli", "local_operator", "ok", 4})
			for i := range sets {
				s = append(s, []any{who.Workspace(), id, int64(1 + i), int64(i + 1), "reps", int64(135), int64(5), true, true, at})
			}
		}
		for _, batch := range []struct {
			table   string
			columns []string
			rows    [][]any
		}{
			{"training_workouts", []string{"id", "workspace_id", "date", "created_at"}, w},
			{"training_sets", []string{"workspace_id", "workout_id", "exercise_id", "position", "measure", "weight", "reps", "is_completed", "is_barbell", "created_at"}, s},
			{"record_rows", []string{"ref", "phase", "at", "workspace_id", "plate", "tool", "transport", "actor_type", "outcome", "contract_version"}, r},
		} {
			if err := tx.InsertMany(t.Context(), batch.table, batch.columns, batch.rows); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func analyze(t *testing.T, d *db.DB) {
	t.Helper()
	if _, err := d.W.ExecContext(t.Context(), "ANALYZE"); err != nil {
		t.Fatal(err)
	}
}

// scans returns the steps of the plan that read a growing table from end to
// end.
func scans(t *testing.T, d *db.DB, sql string, args []any) []string {
	t.Helper()
	explain, sequential := "EXPLAIN QUERY PLAN ", regexp.MustCompile(`^SCAN (\w+)$`)
	if d.Dialect == db.Postgres {
		explain, sequential = "EXPLAIN ", regexp.MustCompile(`Seq Scan on (\w+)`)
	}
	tables := map[string]string{}
	for _, m := range alias.FindAllStringSubmatch(sql, -1) {
		tables[m[2]] = m[1]
	}
	var found []string
	for _, step := range plan(t, d, explain+sql, args) {
		m := sequential.FindStringSubmatch(step)
		if m == nil {
			continue
		}
		table := m[1]
		if full, ok := tables[table]; ok {
			table = full
		}
		if grows.MatchString(table) && !small(t, d, table) {
			found = append(found, step)
		}
	}
	return found
}

// small reports whether a table has so few rows here that a planner rightly
// reads it whole.
func small(t *testing.T, d *db.DB, table string) bool {
	t.Helper()
	return number(t, d, "SELECT count(*) FROM "+table) < 500
}

func plan(t *testing.T, d *db.DB, sql string, args []any) []string {
	t.Helper()
	rows, err := d.W.QueryContext(t.Context(), sql, args...)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var steps []string
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, fmt.Sprint(*values[len(values)-1].(*any)))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}
