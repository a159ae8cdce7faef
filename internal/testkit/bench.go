package testkit

import (
	"os"
	"testing"

	"tectonic/internal/bedrock/db"
)

// EachBench is EachWith for benchmarks. SQLite is opened as in production, with
// every commit flushed to the disk.
func EachBench(b *testing.B, lines []db.Line, setup Setup, fn func(*testing.B, *db.DB)) {
	b.Helper()
	b.Run("sqlite", func(b *testing.B) {
		fn(b, sqliteFrom(b, lines, setup, []Adjust{func(o *db.Options) { o.Sync = "full" }}))
	})
	if server := os.Getenv("TEST_DATABASE_URL"); server != "" {
		b.Run("postgres", func(b *testing.B) { fn(b, postgresFrom(b, server, lines, setup, nil)) })
	}
}
