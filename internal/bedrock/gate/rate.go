package gate

import (
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// Rate is how many calls a grant may make: PerSecond in the long run, Burst at
// once. The zero Rate is no limit.
type Rate struct {
	PerSecond float64
	Burst     int
}

// Rates limits the calls of each grant over the doors for programs. Limiters
// that have been idle long enough to be full again are forgotten.
type Rates struct {
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

// NewRates returns a limit without any call taken.
func NewRates(o Rate) *Rates { return &Rates{o: o, by: map[id.GrantID]*limiter{}} }

// Take takes one call of the caller's grant, or refuses it with the seconds to
// wait.
func (r *Rates) Take(who contract.Caller) *fault.Refusal {
	wait := r.wait(who.Grant)
	if wait == 0 {
		return nil
	}
	seconds := int64(math.Ceil(wait.Seconds()))
	refusal := fault.Deny(fault.CodeRateLimited, "Too many calls. Try again in %d seconds.", seconds)
	refusal.Details = &fault.Details{RetryAfterS: &seconds}
	return refusal
}

func (r *Rates) wait(grant id.GrantID) time.Duration {
	if r.o.PerSecond <= 0 {
		return 0
	}
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep(now)
	l := r.by[grant]
	if l == nil {
		l = &limiter{Limiter: rate.NewLimiter(rate.Limit(r.o.PerSecond), max(r.o.Burst, 1))}
		r.by[grant] = l
	}
	l.used = now
	taken := l.ReserveN(now, 1)
	wait := taken.DelayFrom(now)
	if wait > 0 {
		taken.CancelAt(now)
	}
	return wait
}

func (r *Rates) sweep(now time.Time) {
	if now.Before(r.next) {
		return
	}
	r.next = now.Add(sweepEvery)
	full := time.Duration(float64(r.o.Burst) / r.o.PerSecond * float64(time.Second))
	for idle, l := range r.by {
		if now.Sub(l.used) > full {
			delete(r.by, idle)
		}
	}
}
