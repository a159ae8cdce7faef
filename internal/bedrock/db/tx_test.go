package db_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/testkit"
)

const insertWorkspace = `INSERT INTO workspaces (uid, name, time_zone, created_at) VALUES ($1, $2, 'UTC', $3)`

// addWorkspace inserts one row under a uid.
func addWorkspace(ctx context.Context, tx *db.Tx, uid string) error {
	_, err := tx.ExecContext(ctx, insertWorkspace, uid, "Home", dbtype.At(tx.Now()))
	return err
}

func count(t *testing.T, d *db.DB, table string) (n int) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		return tx.QueryRowContext(t.Context(), "SELECT count(*) FROM "+table).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestWrite(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		var done []string
		err := d.Write(ctx, func(tx *db.Tx) error {
			tx.OnCommit(func() { done = append(done, "first") })
			// The writer is free again when this runs.
			tx.OnCommit(func() {
				done = append(done, fmt.Sprint(d.Write(ctx, func(tx *db.Tx) error { return addWorkspace(ctx, tx, "b") })))
			})
			return addWorkspace(ctx, tx, "a")
		})
		if err != nil || !cmp.Equal(done, []string{"first", "<nil>"}) {
			t.Fatalf("got %v, after the commit %q", err, done)
		}
		mistake := errors.New("mistake")
		err = d.Write(ctx, func(tx *db.Tx) error {
			tx.OnCommit(func() { t.Error("OnCommit ran after a rollback") })
			if err := addWorkspace(ctx, tx, "c"); err != nil {
				return err
			}
			return mistake
		})
		if !errors.Is(err, mistake) {
			t.Errorf("got %v, want the error of the function", err)
		}
		func() {
			defer func() { _ = recover() }()
			_ = d.Write(ctx, func(tx *db.Tx) error {
				if err := addWorkspace(ctx, tx, "d"); err != nil {
					t.Error(err)
				}
				panic("mistake")
			})
			t.Error("the panic did not pass")
		}()
		if got := count(t, d, "workspaces"); got != 2 {
			t.Errorf("got %d rows, want the 2 that were committed", got)
		}
	})
}

func TestReadRefusesToWrite(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Read(t.Context(), func(tx *db.Tx) error {
			if !tx.ReadOnly() {
				t.Error("the transaction does not say that it is read-only")
			}
			return addWorkspace(t.Context(), tx, "a")
		})
		if !db.IsReadOnly(err) {
			t.Fatalf("got %v, want the engine's refusal", err)
		}
		if r, ok := errors.AsType[*fault.Refusal](err); ok {
			t.Errorf("a mistake of ours is shown as %s", r.Code)
		}
	})
}

func TestReadSeesOneSnapshot(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		err := d.Read(ctx, func(tx *db.Tx) error {
			var before, after int
			if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM workspaces").Scan(&before); err != nil {
				return err
			}
			if err := d.Write(ctx, func(w *db.Tx) error { return addWorkspace(ctx, w, "a") }); err != nil {
				return err
			}
			if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM workspaces").Scan(&after); err != nil {
				return err
			}
			if before != after {
				t.Errorf("saw %d rows, then %d", before, after)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestUniqueViolation(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		add := func() error {
			return d.Write(t.Context(), func(tx *db.Tx) error { return addWorkspace(t.Context(), tx, "same") })
		}
		if err := add(); err != nil {
			t.Fatal(err)
		}
		if err := add(); !db.IsUnique(err) {
			t.Errorf("got %v, want a unique violation", err)
		}
		if db.IsUnique(errors.New("other")) {
			t.Error("any error is a unique violation")
		}
	})
}

// Every node reads and then writes the same row; none of the changes is lost.
func TestWritersDoNotLoseUpdates(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		if err := d.Write(ctx, func(tx *db.Tx) error { return addWorkspace(ctx, tx, "0") }); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 10 {
					err := d.Write(ctx, func(tx *db.Tx) error {
						_, err := tx.ExecContext(ctx, "UPDATE workspaces SET uid = CAST(CAST(uid AS BIGINT) + 1 AS TEXT)")
						return err
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		var uid string
		err := d.Read(ctx, func(tx *db.Tx) error {
			return tx.QueryRowContext(ctx, "SELECT uid FROM workspaces").Scan(&uid)
		})
		if err != nil || uid != "80" {
			t.Errorf("counted to %s, %v, want 80", uid, err)
		}
	})
}

// Two transactions that lock two rows in opposite order: PostgreSQL ends one
// of them, and it is run again.
func TestDeadlockIsRunAgain(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		if d.Dialect == db.SQLite {
			t.Skip("one writer cannot deadlock")
		}
		ctx := t.Context()
		err := d.Write(ctx, func(tx *db.Tx) error {
			return errors.Join(addWorkspace(ctx, tx, "a"), addWorkspace(ctx, tx, "b"))
		})
		if err != nil {
			t.Fatal(err)
		}
		var both, wg sync.WaitGroup
		both.Add(2)
		var mu sync.Mutex
		attempts, commits := 0, 0
		cross := func(first, second string) {
			var once sync.Once
			err := d.Write(ctx, func(tx *db.Tx) error {
				mu.Lock()
				attempts++
				mu.Unlock()
				tx.OnCommit(func() { mu.Lock(); commits++; mu.Unlock() })
				touch := "UPDATE workspaces SET name = name WHERE uid = $1"
				if _, err := tx.ExecContext(ctx, touch, first); err != nil {
					return err
				}
				once.Do(func() { both.Done(); both.Wait() })
				_, err := tx.ExecContext(ctx, touch, second)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
		wg.Go(func() { cross("a", "b") })
		wg.Go(func() { cross("b", "a") })
		wg.Wait()
		if attempts < 3 || commits != 2 {
			t.Errorf("got %d attempts and %d commits, want a third attempt and 2 commits", attempts, commits)
		}
	})
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		slow := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000) SELECT count(*) FROM n"
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		for name, door := range map[string]func(context.Context, func(*db.Tx) error) error{"Read": d.Read, "Write": d.Write} {
			err := door(t.Context(), func(tx *db.Tx) error {
				var n int64
				return tx.QueryRowContext(ctx, slow).Scan(&n)
			})
			if code := fault.From(err).Code; code != fault.CodeTimeout {
				t.Errorf("%s: a slow statement is %s: %v", name, code, err)
			}
		}
		// The next one works, whatever became of the connection.
		if err := d.Write(t.Context(), func(tx *db.Tx) error { return addWorkspace(t.Context(), tx, "a") }); err != nil {
			t.Error(err)
		}
	}, func(o *db.Options) { o.Pool = 4 })
}

func TestWaitingForAConnection(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Write(t.Context(), func(*db.Tx) error {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			err := d.Write(ctx, func(*db.Tx) error { return nil }) // waits for itself
			if code := fault.From(err).Code; code != fault.CodeDBUnavailable {
				t.Errorf("a wait for a connection is %s: %v", code, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}, func(o *db.Options) { o.Pool = 1 })
}

func TestCancelledCallIsNotOurFault(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		ctx, cancel := context.WithCancel(t.Context())
		err := d.Write(ctx, func(tx *db.Tx) error {
			defer cancel()
			return addWorkspace(ctx, tx, "a")
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the cancellation", err)
		}
		if got := count(t, d, "workspaces"); got != 0 {
			t.Errorf("a cancelled call left %d rows", got)
		}
	})
}

func TestOneTimestampPerTransaction(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 18, 30, 0, 123456789, time.FixedZone("east", 3600))
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Read(t.Context(), func(tx *db.Tx) error {
			if want := now.UTC().Truncate(time.Microsecond); tx.Now() != want {
				t.Errorf("got %v, want %v", tx.Now(), want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}, func(o *db.Options) { o.Now = func() time.Time { return now } })
}

func TestStatementLog(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	logs := map[db.Dialect]*bytes.Buffer{}
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		if err := d.Write(t.Context(), func(tx *db.Tx) error { return addWorkspace(t.Context(), tx, "a-b-c") }); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, want := range []string{"INSERT INTO workspaces", "a-b-c", "Home"} {
			if got := logs["last"].String(); !strings.Contains(got, want) {
				t.Errorf("the log lacks %q: %s", want, got)
			}
		}
	}, func(o *db.Options) {
		logs["last"] = &bytes.Buffer{}
		o.StatementLog = slog.New(slog.NewTextHandler(logs["last"], nil))
	})
}

func TestInsertMany(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		insert := func(rows [][]any) error {
			return d.Write(ctx, func(tx *db.Tx) error {
				return tx.InsertMany(ctx, "workspaces", []string{"uid", "name", "time_zone", "created_at"}, rows)
			})
		}
		var rows [][]any
		for i := range 1203 { // three statements
			rows = append(rows, []any{fmt.Sprint(i), "Home", "UTC", dbtype.At(time.Now())})
		}
		if err := insert(rows); err != nil {
			t.Fatal(err)
		}
		if got := count(t, d, "workspaces"); got != len(rows) {
			t.Errorf("got %d rows, want %d", got, len(rows))
		}
		if err := insert(nil); err != nil {
			t.Errorf("no rows: %v", err)
		}
		if err := insert([][]any{{"short"}}); err == nil {
			t.Error("a row with too few values was inserted")
		}
	})
}

func TestColumnTypes(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		kind := map[db.Dialect]string{
			db.SQLite:   "CREATE TABLE kinds (at INTEGER, day TEXT, doc TEXT CHECK (json_valid(doc))) STRICT",
			db.Postgres: "CREATE TABLE kinds (at TIMESTAMPTZ, day DATE, doc JSONB)",
		}[d.Dialect]
		type doc struct{ A []int }
		type row struct {
			At  dbtype.Time
			Day dbtype.Date
			Doc dbtype.JSON[*doc]
		}
		want := []row{
			{dbtype.At(time.Date(2026, 1, 31, 18, 30, 0, 123456789, time.UTC)), "2026-01-31", dbtype.Doc(&doc{A: []int{1, 2}})},
			{dbtype.At(time.Date(1969, 7, 20, 20, 17, 0, 0, time.UTC)), "1969-07-20", dbtype.Doc(&doc{})},
			{},
		}
		var got []row
		err := d.Write(ctx, func(tx *db.Tx) error {
			if _, err := tx.ExecContext(ctx, kind); err != nil {
				return err
			}
			for _, r := range want {
				if _, err := tx.ExecContext(ctx, "INSERT INTO kinds (at, day, doc) VALUES ($1, $2, $3)", r.At, r.Day, r.Doc); err != nil {
					return err
				}
			}
			rows, err := tx.QueryContext(ctx, "SELECT at, day, doc FROM kinds ORDER BY at DESC NULLS LAST")
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				var r row
				if err := rows.Scan(&r.At, &r.Day, &r.Doc); err != nil {
					return err
				}
				got = append(got, r)
			}
			return rows.Err()
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("read back otherwise (-want +got):\n%s", diff)
		}
		var nulls int
		var latest dbtype.Time
		var day dbtype.Date
		err = d.Read(ctx, func(tx *db.Tx) error {
			err := tx.QueryRowContext(ctx, "SELECT count(*) FROM kinds WHERE at IS NULL AND day IS NULL AND doc IS NULL").Scan(&nulls)
			return errors.Join(err, tx.QueryRowContext(ctx,
				"SELECT CAST(max(at) AS TIMESTAMPTZ), CAST(max(day) AS TEXT) FROM kinds").Scan(&latest, &day))
		})
		if err != nil || nulls != 1 || latest != want[0].At || day != want[0].Day {
			t.Errorf("got %d empty rows, latest %v on %s, %v", nulls, latest, day, err)
		}
	})
}

func TestListAsOneParameter(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		err := d.Write(ctx, func(tx *db.Tx) error {
			for _, uid := range []string{"a", "b", "c"} {
				if err := addWorkspace(ctx, tx, uid); err != nil {
					return err
				}
			}
			var n int
			err := tx.QueryRowContext(ctx,
				`SELECT count(*) FROM workspaces WHERE uid IN (SELECT value FROM json_each(CAST($1 AS TEXT)))`,
				`["a","c","x"]`).Scan(&n)
			if n != 2 {
				t.Errorf("found %d rows, want 2", n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
