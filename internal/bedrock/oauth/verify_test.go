package oauth

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// The first calls after a start come together and take every connection.
func TestFirstChecksDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		token := w.tokens(w.newClient()).text("access_token")
		ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
		defer stop()
		var group sync.WaitGroup
		for range 100 {
			group.Go(func() {
				if _, err := w.Verify(ctx, token, "training"); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	})
}

func TestAnUnreachableDatabaseDoesNotMakeATokenBad(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		token := w.tokens(w.newClient()).text("access_token")
		ctx, stop := context.WithCancel(t.Context())
		stop()
		if _, err := w.Verify(ctx, token, "training"); err == nil || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
