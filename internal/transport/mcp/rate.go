package mcp

import (
	"sync"
	"time"

	"golang.org/x/time/rate"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/id"
)

// Rate is how many calls a grant may make: PerSecond in the long run, Burst at
// once. The zero Rate is no limit.
type Rate struct {
	PerSecond float64
	Burst     int
}

// rates keeps a limiter per grant. Those that have been idle long enough to be
// full again are forgotten.
type rates struct {
	o    Rate
	mu   sync.Mutex
	by   map[id.GrantID]*limiter
	next time.Time // of the next sweep
}

type limiter struct {
	*rate.Limiter
	used time.Time
}

const sweepEvery = time.Minute

func newRates(o Rate) *rates { return &rates{o: o, by: map[id.GrantID]*limiter{}} }

// wait takes one call of the caller's grant, or returns how long it must wait.
func (r *rates) wait(who contract.Caller) time.Duration {
	if r.o.PerSecond <= 0 {
		return 0
	}
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep(now)
	l := r.by[who.Grant]
	if l == nil {
		l = &limiter{Limiter: rate.NewLimiter(rate.Limit(r.o.PerSecond), max(r.o.Burst, 1))}
		r.by[who.Grant] = l
	}
	l.used = now
	taken := l.ReserveN(now, 1)
	wait := taken.DelayFrom(now)
	if wait > 0 {
		taken.CancelAt(now)
	}
	return wait
}

func (r *rates) sweep(now time.Time) {
	if now.Before(r.next) {
		return
	}
	r.next = now.Add(sweepEvery)
	full := time.Duration(float64(r.o.Burst) / r.o.PerSecond * float64(time.Second))
	for grant, l := range r.by {
		if now.Sub(l.used) > full {
			delete(r.by, grant)
		}
	}
}
