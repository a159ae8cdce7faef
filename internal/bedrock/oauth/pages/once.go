package pages

import (
	"sync"
	"time"
)

// A second press of a button that makes a token must not make another one and
// hide the first. So for a short while, and in memory only, the answer to a
// form is kept; after that the same form is refused.
const (
	shownAgain = 30 * time.Second
	formKept   = time.Hour
)

// once remembers forms by account and request id.
type once struct {
	now  func() time.Time
	mu   sync.Mutex
	made map[string]*made
}

type made struct {
	mu    sync.Mutex
	at    time.Time
	token string
}

// do makes the token of a form, or returns the one that the form made a moment
// ago; used is set when that is too long ago. A form without a key is always
// new.
func (o *once) do(key string, fresh func() (string, error)) (token string, used bool, err error) {
	if key == "" {
		token, err = fresh()
		return token, false, err
	}
	m := o.of(key)
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.at.IsZero():
		if token, err = fresh(); err == nil {
			m.at, m.token = o.now(), token
		}
		return token, false, err
	case o.now().Sub(m.at) < shownAgain:
		return m.token, false, nil
	}
	return "", true, nil
}

// of returns what is known of a form, and forgets what is too old.
func (o *once) of(key string) *made {
	o.mu.Lock()
	defer o.mu.Unlock()
	for k, m := range o.made {
		if k != key && m.mu.TryLock() {
			age := o.now().Sub(m.at)
			if age >= shownAgain {
				m.token = ""
			}
			if age >= formKept {
				delete(o.made, k)
			}
			m.mu.Unlock()
		}
	}
	if o.made == nil {
		o.made = map[string]*made{}
	}
	if o.made[key] == nil {
		o.made[key] = &made{}
	}
	return o.made[key]
}
