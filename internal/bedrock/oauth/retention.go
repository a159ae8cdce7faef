package oauth

import (
	"context"
	"fmt"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth/store"
)

const day = 24 * time.Hour

// How long things that are over are kept. A used registration is kept long,
// because clients present a client_id for ever and cannot recover by
// themselves.
const (
	keepCode     = day
	keepEnded    = 30 * day
	keepUnused   = 30 * day
	keepLastUsed = 400 * day
)

// DropEnded deletes what nothing needs any more: consents whose code nobody
// used, grants that ended 30 days ago, and self-registered clients without a
// grant, a row in the record or an object of theirs. It may run at any time
// and any number of times. It returns how many rows went.
func (s *Server) DropEnded(ctx context.Context) (dropped int64, err error) {
	var unused []id.ClientID
	err = s.o.DB.Write(ctx, func(tx *db.Tx) error {
		before := func(keep time.Duration) dbtype.Time { return dbtype.At(tx.Now().Add(-keep)) }
		if dropped, err = store.New(tx).DeleteGrantsBefore(ctx, before(keepCode), before(keepEnded)); err != nil {
			return fmt.Errorf("delete ended grants: %w", err)
		}
		if unused, err = store.New(tx).UnusedClients(ctx, before(keepUnused), before(keepLastUsed)); err != nil {
			return fmt.Errorf("list unused clients: %w", err)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, client := range unused {
		dropped += s.dropClient(ctx, client)
	}
	return dropped, nil
}

// dropClient deletes one client in its own transaction: a plate's row that
// still names it keeps that one alive, not the others.
func (s *Server) dropClient(ctx context.Context, client id.ClientID) (n int64) {
	err := s.o.DB.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = store.New(tx).DeleteClient(ctx, client)
		return err
	})
	if err != nil {
		s.o.Log.DebugContext(ctx, "keep an unused client", "client", client, "error", err)
		return 0
	}
	return n
}
