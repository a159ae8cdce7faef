package app

import (
	"slices"
	"sync"
	"time"
)

// Trouble is why an assistant was turned away, as far as the owner can mend
// it by a setting.
type Trouble struct {
	At      time.Time
	Setting string // the variable, such as MCP_ALLOWED_HOSTS
	What    string // the value that is not allowed
	Count   int
}

const troublesKept = 20

// Troubles keeps the last ones of this process, the newest first.
type Troubles struct {
	now  func() time.Time
	mu   sync.Mutex
	list []Trouble
}

// add keeps one; the same one again moves to the front.
func (t *Troubles) add(setting, what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := Trouble{At: t.now(), Setting: setting, What: what, Count: 1}
	if i := slices.IndexFunc(t.list, func(o Trouble) bool { return o.Setting == setting && o.What == what }); i >= 0 {
		now.Count += t.list[i].Count
		t.list = slices.Delete(t.list, i, i+1)
	}
	t.list = slices.Insert(t.list, 0, now)
	t.list = t.list[:min(len(t.list), troublesKept)]
}

// Latest returns what is kept, the newest first.
func (t *Troubles) Latest() []Trouble {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.list)
}
