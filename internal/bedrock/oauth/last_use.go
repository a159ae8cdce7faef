package oauth

import (
	"context"
	"fmt"
	"sync"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth/store"
)

// useWindow is how often uses are written down. A check of a token only reads,
// so that it stays as fast as it is.
const useWindow = time.Minute

// use is the last one of a grant that is not written down yet.
type use struct {
	workspace id.WorkspaceID
	at        time.Time
}

// uses collects when grants were used since the last time of writing.
type uses struct {
	mu sync.Mutex
	of map[id.GrantID]use
}

func (u *uses) note(grant id.GrantID, now use) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.of == nil {
		u.of = map[id.GrantID]use{}
	}
	if now.at.After(u.of[grant].at) {
		u.of[grant] = now
	}
}

// latest returns the last use: the one that is written down or a later one.
func (u *uses) latest(grant id.GrantID, written ...time.Time) time.Time {
	u.mu.Lock()
	last := u.of[grant].at
	u.mu.Unlock()
	for _, at := range written {
		if at.After(last) {
			last = at
		}
	}
	return last
}

func (u *uses) take() map[id.GrantID]use {
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := u.of
	u.of = nil
	return taken
}

// KeepUses writes down every minute when grants were last used, and once more
// when ctx ends.
func (s *Server) KeepUses(ctx context.Context) {
	tick := time.NewTicker(useWindow)
	defer tick.Stop()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
		if err := s.WriteUses(context.WithoutCancel(ctx)); err != nil {
			s.o.Log.WarnContext(ctx, "last uses not written", "error", fault.Explain(err))
		}
	}
}

// WriteUses writes down when grants were used since the last time. After a
// failure they are kept for the next.
func (s *Server) WriteUses(ctx context.Context) error {
	taken := s.uses.take()
	if len(taken) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, useWindow/6)
	defer cancel()
	err := s.o.DB.Write(ctx, func(tx *db.Tx) error {
		for grant, u := range taken {
			p := store.UseGrantParams{UsedAt: dbtype.At(u.at), WorkspaceID: u.workspace, ID: grant}
			if err := store.New(tx).UseGrant(ctx, p); err != nil {
				return fmt.Errorf("write the last use of grant %d: %w", grant, err)
			}
		}
		return nil
	})
	if err != nil {
		for grant, u := range taken {
			s.uses.note(grant, u)
		}
	}
	return err
}
