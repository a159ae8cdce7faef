package oauth

import (
	"net"
	"net/netip"
	"sync"
	"time"
)

// limit allows most of a kind in each window.
type limit struct {
	most   int
	window time.Duration
}

var (
	registrations = []limit{{10, time.Minute}, {200, 24 * time.Hour}}
	fetches       = []limit{{10, time.Minute}, {200, 24 * time.Hour}} // of metadata documents
)

// throttleKeys bounds the memory; when they are all in use the oldest windows
// are dropped first.
const throttleKeys = 20_000

type window struct {
	ends time.Time
	used int
}

// throttle counts in fixed windows per kind and network, in memory: a restart
// forgets them.
type throttle struct {
	now  func() time.Time
	mu   sync.Mutex
	seen map[throttleKey]window
}

type throttleKey struct {
	kind, network string
	length        time.Duration
}

func newThrottle(now func() time.Time) *throttle {
	return &throttle{now: now, seen: map[throttleKey]window{}}
}

// take counts one use and returns 0, or how long to wait when a limit is
// reached.
func (t *throttle) take(kind, address string, limits []limit) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, from := t.now(), network(address)
	for _, l := range limits {
		if w := t.seen[throttleKey{kind, from, l.window}]; w.used >= l.most && now.Before(w.ends) {
			return w.ends.Sub(now)
		}
	}
	t.forget(now)
	for _, l := range limits {
		key := throttleKey{kind, from, l.window}
		w := t.seen[key]
		if !now.Before(w.ends) {
			w = window{ends: now.Add(l.window)}
		}
		w.used++
		t.seen[key] = w
	}
	return 0
}

// forget makes room: first what is over, then whatever comes.
func (t *throttle) forget(now time.Time) {
	if len(t.seen) < throttleKeys {
		return
	}
	for key, w := range t.seen {
		if !now.Before(w.ends) {
			delete(t.seen, key)
		}
	}
	for key := range t.seen {
		if len(t.seen) < throttleKeys {
			return
		}
		delete(t.seen, key)
	}
}

// network returns the address without its port; of IPv6 the first 64 bits,
// which is what one customer has at least.
func network(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		address = host
	}
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Unmap().Is4() {
		return address
	}
	prefix, err := ip.WithZone("").Prefix(64)
	if err != nil {
		return address
	}
	return prefix.String()
}
