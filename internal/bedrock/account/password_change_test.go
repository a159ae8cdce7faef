package account_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/testkit"
)

// Of two changes that know the same current password only one may win: the
// other was made against a password that is current no more.
func TestOneOfTwoPasswordChangesWins(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := account.New(account.Options{DB: d})
		door := account.Door{Transport: contract.OverCLI}
		made, err := s.Create(t.Context(), door, account.NewAccount{Email: "owner@example.com", Password: "the first password"})
		if err != nil {
			t.Fatal(err)
		}
		who := contract.Caller{Account: made.Account, Workspace: made.Workspace, Email: "owner@example.com"}
		var won atomic.Int32
		var wg sync.WaitGroup
		for _, replacement := range []string{"the second password", "the third password"} {
			wg.Go(func() {
				if _, err := s.ChangePassword(context.WithoutCancel(t.Context()), door, who, "the first password", replacement); err == nil {
					won.Add(1)
				}
			})
		}
		wg.Wait()
		if won.Load() != 1 {
			t.Errorf("%d changes won, want 1", won.Load())
		}
	})
}
