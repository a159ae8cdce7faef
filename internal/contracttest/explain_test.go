package contracttest

import (
	"cmp"
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
	"tectonic/internal/plates/training/store"
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
	if _, known := h.text[sql]; sql != "" && !known { // the hottest paths walk first
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

// has reports whether the query of that name was heard.
func (h *heard) has(query string) bool {
	for sql := range h.text {
		if strings.HasPrefix(sql, "-- name: "+query+" ") {
			return true
		}
	}
	return false
}

// hot are the queries that the walk must meet; it meets more.
var hot = []string{
	"SessionData", "Identity", // every page
	"Workout", "SetsOfWorkout", "Settings", "Plates", // the session page
	"Set", "LockWorkout", "UpdateSet", "ClaimKey", "Key", "StoreAnswer", "AppendRow", // Done, and Done again
	"Workouts", "CountWorkouts", "UpcomingWorkouts", // the calendar and the list
	"WrittenSets", "EstimateSets", "WorkoutOfDay", // generation
	"BlockWorkouts", "BlockSets", // the block page
	"WorkByDay", "HeaviestByDay", "ExerciseSets", "HeaviestAtReps", "FirstLifted", "BlockLog", "BlockReasons", // the pages of charts
	"WorkoutsLike", // search for a date
	"Readings",     // the trend
}

// grows are the tables that hold a row per set, workout, call or visitor, and
// so must never be read from end to end. The names of their indexes start with
// those of the tables.
var grows = regexp.MustCompile(`^(training_sets|training_workouts|training_health_readings|record_rows|request_keys|sessions|accounts|members|workspaces)`)

// long are those of which one workspace alone has a thousand rows and more.
var long = regexp.MustCompile(`^(training_sets|training_program_(days|lifts)|training_health_readings|record_rows|request_keys)`)

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
			other := p.Person(t, fmt.Sprintf("other-%d@example.com", n))
			writeYears(t, p, other, int64(n+1)*100_000, 3)
			writeReadings(t, p, other, int64(n+1)*100_000)
		}
		analyze(t, d) // and then one lifter brings more than all: no statistics know of that yet
		writeYears(t, p, who, 10_000_000, 20)
		writeReadings(t, p, who, 10_000_000)
		writeVisitors(t, p, who)
		h.forget()
		walkHotPaths(t, p, who)
		for _, query := range hot {
			if !h.has(query) {
				t.Errorf("the walk never ran %s", query)
			}
		}
		check(t, d, h)
		analyze(t, d)
		check(t, d, h)
	}, func(o *db.Options) { o.StatementLog = slog.New(h) })
}

// bounded are queries that find rows by the workspace alone and are meant to.
var bounded = map[string]string{
	"HasReadings":   "it stops at the first row",
	"ReadingGroups": "it counts every reading of one lifter, for the page that lists them",
}

func check(t *testing.T, d *db.DB, h *heard) {
	t.Helper()
	for sql, args := range h.text {
		if bounded[strings.Fields(name(sql))[2]] != "" {
			continue
		}
		for _, scan := range scans(t, d, sql, args) {
			t.Errorf("%s reads a whole table: %s", name(sql), scan)
		}
	}
}

func name(sql string) string {
	first, _, _ := strings.Cut(sql, "\n")
	return first
}

func walkHotPaths(t *testing.T, p *product.Product, who *product.Person) {
	t.Helper()
	program, workout := who.Week()
	b := who.Browser()
	b.Get("/", 200)
	b.Get(fmt.Sprintf("/workouts/%d/session", workout), 200)
	b.Get(fmt.Sprintf("/workouts/%d", workout), 200)
	b.Get("/workouts", 200)
	b.Get("/exercises/1", 200)
	who.Must("set_goal", map[string]any{"exercise": "Back Squat", "target_weight": 205})
	b.Get("/volume?weeks=52", 200)
	b.Get(fmt.Sprintf("/programs/%d/progress", program), 200)
	b.Get("/goals", 200) // last: a built-in lift that everyone trains is the hard case
	done := map[string][]string{"done": {"1"}, "request_id": {"the same tap"}}
	for range 2 { // the second one finds the stored answer
		b.Post(fmt.Sprintf("/workouts/%d/sets/%d/complete", workout, firstSet(t, who, workout)), done, 303)
	}
	b.Get(fmt.Sprintf("/programs/%d", program), 200)
	who.Must("generate_program_week", map[string]any{"program_id": program, "week": 2})
	err := p.DB.Read(t.Context(), func(tx *db.Tx) error { // what a generator does that lost a race
		_, _, err := store.WorkoutOfProgramDay(t.Context(), tx, who.Workspace(), 1)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	who.Must("list_workouts", map[string]any{"from": "2026-01-01", "to": "2026-02-01"})
	walkReading(who, b, program)
}

// walkReading asks for what is read between sessions: the search, the history
// of a movement, how the block goes, the readings of the scale, and their pages.
func walkReading(who *product.Person, b *product.Browser, program int64) {
	who.Must("search", map[string]any{"query": "squat"})
	who.Must("search", map[string]any{"query": "2026-03"})
	who.Must("exercise_history", map[string]any{"exercise": "Back Squat"})
	who.Must("exercise_history", map[string]any{"exercise": "Back Squat", "from": "2026-01-01", "include_planned": true})
	who.Must("block_progress", map[string]any{"program_id": program})
	who.Must("health_readings", map[string]any{"detail": "rows", "limit": 20})
	who.Must("health_readings", map[string]any{"metric": "bodyweight"})
	who.Must("bodyweight_trend", map[string]any{})
	who.Must("body_composition", map[string]any{})
	for _, page := range []string{"/health", "/health/import", "/exercises", "/exercises?q=row", "/volume?weeks=26", "/goals", "/programs"} {
		b.Get(page, 200)
	}
	b.Get(fmt.Sprintf("/programs/%d/progress", program), 200)
}

func firstSet(t *testing.T, who *product.Person, workout int64) int64 {
	t.Helper()
	list := who.Must("get_workout", map[string]any{"workout_id": workout})["set_list"].([]any)
	return int64(list[0].(map[string]any)["id"].(float64))
}

// batch is rows for one table.
type batch struct {
	table   string
	columns []string
	rows    [][]any
}

func (b *batch) add(values ...any) { b.rows = append(b.rows, values) }

func insert(t *testing.T, d *db.DB, batches ...*batch) {
	t.Helper()
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		for _, b := range batches {
			if err := tx.InsertMany(t.Context(), b.table, b.columns, b.rows); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// instant is now as the engine stores it.
func instant(d *db.DB) any {
	if d.Dialect == db.SQLite {
		return d.Now().UnixMicro()
	}
	return d.Now()
}

// writeYears inserts 1,000 workouts, numbered from an id, with some sets each
// and a record row per workout, so that a planner has a reason to use an index.
// Each was written by its own week; four weeks are a block.
func writeYears(t *testing.T, p *product.Product, who *product.Person, from int64, sets int) {
	t.Helper()
	const workouts, liftsPerDay = 1000, 4
	blocks := &batch{table: "training_programs", columns: []string{"id", "workspace_id", "name", "name_key", "start_date", "created_at"}}
	weeks := &batch{table: "training_program_weeks", columns: []string{"id", "workspace_id", "program_id", "number", "created_at"}}
	days := &batch{table: "training_program_days", columns: []string{"id", "workspace_id", "program_week_id", "weekday", "created_at"}}
	lifts := &batch{table: "training_program_lifts", columns: []string{"id", "workspace_id", "program_day_id", "exercise_id", "position", "sets", "reps", "top_weight", "progression", "created_at"}}
	lifted := &batch{table: "training_workouts", columns: []string{"id", "workspace_id", "date", "program_day_id", "created_at"}}
	done := &batch{table: "training_sets", columns: []string{"workspace_id", "workout_id", "exercise_id", "program_lift_id", "position", "measure", "weight", "reps", "is_completed", "is_barbell", "created_at"}}
	calls := &batch{table: "record_rows", columns: []string{"ref", "phase", "at", "workspace_id", "plate", "tool", "transport", "actor_type", "outcome", "contract_version"}}
	ws, at := who.Workspace(), instant(p.DB)
	for n := range int64(workouts) {
		id, block := from+n, from+n/4
		day := p.DB.Now().AddDate(0, 0, int(-2*n-1)).Format(time.DateOnly)
		if n%4 == 0 {
			name := fmt.Sprint("block ", block)
			blocks.add(block, ws, name, name, day, at)
		}
		weeks.add(id, ws, block, n%4+1, at)
		days.add(id, ws, id, int64(1), at)
		lifted.add(id, ws, day, id, at)
		calls.add(fmt.Sprintf("rf_%d", id), "outcome", at, ws, "training", "create_set", "cli", "local_operator", "ok", 4)
		for i := range int64(liftsPerDay) {
			lifts.add(id*liftsPerDay+i, ws, id, i+1, i, int64(5), int64(5), int64(135), "linear", at)
		}
		for i := range int64(sets) {
			lift := i % liftsPerDay
			done.add(ws, id, lift+1, id*liftsPerDay+lift, i+1, "reps", int64(135), int64(5), true, true, at)
		}
	}
	insert(t, p.DB, blocks, weeks, days, lifts, lifted, done, calls)
}

// writeReadings inserts what a scale writes in three years, from one import.
func writeReadings(t *testing.T, p *product.Product, who *product.Person, from int64) {
	t.Helper()
	ws, at := who.Workspace(), instant(p.DB)
	sources := &batch{table: "training_health_sources", columns: []string{"id", "workspace_id", "kind", "name", "created_at"}}
	imports := &batch{table: "training_imports", columns: []string{"id", "workspace_id", "kind", "file_name", "file_sha256", "finished_at", "created_at"}}
	readings := &batch{table: "training_health_readings", columns: []string{"workspace_id", "source_id", "import_id", "metric", "unit", "value_text", "value_milli", "measured_at", "local_day", "created_at"}}
	sources.add(from, ws, "withings", "Scale", at)
	imports.add(from, ws, "withings", "scale.csv", "", at, at)
	for n := range 1000 {
		day := p.DB.Now().AddDate(0, 0, -n)
		measured := any(day)
		if p.DB.Dialect == db.SQLite {
			measured = day.UnixMicro()
		}
		readings.add(ws, from, from, "bodyweight", "lb", "180.5", int64(180_500), measured, day.Format(time.DateOnly), at)
		readings.add(ws, from, from, "body_fat_percent", "%", "21.5", int64(21_500), measured, day.Format(time.DateOnly), at)
	}
	insert(t, p.DB, sources, imports, readings)
}

// writeVisitors inserts what 1,000 other people leave behind: their accounts
// and workspaces, their browsers and the answers to their taps.
func writeVisitors(t *testing.T, p *product.Product, who *product.Person) {
	t.Helper()
	accounts := &batch{table: "accounts", columns: []string{"id", "email", "email_key", "password_hash", "created_at"}}
	workspaces := &batch{table: "workspaces", columns: []string{"id", "uid", "name", "time_zone", "created_at"}}
	members := &batch{table: "members", columns: []string{"workspace_id", "account_id", "role", "created_at"}}
	sessions := &batch{table: "sessions", columns: []string{"token_hash", "data", "expires_at"}}
	keys := &batch{table: "request_keys", columns: []string{"workspace_id", "account_id", "plate", "tool", "request_id", "input_sha256", "created_at"}}
	at := instant(p.DB)
	for n := range int64(1000) {
		id, text := 1_000_000+n, fmt.Sprintf("visitor-%d", n)
		accounts.add(id, text, text, "", at)
		workspaces.add(id, text, text, "UTC", at)
		members.add(id, id, "owner", at)
		sessions.add(text, []byte{0}, p.DB.Now().Unix()+n)
		keys.add(who.Workspace(), who.Caller.Account, "training", "complete_set", text, "", at)
	}
	insert(t, p.DB, accounts, workspaces, members, sessions, keys)
}

func analyze(t *testing.T, d *db.DB) {
	t.Helper()
	if _, err := d.W.ExecContext(t.Context(), "ANALYZE"); err != nil {
		t.Fatal(err)
	}
}

// A step of a plan that reads a table from end to end, and one that finds sets
// or calls by the workspace alone, or by a movement that all workspaces share:
// to one lifter that is the same. PostgreSQL names the index in one line and
// the condition in the next.
var (
	sqliteWhole   = regexp.MustCompile(`^SCAN (\w+)`)
	sqliteOwn     = regexp.MustCompile(`^SEARCH (\w+) (?:.*\(workspace_id=\?\)|USING INDEX .*\(exercise_id=\?\))$`) // foreign keys are checked in a covering index
	postgresWhole = regexp.MustCompile(`Seq Scan on (\w+)`)
	bitmapPart    = regexp.MustCompile(`Bitmap Index Scan|Index Cond:`)
	postgresOwn   = regexp.MustCompile(`Scan.* on (\w+)[^\n]*\n +Index Cond: \((?:\w+\.)?(?:workspace_id|exercise_id) = [^ )]+\)$`)
)

// scans returns the steps of the plan that read a growing table, or most of a
// long one.
func scans(t *testing.T, d *db.DB, sql string, args []any) (found []string) {
	t.Helper()
	explain, whole, own := "EXPLAIN QUERY PLAN ", sqliteWhole, sqliteOwn
	if d.Dialect == db.Postgres {
		explain, whole, own = "EXPLAIN ", postgresWhole, postgresOwn
	}
	aliases := map[string]string{}
	for _, m := range alias.FindAllStringSubmatch(sql, -1) {
		aliases[m[2]] = m[1]
	}
	steps := plan(t, d, explain+sql, args)
	both := false // of two indexes: only rows that are in each are read
	for n, step := range steps {
		if both = strings.Contains(step, "BitmapAnd") || both && bitmapPart.MatchString(step); both {
			continue
		}
		if d.Dialect == db.Postgres && n+1 < len(steps) {
			step += "\n" + steps[n+1]
		}
		for shape, tables := range map[*regexp.Regexp]*regexp.Regexp{whole: grows, own: long} {
			m := shape.FindStringSubmatch(step)
			if m == nil {
				continue
			}
			table := tables.FindString(cmp.Or(aliases[m[1]], m[1]))
			if table != "" && !small(t, d, table) {
				found = append(found, step)
			}
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
