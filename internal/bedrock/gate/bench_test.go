package gate_test

import (
	"testing"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/testkit"
)

// BenchmarkGateRead is one read of an almost empty table through every step.
func BenchmarkGateRead(b *testing.B) { benchmark(b, "list", `{}`) }

// BenchmarkGateWrite is one insert with its row in the record, as durable as
// in production.
func BenchmarkGateWrite(b *testing.B) { benchmark(b, "mark", canary) }

// BenchmarkGateRefusal is a write that ends at its arguments and is recorded.
func BenchmarkGateRefusal(b *testing.B) { benchmark(b, "mark", `{"name":"plate"}`) }

func benchmark(b *testing.B, tool, args string) {
	testkit.EachBench(b, lines, nil, func(b *testing.B, d *db.DB) {
		bench := setup(b, d)
		b.ReportAllocs()
		for b.Loop() {
			_, err := bench.call(bench.who, tool, args, "")
			if err != nil && fault.From(err).Kind != fault.Invalid {
				b.Fatal(err)
			}
		}
	})
}
