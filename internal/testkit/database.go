package testkit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"tectonic/internal/bedrock/db"
)

// Setup loads the standing data of a template, after its migrations.
type Setup = func(context.Context, *db.Tx) error

// Lines are the migrations that DB and Each apply, in order, and Standing
// loads the data that is there before the first sign-up. Whoever knows every
// plate replaces both before the first test.
var (
	Lines    = []db.Line{db.Bedrock}
	Standing Setup
)

// Adjust changes how a test's database is opened: its clock, its log.
type Adjust = func(*db.Options)

// DB returns a migrated SQLite database that is gone after the test.
func DB(t testing.TB, adjust ...Adjust) *db.DB {
	t.Helper()
	return sqliteFrom(t, Lines, Standing, adjust)
}

// DBWith is DB with other migrations and other standing data; setup may be nil.
func DBWith(t testing.TB, lines []db.Line, setup Setup) *db.DB {
	t.Helper()
	return sqliteFrom(t, lines, setup, nil)
}

// Each runs fn as sub-test "sqlite" and, when TEST_DATABASE_URL is set, as
// sub-test "postgres", each with a migrated database of its own.
func Each(t *testing.T, fn func(*testing.T, *db.DB), adjust ...Adjust) {
	t.Helper()
	EachWith(t, Lines, Standing, fn, adjust...)
}

// EachWith is Each with other migrations and other standing data; setup may be
// nil.
func EachWith(t *testing.T, lines []db.Line, setup Setup, fn func(*testing.T, *db.DB), adjust ...Adjust) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { fn(t, sqliteFrom(t, lines, setup, adjust)) })
	if server := os.Getenv("TEST_DATABASE_URL"); server != "" {
		t.Run("postgres", func(t *testing.T) { fn(t, postgresFrom(t, server, lines, setup, adjust)) })
	}
}

// EachEmpty runs fn on both engines with the options of a database that has no
// tables yet, for tests of migrations. Several handles may be opened on it.
func EachEmpty(t *testing.T, fn func(*testing.T, db.Options)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		fn(t, db.Options{Path: filepath.Join(t.TempDir(), "test.db"), Sync: "normal"})
	})
	if server := os.Getenv("TEST_DATABASE_URL"); server != "" {
		t.Run("postgres", func(t *testing.T) {
			fn(t, db.Options{URL: createDatabase(t, server, "")})
		})
	}
}

func sqliteFrom(t testing.TB, lines []db.Line, setup Setup, adjust []Adjust) *db.DB {
	t.Helper()
	data, err := sqliteTemplates.get(key(lines, setup), func() ([]byte, error) { return makeSQLiteTemplate(lines, setup) })
	if err != nil {
		t.Fatalf("make the SQLite template: %v", err)
	}
	path := filepath.Join(t.TempDir(), "test.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return open(t, db.Options{Path: path, Sync: "normal"}, adjust)
}

func open(t testing.TB, o db.Options, adjust []Adjust) *db.DB {
	t.Helper()
	for _, change := range adjust {
		change(&o)
	}
	d, err := db.Open(context.Background(), o)
	if err != nil {
		t.Fatalf("open the test database: %v", err)
	}
	t.Cleanup(d.Close)
	return d
}

// makeSQLiteTemplate returns the bytes of a migrated file.
func makeSQLiteTemplate(lines []db.Line, setup Setup) ([]byte, error) {
	dir, err := os.MkdirTemp("", "tectonic-template-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	d, err := db.Open(ctx, db.Options{Path: filepath.Join(dir, "template.db"), Sync: "normal"})
	if err != nil {
		return nil, err
	}
	defer d.Close()
	if err := d.Migrate(ctx, lines, setup); err != nil {
		return nil, err
	}
	whole := filepath.Join(dir, "whole.db")
	if err := d.Backup(ctx, whole); err != nil {
		return nil, err
	}
	return os.ReadFile(whole)
}

// templates holds what was made once per test binary, by what went into it.
type templates[T any] struct {
	mu   sync.Mutex
	made map[string]func() (T, error)
}

func (ts *templates[T]) get(key string, build func() (T, error)) (T, error) {
	ts.mu.Lock()
	once, ok := ts.made[key]
	if !ok {
		if ts.made == nil {
			ts.made = map[string]func() (T, error){}
		}
		once = sync.OnceValues(build)
		ts.made[key] = once
	}
	ts.mu.Unlock()
	return once()
}

var (
	sqliteTemplates   templates[[]byte]
	postgresTemplates templates[string]
)

// key names a template by its lines and its setup function.
func key(lines []db.Line, setup Setup) string {
	var names []string
	for _, l := range lines {
		names = append(names, fmt.Sprintf("%s:%v", l.Name, l.SQLite))
	}
	return fmt.Sprintf("%s|%x", strings.Join(names, ","), reflect.ValueOf(setup).Pointer())
}
