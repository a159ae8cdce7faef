package db

import (
	"context"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

const askOne = "-- name: One :one\nSELECT count(*) FROM sqlite_schema WHERE name = $1"

// Readers that come together after a start take every connection, and a writer
// has only one: none of them may wait for another to prepare on.
func TestGeneratedQueriesAreKeptWithoutWaiting(t *testing.T) {
	t.Parallel()
	d, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "test.db"), Sync: "normal", Pool: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	ask := func(tx *Tx) error {
		var n int
		if err := tx.QueryRowContext(ctx, "SELECT 1").Scan(&n); err != nil { // made at run time: not kept
			return err
		}
		return tx.QueryRowContext(ctx, askOne, "t").Scan(&n)
	}
	var group sync.WaitGroup
	for range 40 {
		group.Go(func() {
			if err := d.Read(ctx, ask); err != nil {
				t.Errorf("read: %v", err)
			}
			if err := d.Write(ctx, ask); err != nil {
				t.Errorf("write: %v", err)
			}
		})
	}
	group.Wait()
	for pool, kept := range d.kept {
		if len(kept.kept) != 1 {
			t.Errorf("%d statements are kept (writer %v), want 1", len(kept.kept), pool == d.W)
		}
	}
	t.Run("and see a table that is made later", func(t *testing.T) {
		if _, err := d.W.ExecContext(ctx, "CREATE TABLE t (x)"); err != nil {
			t.Fatal(err)
		}
		var n int
		err := d.Read(ctx, func(tx *Tx) error { return tx.QueryRowContext(ctx, askOne, "t").Scan(&n) })
		if err != nil || n != 1 {
			t.Errorf("got %d, %v", n, err)
		}
	})
}
