package account

import (
	"slices"
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

// throttle counts the failed sign-ins of the last minute, per account and per
// client address, in memory: a restart forgets them.
type throttle struct {
	now  func() time.Time
	mu   sync.Mutex
	seen map[string][]time.Time
}

// attempt is a sign-in under way: the keys under which it is counted, and when.
type attempt struct {
	at   time.Time
	keys []string
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, seen: map[string][]time.Time{}}
}

// begin counts an attempt, or refuses it with the seconds to wait when either
// limit is reached. The address is "" on the command line.
func (t *throttle) begin(account, address string) (attempt, *fault.Refusal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := attempt{at: t.now(), keys: []string{"account " + account[:min(len(account), emailMax)]}}
	wait := t.wait(a.keys[0], failuresPerAccount)
	if address != "" {
		a.keys = append(a.keys, "address "+address)
		wait = max(wait, t.wait(a.keys[1], failuresPerAddress))
	}
	if wait > 0 {
		return attempt{}, tooMany(wait)
	}
	if len(t.seen) > throttleKeys {
		t.forget()
	}
	for _, key := range a.keys {
		t.seen[key] = append(t.recent(key), a.at)
	}
	return a, nil
}

// forgive takes back an attempt that was no failure.
func (t *throttle) forgive(a attempt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, key := range a.keys {
		times := t.recent(key)
		if i := slices.Index(times, a.at); i >= 0 {
			times = slices.Delete(slices.Clone(times), i, i+1)
		}
		if t.seen[key] = times; len(times) == 0 {
			delete(t.seen, key)
		}
	}
}

func tooMany(wait time.Duration) *fault.Refusal {
	seconds := int64((wait + time.Second - 1) / time.Second)
	r := fault.Deny(fault.CodeRateLimited, "Too many failed sign-ins. Try again in %d seconds.", seconds)
	r.Details = &fault.Details{RetryAfterS: &seconds}
	return r
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
