package account

import (
	"testing"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/testkit"
)

func TestSessions(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		sessions := New(Options{DB: d}).Sessions()
		ctx := t.Context()
		find := func(token string) string {
			data, found, err := sessions.FindCtx(ctx, token)
			if err != nil || !found && data != nil {
				t.Fatalf("got %q, %v, %v", data, found, err)
			}
			return string(data)
		}
		for token, life := range map[string]time.Duration{"token-live": time.Hour, "token-over": 0, "token-old": -time.Hour} {
			if err := sessions.CommitCtx(ctx, token, []byte(token), now.Add(life)); err != nil {
				t.Fatal(err)
			}
		}
		if err := sessions.Commit("token-live", []byte("changed\x00\xff"), now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		for token, want := range map[string]string{"token-live": "changed\x00\xff", "token-over": "", "token-old": "", "unknown": ""} {
			if got := find(token); got != want {
				t.Errorf("%s: got %q, want %q", token, got, want)
			}
		}
		if n := one[int](t, d, "SELECT count(*) FROM sessions WHERE token_hash LIKE 'token%' OR length(token_hash) <> 64"); n != 0 {
			t.Errorf("%d rows hold a token", n)
		}
		if n, err := sessions.DropExpired(ctx); err != nil || n != 2 {
			t.Errorf("got %d dropped, %v, want 2", n, err)
		}
		if err := sessions.Delete("token-live"); err != nil {
			t.Fatal(err)
		}
		if _, found, err := sessions.Find("token-live"); found || err != nil {
			t.Errorf("got %v, %v after the end", found, err)
		}
	}, func(o *db.Options) { o.Now = func() time.Time { return now } })
}
