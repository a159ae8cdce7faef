package pages

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestOnce(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	o := once{now: func() time.Time { return now }}
	made := 0
	press := func(key string, fail error) (string, bool) {
		t.Helper()
		token, used, err := o.do(key, func() (string, error) {
			made++
			return "token of " + key, fail
		})
		if !errors.Is(err, fail) {
			t.Fatal(err)
		}
		return token, used
	}
	wants := func(what string, token, wantToken string, used, wantUsed bool, wantMade int) {
		t.Helper()
		if token != wantToken || used != wantUsed || made != wantMade {
			t.Errorf("%s: got %q, used %v, %d made", what, token, used, made)
		}
	}
	press("a", errors.ErrUnsupported)
	token, used := press("a", nil)
	wants("a form that was refused first", token, "token of a", used, false, 2)
	token, used = press("a", nil)
	wants("a second press", token, "token of a", used, false, 2)
	token, used = press("b", nil)
	wants("another form", token, "token of b", used, false, 3)
	press("", nil)
	press("", nil)
	wants("forms without a key", "", "", false, false, 5)

	now = now.Add(shownAgain)
	token, used = press("a", nil)
	wants("a reload later", token, "", used, true, 5)
	press("c", nil)
	if m := o.made["b"]; m.token != "" {
		t.Error("a token is kept longer than it is shown")
	}
	now = now.Add(formKept)
	press("d", nil)
	if len(o.made) != 1 {
		t.Errorf("%d forms are kept", len(o.made))
	}
}

func TestOnceAtTheSameTime(t *testing.T) {
	t.Parallel()
	o := once{now: time.Now}
	var made atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			token, used, err := o.do("a", func() (string, error) {
				made.Add(1)
				return "the token", nil
			})
			if token != "the token" || used || err != nil {
				t.Errorf("got %q, %v, %v", token, used, err)
			}
		})
	}
	all.Wait()
	if made.Load() != 1 {
		t.Errorf("%d tokens", made.Load())
	}
}
