package account

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/account/store"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/testkit"
)

const password = "correct horse"

var (
	page  = Door{Transport: contract.OverWeb, Correlator: "trace-1", Address: "192.0.2.1"}
	shell = Door{Transport: contract.OverCLI}
)

func newAccount(email string) NewAccount { return NewAccount{Email: email, Password: password} }

func mustCreate(t *testing.T, s *Service, in NewAccount) Started {
	t.Helper()
	started, err := s.Create(t.Context(), page, in)
	if err != nil {
		t.Fatal(err)
	}
	return started
}

func refused(t *testing.T, err error) *fault.Refusal {
	t.Helper()
	r, ok := errors.AsType[*fault.Refusal](err)
	if !ok {
		t.Fatalf("got %v, want a refusal", err)
	}
	return r
}

func wantSentence(t *testing.T, err error, code fault.Code, sentence string) {
	t.Helper()
	if r := refused(t, err); r.Code != code || r.Sentence() != sentence {
		t.Errorf("got  %s: %s\nwant %s: %s", r.Code, r.Sentence(), code, sentence)
	}
}

// one reads a single value.
func one[T any](t *testing.T, d *db.DB, query string, args ...any) (v T) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) error { return tx.QueryRowContext(t.Context(), query, args...).Scan(&v) })
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

func TestCreate(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d})
		in := newAccount("  Lifter@Example.com ")
		in.TimeZone = "Europe/Kyiv"
		first := mustCreate(t, s, in)
		second := mustCreate(t, s, newAccount("coach@example.com"))
		who, err := s.Identity(t.Context(), first.Account, first.Workspace, first.Epoch)
		if err != nil {
			t.Fatal(err)
		}
		if !who.Admin || who.Caller.Email != "Lifter@Example.com" || who.Caller.Role != contract.Owner || who.Caller.WorkspaceName != "Personal" || who.Caller.Zone.String() != "Europe/Kyiv" {
			t.Errorf("got %+v", who)
		}
		want := []Membership{{Workspace: first.Workspace, Name: "Personal", Role: contract.Owner}}
		if diff := cmp.Diff(want, who.Memberships); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		if who, err := s.Identity(t.Context(), second.Account, second.Workspace, second.Epoch); err != nil || who.Admin {
			t.Errorf("got %+v, %v, want a second account that is no admin", who, err)
		}
		if _, err := s.Identity(t.Context(), second.Account, first.Workspace, 0); refused(t, err).Code != fault.CodeUnauthenticated {
			t.Errorf("got %v, want no identity in another's workspace", err)
		}
		if got := one[int](t, d, "SELECT count(*) FROM record_rows WHERE phase = 'event' AND event = 'account.created' AND correlator = 'trace-1'"); got != 2 {
			t.Errorf("got %d events, want 2", got)
		}
		if got := one[string](t, d, "SELECT password_hash FROM accounts WHERE id = $1", first.Account); !strings.HasPrefix(got, "$argon2id$v=19$m=65536,t=1,p=2$") {
			t.Errorf("got the hash %s", got)
		}
	})
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	const noAddress = "That does not look like an e-mail address; it should be like you@example.com."
	valid := NewAccount{Email: "new@example.com", Password: password}
	for _, c := range []struct {
		name   string
		change func(*NewAccount)
		field  string
		code   fault.Code
		want   string
	}{
		{"an address that is taken in other case", func(n *NewAccount) { n.Email = "LIFTER@example.COM" }, "email", fault.CodeConflict, "There is already an account with that e-mail address. Log in instead."},
		{"a taken address in full-width letters", func(n *NewAccount) { n.Email = "ｌifter@example.com" }, "email", fault.CodeConflict, "There is already an account with that e-mail address. Log in instead."},
		{"no address", func(n *NewAccount) { n.Email = " " }, "email", fault.CodeBadArguments, noAddress},
		{"an address without a domain", func(n *NewAccount) { n.Email = "lifter" }, "email", fault.CodeBadArguments, noAddress},
		{"an address with a name", func(n *NewAccount) { n.Email = "Me <me@example.com>" }, "email", fault.CodeBadArguments, noAddress},
		{"two addresses", func(n *NewAccount) { n.Email = "a@example.com, b@example.com" }, "email", fault.CodeBadArguments, noAddress},
		{"an address with a line break", func(n *NewAccount) { n.Email = "a@example.com\r\nBcc: b@example.com" }, "email", fault.CodeBadArguments, noAddress},
		{"an address with U+0000", func(n *NewAccount) { n.Email = "a\x00@example.com" }, "email", fault.CodeBadArguments, noAddress},
		{"an address that is too long", func(n *NewAccount) { n.Email = strings.Repeat("a", 243) + "@example.com" }, "email", fault.CodeBadArguments, "An e-mail address has at most 254 characters."},
		{"a short password", func(n *NewAccount) { n.Password = "ninechars" }, "password", fault.CodeBadArguments, "A password needs at least 10 characters; this one has 9."},
		{"a long password", func(n *NewAccount) { n.Password = strings.Repeat("é", 257) }, "password", fault.CodeBadArguments, "A password has at most 256 characters; this one has 257."},
		{"an unknown zone", func(n *NewAccount) { n.TimeZone = "Mars/Base" }, "time_zone", fault.CodeBadArguments, `"Mars/Base" is not a time zone this server knows.`},
		{"the zone of this machine", func(n *NewAccount) { n.TimeZone = "Local" }, "time_zone", fault.CodeBadArguments, `"Local" is not a time zone this server knows.`},
		{"a zone outside the data", func(n *NewAccount) { n.TimeZone = "../../etc/passwd" }, "time_zone", fault.CodeBadArguments, `"../../etc/passwd" is not a time zone this server knows.`},
		{"a long name of the workspace", func(n *NewAccount) { n.Workspace = strings.Repeat("é", 81) }, "name", fault.CodeBadArguments, "A workspace needs a name of 1 to 80 characters."},
		{"a name with U+0000", func(n *NewAccount) { n.Workspace = "a\x00" }, "name", fault.CodeBadArguments, "The name of a workspace cannot hold control characters."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			testkit.Each(t, func(t *testing.T, d *db.DB) {
				s := New(Options{DB: d})
				mustCreate(t, s, newAccount("lifter@example.com"))
				in := valid
				c.change(&in)
				_, err := s.Create(t.Context(), page, in)
				wantSentence(t, err, c.code, c.want)
				if refused(t, err).Problem(c.field) == "" {
					t.Errorf("the refusal is not about %s: %+v", c.field, refused(t, err).Fields)
				}
				if got := one[int](t, d, "SELECT (SELECT count(*) FROM accounts) + (SELECT count(*) FROM workspaces)"); got != 2 {
					t.Errorf("got %d rows, want those of the first account", got)
				}
			})
		})
	}
}

func TestPasswordLengthIsCountedInCharacters(t *testing.T) {
	t.Parallel()
	for _, length := range []int{10, 256} {
		if err := checkPassword(strings.Repeat("é", length), "password"); err != nil {
			t.Errorf("%d characters: %v", length, err)
		}
	}
}

func TestSignUpSetting(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		for setting, want := range map[SignUp]string{
			SignUpClosed: "This server takes no new accounts.",
			SignUpInvite: "This server takes new accounts by invitation only. Ask the person who runs it.",
		} {
			s := New(Options{DB: d, SignUp: setting})
			_, err := s.Create(t.Context(), page, newAccount("a@example.com"))
			wantSentence(t, err, "signup_closed", want)
			if got := refused(t, err).HTTPStatus(); got != 403 {
				t.Errorf("got status %d, want 403", got)
			}
			if _, err := s.Create(t.Context(), shell, newAccount(string(setting)+"@example.com")); err != nil {
				t.Errorf("%s: the operator of the machine was refused: %v", setting, err)
			}
		}
	})
}

// However many people sign up on an empty instance at once, one administers it.
func TestOneFirstAccount(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		var group sync.WaitGroup
		for i := range 8 {
			params := store.InsertAccountParams{Email: "x", EmailKey: string(rune('a' + i)), PasswordHash: "x"}
			group.Go(func() {
				err := d.Write(t.Context(), func(tx *db.Tx) error {
					_, err := create(t.Context(), tx, page, params, "Personal", time.UTC)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		admins := one[int](t, d, "SELECT count(*) FROM accounts WHERE is_instance_admin")
		if all := one[int](t, d, "SELECT count(*) FROM accounts"); admins != 1 || all != 8 {
			t.Errorf("got %d admins of %d accounts, want 1 of 8", admins, all)
		}
	})
}

func TestOneAddressAtOnce(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d})
		var group sync.WaitGroup
		errs := make([]error, 4)
		for i := range errs {
			group.Go(func() { _, errs[i] = s.Create(t.Context(), page, newAccount("lifter@example.com")) })
		}
		group.Wait()
		made := len(errs)
		for _, err := range errs {
			if err != nil {
				made--
				wantSentence(t, err, fault.CodeConflict, "There is already an account with that e-mail address. Log in instead.")
			}
		}
		if made != 1 || one[int](t, d, "SELECT count(*) FROM workspaces") != 1 {
			t.Errorf("got %d accounts", made)
		}
	})
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d})
		made := mustCreate(t, s, newAccount("Lifter@example.com"))
		got, err := s.SignIn(t.Context(), page, " LIFTER@EXAMPLE.COM ", password)
		if err != nil || got != made {
			t.Errorf("got %+v, %v, want %+v", got, err, made)
		}
		if n := one[int](t, d, "SELECT count(*) FROM record_rows WHERE event = 'account.signed_in' AND outcome = 'ok'"); n != 1 {
			t.Errorf("got %d events, want 1", n)
		}
	})
}

// Nobody learns from a failed sign-in whether an address has an account: the
// sentence and the work are the same.
func TestFailedSignIn(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d})
		compared := 0
		s.matches = func(ctx context.Context, password, hashed string) (bool, error) {
			compared++
			return matches(ctx, password, hashed)
		}
		mustCreate(t, s, newAccount("lifter@example.com"))
		mustCreate(t, s, newAccount("locked@example.com"))
		exec(t, d, "UPDATE accounts SET password_hash = '' WHERE email = 'locked@example.com'")
		for _, c := range [][2]string{
			{"lifter@example.com", "wrong horse"},
			{"unknown@example.com", password},
			{"locked@example.com", ""},
			{"locked@example.com", password},
			{"a\x00b@example.com", password},
			{"", ""},
			{"\xff@example.com", "x"},
		} {
			_, err := s.SignIn(t.Context(), page, c[0], c[1])
			wantSentence(t, err, fault.CodeBadArguments, "That e-mail address and password do not match an account.")
		}
		if compared != 7 {
			t.Errorf("got %d comparisons of a hash, want one for each of 7 failures", compared)
		}
		if n := one[int](t, d, "SELECT count(*) FROM record_rows WHERE phase = 'denial' AND outcome = 'refused' AND event = 'account.sign_in_failed' AND cause = 'credential_invalid'"); n != 7 {
			t.Errorf("got %d denials, want 7", n)
		}
	})
}

func exec(t *testing.T, d *db.DB, statement string) {
	t.Helper()
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), statement)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The hash of nobody costs what every other one does, and can be read.
func TestNobodyCostsTheSame(t *testing.T) {
	t.Parallel()
	params, _, _, err := argon2id.DecodeHash(nobody)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(cost, params); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestHashingGivesUpWithTheRequest(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 { // select takes either case at random while a place is free
		if _, err := hash(ctx, password); errors.Is(err, context.Canceled) {
			return
		}
	}
	t.Error("hashes were computed for nobody")
}

// setupThrottle returns a service without the work of comparing: the password
// "right" matches.
func setupThrottle(t *testing.T, d *db.DB) (s *Service, later func(time.Duration)) {
	t.Helper()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	s = New(Options{DB: d, Now: func() time.Time { return now }})
	for _, email := range []string{"lifter@example.com", "coach@example.com"} {
		mustCreate(t, s, newAccount(email))
	}
	s.matches = func(_ context.Context, password, _ string) (bool, error) { return password == "right", nil }
	return s, func(by time.Duration) { now = now.Add(by) }
}

func TestThrottle(t *testing.T) {
	t.Parallel()
	const noMatchCode = fault.CodeBadArguments
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s, later := setupThrottle(t, d)
		sign := func(email, password, address string) fault.Code {
			_, err := s.SignIn(t.Context(), Door{Transport: contract.OverWeb, Address: address}, email, password)
			if err == nil {
				return ""
			}
			return refused(t, err).Code
		}
		for range 5 {
			if got := sign("LIFTER@example.com", "wrong", "192.0.2.1"); got != noMatchCode {
				t.Fatalf("got %s", got)
			}
			later(time.Second)
		}
		_, err := s.SignIn(t.Context(), page, "lifter@example.com", "right")
		wantSentence(t, err, fault.CodeRateLimited, "Too many failed sign-ins. Try again in 55 seconds.")
		if r := refused(t, err); r.HTTPStatus() != 429 || *r.Details.RetryAfterS != 55 {
			t.Errorf("got %d, %+v", r.HTTPStatus(), r.Details)
		}
		if got := sign("coach@example.com", "right", "192.0.2.1"); got != "" {
			t.Errorf("another account at that address: got %s", got)
		}
		later(55 * time.Second)
		if got := sign("lifter@example.com", "right", "192.0.2.1"); got != "" {
			t.Errorf("after the wait: got %s", got)
		}
		for range 10 { // a success is no failure
			if got := sign("lifter@example.com", "right", "192.0.2.9"); got != "" {
				t.Fatalf("got %s", got)
			}
		}
	})
}

func TestThrottlePerAddress(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s, _ := setupThrottle(t, d)
		door := Door{Transport: contract.OverWeb, Address: "198.51.100.7"}
		for i := range 20 {
			_, err := s.SignIn(t.Context(), door, strings.Repeat("x", i+1)+"@example.com", "wrong")
			wantSentence(t, err, fault.CodeBadArguments, noMatch)
		}
		_, err := s.SignIn(t.Context(), door, "lifter@example.com", "right")
		wantSentence(t, err, fault.CodeRateLimited, "Too many failed sign-ins. Try again in 60 seconds.")
		if _, err := s.SignIn(t.Context(), page, "lifter@example.com", "right"); err != nil {
			t.Errorf("from another address: %v", err)
		}
	})
}

// Guesses that are under way count too, else a burst would pass the limit.
func TestThrottleCountsGuessesUnderWay(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s, _ := setupThrottle(t, d)
		var group sync.WaitGroup
		codes := make([]fault.Code, 30)
		for i := range codes {
			group.Go(func() {
				_, err := s.SignIn(t.Context(), page, "lifter@example.com", "wrong")
				if r, ok := errors.AsType[*fault.Refusal](err); ok {
					codes[i] = r.Code
				}
			})
		}
		group.Wait()
		tried := slices.DeleteFunc(codes, func(c fault.Code) bool { return c == fault.CodeRateLimited })
		if len(tried) != 5 {
			t.Errorf("got %d guesses through, want 5: %v", len(tried), tried)
		}
	})
}

func TestThrottleForgets(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	th := newThrottle(func() time.Time { return now })
	for i := range throttleKeys + 1 {
		if _, err := th.begin(string(rune(i+0x4e00)), ""); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(throttleWindow)
	if _, err := th.begin(strings.Repeat("y", 1<<20), ""); err != nil {
		t.Fatal(err)
	}
	if len(th.seen) != 1 {
		t.Errorf("got %d keys, want the old ones forgotten", len(th.seen))
	}
	for key := range th.seen {
		if len(key) > 300 {
			t.Errorf("a key of %d bytes is kept", len(key))
		}
	}
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d})
		made := mustCreate(t, s, newAccount("lifter@example.com"))
		who, err := s.Identity(t.Context(), made.Account, made.Workspace, made.Epoch)
		if err != nil {
			t.Fatal(err)
		}
		change := func(current, replacement string) (int64, error) {
			return s.ChangePassword(t.Context(), page, who.Caller, current, replacement)
		}
		_, err = change("wrong horse", "battery staple")
		wantSentence(t, err, fault.CodeBadArguments, "That is not your current password.")
		if refused(t, err).Problem("current_password") == "" {
			t.Error("the refusal is not about current_password")
		}
		_, err = change(password, "short")
		wantSentence(t, err, fault.CodeBadArguments, "A password needs at least 10 characters; this one has 5.")
		epoch, err := change(password, "battery staple")
		if err != nil || epoch != made.Epoch+1 {
			t.Fatalf("got epoch %d, %v, want %d", epoch, err, made.Epoch+1)
		}
		_, err = s.Identity(t.Context(), made.Account, made.Workspace, made.Epoch)
		wantSentence(t, err, fault.CodeUnauthenticated, "You are signed out. Log in again.")
		if _, err := s.Identity(t.Context(), made.Account, made.Workspace, epoch); err != nil {
			t.Errorf("the session that asked was ended: %v", err)
		}
		if _, err := s.SignIn(t.Context(), page, "lifter@example.com", password); err == nil {
			t.Error("the old password still works")
		}
		if got, err := s.SignIn(t.Context(), page, "lifter@example.com", "battery staple"); err != nil || got.Epoch != epoch {
			t.Errorf("got %+v, %v", got, err)
		}
		if n := one[int](t, d, "SELECT count(*) FROM record_rows WHERE event = 'account.password_changed'"); n != 1 {
			t.Errorf("got %d events, want 1", n)
		}
	})
}

func TestChangePasswordIsThrottled(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s, _ := setupThrottle(t, d)
		who := contract.Caller{Account: 1, Email: "lifter@example.com"}
		for range 5 {
			_, err := s.ChangePassword(t.Context(), page, who, "wrong", "battery staple")
			wantSentence(t, err, fault.CodeBadArguments, "That is not your current password.")
		}
		_, err := s.ChangePassword(t.Context(), page, who, "right", "battery staple")
		wantSentence(t, err, fault.CodeRateLimited, "Too many failed sign-ins. Try again in 60 seconds.")
	})
}

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

func TestLocal(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d})
		local := func(ws id.WorkspaceID) (contract.Caller, error) { return s.Local(t.Context(), ws, contract.OverCLI) }
		_, err := local(0)
		wantSentence(t, err, fault.CodeRefused, "No accounts yet. Sign up first.")
		first := mustCreate(t, s, newAccount("lifter@example.com"))
		who, err := local(0)
		if err != nil || who.Workspace != first.Workspace || who.Account != first.Account || who.Role != contract.Owner || !who.Has("operate") || who.Transport != contract.OverCLI {
			t.Errorf("got %+v, %v", who, err)
		}
		exec(t, d, "INSERT INTO workspaces (id, uid, name, time_zone, created_at) SELECT 4, 'w4', 'Four', 'Mars/Base', created_at FROM workspaces WHERE id = 1")
		exec(t, d, "INSERT INTO members (workspace_id, account_id, role, created_at) SELECT 4, account_id, 'owner', created_at FROM members WHERE workspace_id = 1")
		_, err = local(0)
		wantSentence(t, err, fault.CodeBadArguments, "Several workspaces exist (1, 4). Pass --workspace.")
		_, err = local(9)
		wantSentence(t, err, fault.CodeNotFound, "No workspace with id 9. There is: 1, 4.")
		who, err = local(4)
		if err != nil || who.WorkspaceName != "Four" || who.Zone != time.UTC {
			t.Errorf("got %+v, %v, want an unknown zone read as UTC", who, err)
		}
	})
}

func TestRename(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d})
		made := mustCreate(t, s, newAccount("lifter@example.com"))
		for role, allowed := range map[contract.Role]bool{contract.Owner: true, contract.Admin: true, contract.Member: false, contract.Viewer: false, "": false} {
			who := contract.Caller{Account: made.Account, Workspace: made.Workspace, WorkspaceName: "Personal", Role: role}
			err := s.Rename(t.Context(), page, who, " By "+string(role)+" ", "America/Denver")
			if allowed && err != nil {
				t.Errorf("%s: %v", role, err)
			}
			if !allowed {
				wantSentence(t, err, "role_missing", "Only an owner or admin of Personal can change its settings.")
			}
			if got := one[string](t, d, "SELECT name FROM workspaces"); allowed && got != "By "+string(role) {
				t.Errorf("%s: got the name %q", role, got)
			}
		}
		owner := contract.Caller{Account: made.Account, Workspace: made.Workspace, Role: contract.Owner}
		wantSentence(t, s.Rename(t.Context(), page, owner, " ", "UTC"), fault.CodeBadArguments, "A workspace needs a name of 1 to 80 characters.")
		wantSentence(t, s.Rename(t.Context(), page, owner, "a", "x"), fault.CodeBadArguments, `"x" is not a time zone this server knows.`)
		if got := one[string](t, d, "SELECT time_zone FROM workspaces"); got != "America/Denver" {
			t.Errorf("got %s", got)
		}
		if n := one[int](t, d, "SELECT count(*) FROM record_rows WHERE event = 'workspace.changed'"); n != 2 {
			t.Errorf("got %d events, want 2", n)
		}
	})
}

func TestMachineZone(t *testing.T) {
	for tz, want := range map[string]string{"Europe/Kyiv": "Europe/Kyiv", ":America/Denver": "America/Denver", "Local": "", "nonsense": "", "": ""} {
		t.Setenv("TZ", tz)
		got := MachineZone()
		if _, err := time.LoadLocation(got); err != nil || got == "" || got == "Local" || want != "" && got != want {
			t.Errorf("TZ=%q: got %q, %v", tz, got, err)
		}
	}
}

// FuzzEmail checks that no text stops the program, and that an address which
// is taken is stored as it was typed, can be looked up again, also in other
// case, and fits into a header and a table.
func FuzzEmail(f *testing.F) {
	for _, seed := range []string{
		"you@example.com", " You@Example.COM ", "a@b", "\"a b\"@example.com", "Me <me@example.com>", "ｌ@example.com", "a\x00@b",
		"straße@example.com", "İ@example.com", "a@[127.0.0.1]", "a@example.com\r\nBcc: b", "@", "", "(c)a@b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		address, key, err := Email(typed)
		if err != nil {
			if refused(t, err).Problem("email") == "" {
				t.Errorf("%q: the refusal is not about the address: %v", typed, err)
			}
			return
		}
		if address != strings.TrimSpace(typed) || len(address) > emailMax || key != emailKey(typed) || key == "" {
			t.Errorf("%q: got %q under %q", typed, address, key)
		}
		if strings.ContainsAny(address, "\x00\r\n") || strings.ContainsAny(key, "\x00\r\n") {
			t.Errorf("%q: got %q under %q", typed, address, key)
		}
		again, same, err := Email(address)
		if err != nil || again != address || same != key {
			t.Errorf("%q: got %q under %q, %v the second time", typed, again, same, err)
		}
	})
}
