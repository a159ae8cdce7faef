package db_test

import (
	"strconv"
	"testing"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/testkit"
)

// The fixed cost of a call: one transaction around one statement.

func BenchmarkRead(b *testing.B) {
	d, ctx := testkit.DB(b), b.Context()
	b.ReportAllocs()
	for b.Loop() {
		err := d.Read(ctx, func(tx *db.Tx) error {
			var n int
			return tx.QueryRowContext(ctx, "SELECT count(*) FROM workspaces WHERE id = $1", 1).Scan(&n)
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, sync := range []string{"full", "normal"} {
		b.Run(sync, func(b *testing.B) {
			d, ctx := testkit.DB(b, func(o *db.Options) { o.Sync = sync }), b.Context()
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				err := d.Write(ctx, func(tx *db.Tx) error { return addWorkspace(ctx, tx, strconv.Itoa(i)) })
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
