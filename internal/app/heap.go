package app

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// The collector's default of "twice what lives" starts a small server's
// collection every few hundred requests, which took a quarter of its time. So
// the heap may grow to five times what lives, as long as the process stays
// below heapFloor; a process that keeps more alive has its default back.
const (
	heapGrowth = 400      // percent
	heapFloor  = 96 << 20 // bytes; the budget of a server under load is 120 MiB
)

// tendHeap keeps the collector's limits until ctx ends. GOGC and GOMEMLIMIT of
// whoever runs the server win.
func tendHeap(ctx context.Context) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(heapGrowth)
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for tick := time.NewTicker(time.Second); ; {
		metrics.Read(live)
		debug.SetMemoryLimit(heapLimit(live[0].Value.Uint64()))
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
	}
}

// heapLimit is the size in bytes at which the collector runs, whatever the
// growth: the floor, or twice what lives and some room for stacks.
func heapLimit(live uint64) int64 {
	return max(heapFloor, int64(2*live)+heapFloor/4)
}
