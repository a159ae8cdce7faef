package db_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/testkit"
)

// alone is a line of one table in the text that both engines read.
func alone(files map[string]string) db.Line {
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + text)}
	}
	return db.Line{Name: "probe", Postgres: folder, SQLite: folder}
}

var probe = alone(map[string]string{
	"00001_stones.sql": "CREATE TABLE stones (id INTEGER PRIMARY KEY, name TEXT NOT NULL);\nCREATE INDEX stones_name ON stones (name);",
	"00002_weight.sql": "ALTER TABLE stones ADD COLUMN weight_lb INTEGER;",
})

func openOne(t *testing.T, o db.Options) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// addStone is a setup that would fail the second time if it did not look.
func addStone(ctx context.Context, tx *db.Tx) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO stones (id, name) VALUES (1, 'granite') ON CONFLICT (id) DO NOTHING")
	return err
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	testkit.EachEmpty(t, func(t *testing.T, o db.Options) {
		d, lines := openOne(t, o), []db.Line{db.Bedrock, probe}
		behind, err := d.Behind(t.Context(), lines)
		if want := []string{"bedrock 00001_bedrock", "bedrock 00002_last_use", "bedrock 00003_members", "probe 00001_stones", "probe 00002_weight"}; err != nil || !cmp.Equal(behind, want) {
			t.Fatalf("an empty database is behind by %q, %v", behind, err)
		}
		for range 2 {
			if err := d.Migrate(t.Context(), lines, addStone); err != nil {
				t.Fatal(err)
			}
		}
		status, err := d.Status(t.Context(), lines)
		want := []db.LineStatus{
			{Line: "bedrock", Applied: []string{"00001_bedrock", "00002_last_use", "00003_members"}},
			{Line: "probe", Applied: []string{"00001_stones", "00002_weight"}},
		}
		if diff := cmp.Diff(want, status, cmpopts.IgnoreFields(db.LineStatus{}, "When")); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
		for _, s := range status {
			if len(s.When) != len(s.Applied) || time.Since(s.When[0]).Abs() > time.Minute {
				t.Errorf("%s was applied at %v", s.Line, s.When)
			}
		}
		if got := count(t, d, "stones"); got != 1 {
			t.Errorf("setup left %d rows, want 1", got)
		}
	})
}

func TestMigrateFailureLeavesTheStepOut(t *testing.T) {
	t.Parallel()
	testkit.EachEmpty(t, func(t *testing.T, o db.Options) {
		d := openOne(t, o)
		broken := alone(map[string]string{
			"00001_stones.sql": "CREATE TABLE stones (id INTEGER PRIMARY KEY);",
			"00002_wrong.sql":  "CREATE TABLE sand (id INTEGER PRIMARY KEY);\nCREATE TABLE stones (id INTEGER);",
		})
		if err := d.Migrate(t.Context(), []db.Line{broken}, nil); err == nil || !strings.Contains(err.Error(), "00002_wrong") {
			t.Fatalf("got %v, want an error that names the file", err)
		}
		behind, err := d.Behind(t.Context(), []db.Line{broken})
		if err != nil || !cmp.Equal(behind, []string{"probe 00002_wrong"}) {
			t.Errorf("behind by %q, %v", behind, err)
		}
		fixed := alone(map[string]string{
			"00001_stones.sql": "CREATE TABLE stones (id INTEGER PRIMARY KEY);",
			"00002_wrong.sql":  "CREATE TABLE sand (id INTEGER PRIMARY KEY);",
		})
		if err := d.Migrate(t.Context(), []db.Line{fixed}, nil); err != nil {
			t.Errorf("the lock or half a step was left behind: %v", err)
		}
	})
}

func TestMigrateAdopts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		there []string
		want  []string // applied by adoption or by running
		fails string
	}{
		"tables of the first step": {
			there: []string{"CREATE TABLE stones (id INTEGER PRIMARY KEY, name TEXT NOT NULL)", "CREATE INDEX stones_name ON stones (name)", "INSERT INTO stones (id, name) VALUES (7, 'slate')"},
			want:  []string{"00001_stones", "00002_weight"},
		},
		"everything": {
			there: []string{"CREATE TABLE stones (id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight_lb INTEGER)", "CREATE INDEX stones_name ON stones (name)", "INSERT INTO stones (id, name) VALUES (7, 'slate')"},
			want:  []string{"00001_stones", "00002_weight"},
		},
		"half of the first step": {
			there: []string{"CREATE TABLE stones (id INTEGER PRIMARY KEY, name TEXT NOT NULL)", "INSERT INTO stones (id, name) VALUES (7, 'slate')"},
			fails: "stones_name",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.EachEmpty(t, func(t *testing.T, o db.Options) {
				d := openOne(t, o)
				err := d.Write(t.Context(), func(tx *db.Tx) error {
					var errs []error
					for _, s := range c.there {
						_, err := tx.ExecContext(t.Context(), s)
						errs = append(errs, err)
					}
					return errors.Join(errs...)
				})
				if err != nil {
					t.Fatal(err)
				}
				err = d.Migrate(t.Context(), []db.Line{probe}, nil)
				if c.fails != "" {
					if err == nil || !strings.Contains(err.Error(), c.fails) {
						t.Errorf("got %v, want an error about %s", err, c.fails)
					}
				} else if err != nil {
					t.Fatal(err)
				}
				status, err := d.Status(t.Context(), []db.Line{probe})
				if err != nil || !cmp.Equal(status[0].Applied, c.want) {
					t.Errorf("applied %q, %v, want %q", status[0].Applied, err, c.want)
				}
				if got := count(t, d, "stones"); got != 1 {
					t.Errorf("%d rows are left, want the 1 that was there", got)
				}
			})
		})
	}
}

// Six nodes start at once on a new database: every migration runs once.
func TestSixNodesStartAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachEmpty(t, func(t *testing.T, o db.Options) {
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				d, err := db.Open(t.Context(), o)
				if err != nil {
					t.Error(err)
					return
				}
				defer d.Close()
				if err := d.Migrate(t.Context(), []db.Line{db.Bedrock, probe}, addStone); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := count(t, openOne(t, o), "schema_probe"); got != 3 { // goose's zero and two steps
			t.Errorf("the version table has %d rows, want 3", got)
		}
	})
}

// node is set in the environment of the processes of the next test.
const node = "TECTONIC_TEST_NODE"

func TestSixProcessesStartAtOnce(t *testing.T) {
	if target := os.Getenv(node); target != "" {
		migrateAsNode(t, target)
		return
	}
	t.Parallel()
	testkit.EachEmpty(t, func(t *testing.T, o db.Options) {
		var wg sync.WaitGroup
		for range 6 {
			wg.Go(func() {
				c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSixProcessesStartAtOnce$", "-test.count=1")
				c.Env = append(os.Environ(), node+"="+o.URL+o.Path)
				if out, err := c.CombinedOutput(); err != nil {
					t.Errorf("%v: %s", err, out)
				}
			})
		}
		wg.Wait()
		if got := count(t, openOne(t, o), "schema_probe"); got != 3 {
			t.Errorf("the version table has %d rows, want 3", got)
		}
	})
}

func migrateAsNode(t *testing.T, target string) {
	o := db.Options{Path: target}
	if strings.HasPrefix(target, "postgres://") {
		o = db.Options{URL: target}
	}
	if err := openOne(t, o).Migrate(t.Context(), []db.Line{db.Bedrock, probe}, addStone); err != nil {
		t.Fatal(err)
	}
}

// A node that waits for another's migrations stops waiting with its context.
func TestMigrationLockWaits(t *testing.T) {
	t.Parallel()
	testkit.EachEmpty(t, func(t *testing.T, o db.Options) {
		first, second := openOne(t, o), openOne(t, o)
		err := first.Migrate(t.Context(), []db.Line{probe}, func(context.Context, *db.Tx) error {
			ctx, cancel := context.WithTimeout(t.Context(), 250*time.Millisecond)
			defer cancel()
			err := second.Migrate(ctx, []db.Line{probe}, nil)
			if code := fault.From(err).Code; code != fault.CodeDBUnavailable {
				t.Errorf("the second node got %v", err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := second.Migrate(t.Context(), []db.Line{probe}, nil); err != nil {
			t.Errorf("the lock was not given back: %v", err)
		}
	})
}

// Both dialects make the same tables with the same columns.
func TestMigrationParity(t *testing.T) {
	t.Parallel()
	for _, line := range testkit.Lines {
		names := func(files fs.FS) []string {
			all, err := fs.Glob(files, "*.sql")
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		if diff := cmp.Diff(names(line.SQLite), names(line.Postgres)); diff != "" {
			t.Errorf("files of %s differ (-sqlite +postgres):\n%s", line.Name, diff)
		}
	}
	var shapes [][]db.Column
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Read(t.Context(), func(tx *db.Tx) error {
			columns, err := db.Columns(t.Context(), tx)
			shapes = append(shapes, columns)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	for _, other := range shapes[1:] {
		if diff := cmp.Diff(shapes[0], other); diff != "" {
			t.Errorf("columns differ (-sqlite +postgres):\n%s", diff)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		findings, err := d.Check(t.Context(), testkit.Lines)
		if err != nil || len(findings) < 3 {
			t.Fatalf("got %v, %v", findings, err)
		}
		for _, f := range findings {
			if !f.OK {
				t.Errorf("a new database: %s: %s", f.Check, f.Detail)
			}
		}
		orphan(t, d)
		findings, err = d.Check(t.Context(), []db.Line{db.Bedrock, probe})
		if err != nil {
			t.Fatal(err)
		}
		bad := map[string]bool{}
		for _, f := range findings {
			bad[f.Check] = !f.OK
		}
		want := map[db.Dialect]map[string]bool{
			db.SQLite:   {"migrations": true, "workspaces": true, "foreign_keys": true, "integrity": false},
			db.Postgres: {"migrations": true, "workspaces": true, "clock": false},
		}[d.Dialect]
		if diff := cmp.Diff(want, bad); diff != "" {
			t.Errorf("%v (-want +got):\n%s", findings, diff)
		}
	})
}

// orphan stores a row of a workspace that does not exist, past the keys.
func orphan(t *testing.T, d *db.DB) {
	t.Helper()
	off := map[db.Dialect]string{db.SQLite: "PRAGMA foreign_keys = 0", db.Postgres: "SET session_replication_role = replica"}
	on := map[db.Dialect]string{db.SQLite: "PRAGMA foreign_keys = 1", db.Postgres: "SET session_replication_role = DEFAULT"}
	conn, err := d.W.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	insert := `INSERT INTO request_keys (workspace_id, account_id, plate, tool, request_id, input_sha256, created_at)
		VALUES (99, 1, 'p', 't', 'r', 'h', ` + map[db.Dialect]string{db.SQLite: "0", db.Postgres: "now()"}[d.Dialect] + `)`
	for _, s := range []string{off[d.Dialect], insert, on[d.Dialect]} {
		if _, err := conn.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		if err := d.Write(ctx, func(tx *db.Tx) error { return addWorkspace(ctx, tx, "kept") }); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "it's a copy.db")
		err := d.Backup(ctx, file)
		if d.Dialect == db.Postgres {
			r := fault.From(err)
			if r.ExitCode() != 2 || !strings.Contains(r.Remedy, "pg_dump -Fc --file='") {
				t.Errorf("got %d, %q, want the line to run", r.ExitCode(), r.Message)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the copy is %v, %v, want it private", info.Mode(), err)
		}
		restored := openOne(t, db.Options{Path: file})
		if got := count(t, restored, "workspaces"); got != 1 {
			t.Errorf("the copy has %d workspaces, want 1", got)
		}
		if behind, err := restored.Behind(ctx, testkit.Lines); err != nil || len(behind) > 0 {
			t.Errorf("the copy is behind by %q, %v", behind, err)
		}
		if err := d.Backup(ctx, file); fault.From(err).Code != fault.CodeBadArguments {
			t.Errorf("a backup over a file: %v", err)
		}
	})
}

func TestBackupWhileOthersWrite(t *testing.T) {
	t.Parallel()
	d, ctx := testkit.DB(t), t.Context()
	stop, stopped := make(chan struct{}), make(chan error)
	go func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				stopped <- nil
				return
			default:
			}
			err := d.Write(ctx, func(tx *db.Tx) error { return addWorkspace(ctx, tx, time.Now().String()) })
			if err != nil {
				stopped <- err
				return
			}
		}
	}()
	for _, name := range []string{"1.db", "2.db", "3.db"} {
		if err := d.Backup(ctx, filepath.Join(t.TempDir(), name)); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

var _ interface {
	ExecContext(context.Context, string, ...any) (sql.Result, error)
	PrepareContext(context.Context, string) (*sql.Stmt, error)
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	QueryRowContext(context.Context, string, ...any) *sql.Row
} = (*db.Tx)(nil)
