package account

import (
	"context"
	"testing"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/testkit"
)

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
