package db_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/testkit"
)

func TestOpenWithoutADatabase(t *testing.T) {
	t.Parallel()
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]db.Options{
		"a server that is not there": {URL: "postgres://u@127.0.0.1:1/x?sslmode=disable"},
		"a folder that is a file":    {Path: filepath.Join(blocked, "test.db")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := db.Open(t.Context(), o)
			if r := fault.From(err); r.Code != fault.CodeDBUnavailable || r.ExitCode() != 7 {
				t.Errorf("got %s, %v", r.Code, r.Cause)
			}
		})
	}
	if _, err := db.Open(t.Context(), db.Options{}); err == nil {
		t.Error("nothing was named, and it was opened")
	}
}

func TestOpenNamesTheFileAndTheCause(t *testing.T) {
	t.Parallel()
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"a folder that is a file":               filepath.Join(blocked, "test.db"),
		"a folder in which nothing can be made": "/proc/tectonic.db",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := db.Open(t.Context(), db.Options{Path: path})
			r := fault.From(err)
			if r.Code != fault.CodeDBUnavailable || !strings.Contains(r.Message, path) || strings.Contains(r.Message, "right now") || !strings.Contains(r.Remedy, "--data") {
				t.Errorf("got %s, %q", r.Code, r.Sentence())
			}
		})
	}
}

func TestOpenOfAFileThatMustExist(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "mistyped", "test.db")
	_, err := db.Open(t.Context(), db.Options{Path: path, MustExist: true})
	if r := fault.From(err); r.Code != fault.CodeNotFound || !strings.Contains(r.Message, "No database at "+path) || r.Remedy == "" {
		t.Errorf("got %s, %q", r.Code, r.Sentence())
	}
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("looking made the folder: %v", err)
	}
	openOne(t, db.Options{Path: path})
	openOne(t, db.Options{Path: path, MustExist: true})
}

func TestOpenMakesAPrivateFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new folder", "50% of it?#.db")
	d := openOne(t, db.Options{Path: path})
	if err := d.Migrate(t.Context(), []db.Line{probe}, nil); err != nil {
		t.Fatal(err)
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(path + suffix); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%q: %v, %v, want a private file", suffix, info, err)
		}
	}
}

func TestDurability(t *testing.T) {
	t.Parallel()
	for sync, want := range map[string]int{"": 2, "full": 2, "normal": 1} {
		d := openOne(t, db.Options{Path: filepath.Join(t.TempDir(), "test.db"), Sync: sync})
		var got int
		if err := d.W.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&got); err != nil || got != want {
			t.Errorf("Sync %q is synchronous=%d, %v, want %d", sync, got, err, want)
		}
	}
}

// A full disk is unavailable, changes nothing, and passes.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	d, ctx := testkit.DB(t), t.Context()
	limit := func(pages string) {
		var n int
		if err := d.W.QueryRowContext(ctx, "PRAGMA max_page_count = "+pages).Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	add := func() error {
		return d.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.ExecContext(ctx, insertWorkspace, "big", strings.Repeat("x", 1<<20), dbtype.At(tx.Now()))
			return err
		})
	}
	limit("1") // SQLite takes the present size instead
	if err := add(); fault.From(err).Code != fault.CodeDBUnavailable || !strings.HasPrefix(err.Error(), "The disk is full") {
		t.Errorf("a full disk is %v", err)
	}
	if got := count(t, d, "workspaces"); got != 0 {
		t.Errorf("a failed write left %d rows", got)
	}
	limit("1000000")
	if err := add(); err != nil {
		t.Errorf("there is room again, but %v", err)
	}
}

// A commit that SQLite refuses leaves its transaction open; the one writer
// must be free all the same.
func TestRefusedCommitFreesTheWriter(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		err := d.Write(ctx, func(tx *db.Tx) error {
			for _, s := range []string{
				"CREATE TABLE parents (id INTEGER PRIMARY KEY)",
				"CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)",
			} {
				if _, err := tx.ExecContext(ctx, s); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = d.Write(ctx, func(tx *db.Tx) error {
			tx.OnCommit(func() { t.Error("OnCommit ran after a refused commit") })
			_, err := tx.ExecContext(ctx, "INSERT INTO children (parent) VALUES (7)")
			return err
		})
		if err == nil {
			t.Fatal("the commit passed")
		}
		if err := d.Write(ctx, func(tx *db.Tx) error { return addWorkspace(ctx, tx, "a") }); err != nil {
			t.Errorf("the next write: %v", err)
		}
		if got := count(t, d, "children"); got != 0 {
			t.Errorf("the refused commit left %d rows", got)
		}
	})
}

// Another process holds the file for longer than one is ready to wait.
func TestBusyFile(t *testing.T) {
	t.Parallel()
	d, ctx := testkit.DB(t), t.Context()
	var path string
	if err := d.R.QueryRowContext(ctx, "SELECT file FROM pragma_database_list").Scan(&path); err != nil {
		t.Fatal(err)
	}
	other := openOne(t, db.Options{Path: path})
	err := other.Write(ctx, func(tx *db.Tx) error {
		if err := addWorkspace(ctx, tx, "a"); err != nil {
			return err
		}
		short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		defer cancel()
		start := time.Now()
		err := d.Write(short, func(tx *db.Tx) error { return addWorkspace(ctx, tx, "b") })
		if fault.From(err).Code != fault.CodeDBUnavailable {
			t.Errorf("a busy file is %v", err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("waited %s past its deadline", took)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write(ctx, func(tx *db.Tx) error { return addWorkspace(ctx, tx, "b") }); err != nil {
		t.Errorf("the file is free again, but %v", err)
	}
}

// A COMMIT that is cut may still be carried out by the server, so nobody is
// told that nothing was changed.
func TestACutCommitIsUncertain(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect == db.SQLite {
			t.Skip("SQLite commits in this process: there is no answer that could be lost on its way")
		}
		ctx := t.Context()
		for _, s := range []string{
			"CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$",
			"CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON workspaces DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION dawdle()",
		} {
			if _, err := d.W.ExecContext(ctx, s); err != nil {
				t.Fatal(err)
			}
		}
		d.SetCommitLimit(100 * time.Millisecond)
		err := d.Write(ctx, func(tx *db.Tx) error { return addWorkspace(ctx, tx, "a") })
		r := fault.From(err)
		if r.Code != fault.CodeDBUnavailable || !strings.Contains(r.Message, "may or may not") || strings.Contains(r.Sentence(), "o change") || !strings.Contains(r.Remedy, "same request id") {
			t.Errorf("got %s, %q", r.Code, r.Sentence())
		}
	})
}

// disconnect ends every connection to the database of d but its own.
func disconnect(t *testing.T, d *db.DB) {
	t.Helper()
	config := d.Pool.Config().ConnConfig
	conn, err := pgx.Connect(t.Context(), fmt.Sprintf("postgres://%s@%s:%d/%s?sslmode=disable",
		url.PathEscape(config.User), config.Host, config.Port, config.Database))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(),
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")
	if err != nil {
		t.Fatal(err)
	}
}

func TestLostServer(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect == db.SQLite {
			t.Skip("a file has no server")
		}
		ctx := t.Context()
		err := d.Write(ctx, func(tx *db.Tx) error {
			if err := addWorkspace(ctx, tx, "a"); err != nil {
				return err
			}
			disconnect(t, d)
			return addWorkspace(ctx, tx, "b")
		})
		if r := fault.From(err); r.Code != fault.CodeDBUnavailable || !strings.Contains(r.Message, "nothing was changed") {
			t.Errorf("a lost connection is %s, %v", r.Code, err)
		}
		err = d.Write(ctx, func(tx *db.Tx) error {
			err := addWorkspace(ctx, tx, "a")
			disconnect(t, d)
			return err
		})
		if r := fault.From(err); r.Code != fault.CodeDBUnavailable || !strings.Contains(r.Message, "may or may not") {
			t.Errorf("a connection lost in the commit is %s, %q", r.Code, r.Message)
		}
		// Connections that died while they were idle are not noticed by the caller.
		for i := range 3 {
			disconnect(t, d)
			if err := d.Write(ctx, func(tx *db.Tx) error { return addWorkspace(ctx, tx, fmt.Sprint(i)) }); err != nil {
				t.Errorf("write after a restart: %v, %v", err, errors.Unwrap(err))
			}
			disconnect(t, d)
			if got := count(t, d, "workspaces"); got != i+1 {
				t.Errorf("got %d rows, want %d", got, i+1)
			}
			disconnect(t, d)
			if err := d.Ping(ctx); err != nil {
				t.Errorf("ping after a restart: %v", err)
			}
		}
	})
}
