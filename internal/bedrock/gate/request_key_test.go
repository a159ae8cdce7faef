package gate_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/testkit"
)

func TestRequestID(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		first, err := b.call(b.who, "mark", canary, "k1")
		if err != nil {
			t.Fatal(err)
		}
		again, err := b.call(b.who, "mark", ` { "name" : "canary" } `, "k1")
		want := first
		want.Replayed = true
		if diff := cmp.Diff(want, again); err != nil || diff != "" {
			t.Errorf("repeated: %v, -want +got\n%s", err, diff)
		}
		_, err = b.call(b.who, "mark", `{"name":"chalk"}`, "k1")
		r := refusal(t, err)
		if r.Code != fault.CodeConflict || r.HTTPStatus() != 409 || r.Sentence() != `request_id "k1" was already used for a call with different contents. Use a new one.` {
			t.Errorf("got %d %s: %s", r.HTTPStatus(), r.Code, r.Sentence())
		}
		if got := b.added(); b.marks() != 1 || !cmp.Equal(got, []string{"outcome ok", "outcome error conflict"}) {
			t.Errorf("got %d marks, record %v", b.marks(), got)
		}
	})
}

func TestRequestIDAsArgument(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		for range 2 {
			if _, err := b.call(b.who, "mark", `{"name":"canary","request_id":"k1"}`, ""); err != nil {
				t.Fatal(err)
			}
		}
		if got := b.marks(); got != 1 {
			t.Errorf("got %d marks, want 1", got)
		}
	})
}

// One id means another call in another workspace, for another account and for
// another tool.
func TestRequestIDBelongsToOneCaller(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		other := b.person("coach@example.com")
		colleague := b.who
		colleague.Account = other.Account
		for _, c := range []struct {
			who  contract.Caller
			tool string
		}{{b.who, "mark"}, {other, "mark"}, {colleague, "mark"}, {b.who, "page_only"}} {
			if c.tool == "page_only" {
				c.who.Transport = contract.OverWeb
			}
			wire, err := b.call(c.who, c.tool, canary, "k1")
			if err != nil || wire.Replayed {
				t.Errorf("%s of account %d: got %+v, %v", c.tool, c.who.Account, wire, err)
			}
		}
		if got := b.marks(); got != 4 {
			t.Errorf("got %d marks, want 4", got)
		}
	})
}

func TestFailedWriteKeepsNoRequestID(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		for _, tool := range []string{"refuses", "fails", "panics", "grows"} {
			for range 2 { // the second call fails for its own reason, not for the id
				_, err := b.call(b.who, tool, canary, "k1")
				if r := refusal(t, err); r.Code == fault.CodeConflict {
					t.Errorf("%s: the id was used up", tool)
				}
			}
		}
		var keys int
		b.query("SELECT count(*) FROM request_keys", &keys)
		if keys != 0 {
			t.Errorf("got %d stored ids, want none", keys)
		}
	})
}

func TestParallelRepeats(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		const callers = 20
		var (
			group sync.WaitGroup
			wires [callers]contract.Wire
			errs  [callers]error
		)
		for i := range callers {
			group.Go(func() { wires[i], errs[i] = b.call(b.who, "mark", canary, "k1") })
		}
		group.Wait()
		if err := errors.Join(errs[:]...); err != nil {
			t.Fatal(err)
		}
		first := 0
		for _, w := range wires {
			if !w.Replayed {
				first++
			}
			if w.Text != wires[0].Text || w.Ref != wires[0].Ref || string(w.Structured) != string(wires[0].Structured) {
				t.Errorf("got %+v and %+v", wires[0], w)
			}
		}
		if got := b.added(); first != 1 || b.marks() != 1 || !cmp.Equal(got, []string{"outcome ok"}) {
			t.Errorf("got %d first answers, %d marks, record %v", first, b.marks(), got)
		}
	})
}

func TestDropKeys(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	var later atomic.Int64
	clock := func(o *db.Options) { o.Now = func() time.Time { return now.Add(time.Duration(later.Load())) } }
	testkit.EachWith(t, lines, nil, func(t *testing.T, d *db.DB) {
		later.Store(0)
		b := setup(t, d)
		if _, err := b.call(b.who, "mark", canary, "k1"); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			after time.Duration
			want  int64
		}{{gate.KeysLive, 0}, {gate.KeysLive + time.Second, 1}, {gate.KeysLive + time.Second, 0}} {
			later.Store(int64(c.after))
			if got, err := b.gate.DropKeys(context.Background()); err != nil || got != c.want {
				t.Errorf("after %s: got %d, %v, want %d", c.after, got, err, c.want)
			}
		}
	}, clock)
}
