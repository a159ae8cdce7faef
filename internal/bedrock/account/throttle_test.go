package account

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/testkit"
)

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
