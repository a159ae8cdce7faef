package account

import (
	"sync"
	"time"

	"tectonic/internal/bedrock/fault"
)

// The failed sign-ins that are let through in one minute.
const (
	failuresPerAccount = 5
	failuresPerAddress = 20
	throttleWindow     = time.Minute
	throttleKeys       = 10_000 // most keys that are remembered
)

// throttle counts failed sign-ins of the last minute, per account and per
// client address, in memory: a restart forgets them.
type throttle struct {
	now  func() time.Time
	mu   sync.Mutex
	seen map[string][]time.Time
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, seen: map[string][]time.Time{}}
}

// admit refuses with the seconds to wait when either limit is reached.
func (t *throttle) admit(account, address string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	wait := max(t.wait("account "+account, failuresPerAccount), t.wait("address "+address, failuresPerAddress))
	if wait <= 0 {
		return nil
	}
	seconds := int64((wait + time.Second - 1) / time.Second)
	r := fault.Deny(fault.CodeRateLimited, "Too many failed sign-ins. Try again in %d seconds.", seconds)
	r.Details = &fault.Details{RetryAfterS: &seconds}
	return r
}

// failed counts one failure.
func (t *throttle) failed(account, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.seen) > throttleKeys {
		t.forget()
	}
	now := t.now()
	t.seen["account "+account] = append(t.recent("account "+account), now)
	if address != "" {
		t.seen["address "+address] = append(t.recent("address "+address), now)
	}
}

// wait returns how long the key must wait; 0 when it is below its limit.
func (t *throttle) wait(key string, limit int) time.Duration {
	times := t.recent(key)
	if len(times) < limit {
		return 0
	}
	return times[len(times)-limit].Add(throttleWindow).Sub(t.now())
}

func (t *throttle) recent(key string) []time.Time {
	times := t.seen[key]
	since := t.now().Add(-throttleWindow)
	for len(times) > 0 && !times[0].After(since) {
		times = times[1:]
	}
	return times
}

// forget drops the keys without a recent failure.
func (t *throttle) forget() {
	for key := range t.seen {
		if len(t.recent(key)) == 0 {
			delete(t.seen, key)
		}
	}
}
