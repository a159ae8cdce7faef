package account

import (
	"testing"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/testkit"
)

func TestWhoeverIsTurnedAwayIsOnRecord(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d})
		started := mustCreate(t, s, newAccount("a@example.org"))
		who := contract.Caller{Account: started.Account, Workspace: started.Workspace, Email: "a@example.org", Role: contract.Viewer}
		closed := New(Options{DB: d, SignUp: SignUpClosed})
		for event, try := range map[string]func() error{
			"account.sign_in_failed":  func() error { _, err := s.SignIn(t.Context(), page, "nobody@example.org", password); return err },
			"account.sign_up_refused": func() error { _, err := closed.Create(t.Context(), page, newAccount("b@example.org")); return err },
			"account.password_refused": func() error {
				_, err := s.ChangePassword(t.Context(), page, who, "wrong horse", "new battery staple")
				return err
			},
			"workspace.change_refused": func() error { return s.Rename(t.Context(), page, who, "Mine", "UTC") },
			"account.sign_in_throttled": func() (err error) {
				for range failuresPerAccount + 1 {
					_, err = s.SignIn(t.Context(), Door{Transport: contract.OverWeb, Address: "192.0.2.9"}, "c@example.org", "wrong horse")
				}
				return err
			},
		} {
			if err := try(); err == nil {
				t.Errorf("%s: not refused", event)
			}
			if n := one[int](t, d, "SELECT COUNT(*) FROM record_rows WHERE phase = 'denial' AND outcome = 'refused' AND event = $1", event); n == 0 {
				t.Errorf("%s: no row", event)
			}
		}
	})
}
