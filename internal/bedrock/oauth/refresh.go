package oauth

import (
	"context"
	"crypto/hmac"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth/store"
)

const refreshPrefix = "trt_"

// refreshToken derives the refresh token of a generation.
func (s *Server) refreshToken(g store.StandingRow, generation int64) string {
	proof := mac(s.keys.refresh, fmt.Sprintf("rt|%d|%d|%s", g.ID, generation, g.Seed))
	return fmt.Sprintf("%s%d_%d_%s", refreshPrefix, g.ID, generation, proof)
}

// parseRefresh takes a refresh token apart. It accepts the one way to write it
// only; the proof is not checked yet.
func parseRefresh(token string) (grant id.GrantID, generation int64, ok bool) {
	rest, found := strings.CutPrefix(token, refreshPrefix)
	parts := strings.SplitN(rest, "_", 3)
	if !found || len(parts) != 3 || len(token) > 100 {
		return 0, 0, false
	}
	g, errG := strconv.ParseInt(parts[0], 10, 64)
	n, errN := strconv.ParseInt(parts[1], 10, 64)
	if errG != nil || errN != nil || g <= 0 || n <= 0 || strconv.FormatInt(g, 10) != parts[0] || strconv.FormatInt(n, 10) != parts[1] {
		return 0, 0, false
	}
	return id.GrantID(g), n, true
}

// genuine reads the grant of a refresh token and checks the token's proof. It
// says nothing about whether token or grant are still good.
func (s *Server) genuine(ctx context.Context, tx *db.Tx, token string, client id.ClientID) (store.StandingRow, int64, error) {
	bad := invalidGrant("The refresh token is not valid.")
	grant, generation, ok := parseRefresh(token)
	if !ok {
		return store.StandingRow{}, 0, bad
	}
	g, err := store.New(tx).Standing(ctx, grant)
	if errors.Is(err, sql.ErrNoRows) {
		return g, 0, bad
	}
	if err != nil {
		return g, 0, fmt.Errorf("read grant %d: %w", grant, err)
	}
	if g.ClientID != client || !hmac.Equal([]byte(token), []byte(s.refreshToken(g, generation))) || generation > g.Generation {
		return g, 0, bad
	}
	return g, generation, nil
}

// refresh answers with the successor of a refresh token, or takes the whole
// grant back when the token was replaced before: then two parties hold it.
func (s *Server) refresh(ctx context.Context, client store.Client, form url.Values) (answer issued, err error) {
	var refused error // told after the commit, since a reuse must revoke for good
	err = s.write(ctx, func(tx *db.Tx) (Event, error) {
		refused = nil
		g, generation, err := s.genuine(ctx, tx, form.Get("refresh_token"), client.ID)
		if err != nil {
			return Event{}, err
		}
		if err := holds(g, tx.Now()); err != nil {
			return Event{}, err
		}
		answer, err = s.rotate(ctx, tx, g, generation, form)
		if !errors.Is(err, errReused) {
			return Event{}, err
		}
		refused = invalidGrant("The refresh token was used before, so the connection was taken back. Connect again.")
		return s.takeBack(ctx, tx, g, RefreshReused)
	})
	if err != nil {
		return issued{}, err
	}
	return answer, refused
}

var errReused = errors.New("a refresh token that was replaced")

func (s *Server) rotate(ctx context.Context, tx *db.Tx, g store.StandingRow, generation int64, form url.Values) (issued, error) {
	if generation == g.Generation {
		answer, err := s.issue(g, generation+1, form, tx.Now())
		if err != nil {
			return issued{}, err
		}
		n, err := store.New(tx).RotateGrant(ctx, store.RotateGrantParams{
			RotatedAt: dbtype.At(tx.Now()), WorkspaceID: g.WorkspaceID, ID: g.ID, Generation: generation,
		})
		if err != nil {
			return issued{}, fmt.Errorf("rotate grant %d: %w", g.ID, err)
		}
		if n == 1 {
			return answer, s.touch(ctx, tx, g)
		}
		// Another refresh with this token won; look at what it left.
		if g, err = standing(ctx, store.New(tx), g.ID, tx.Now()); err != nil {
			return issued{}, err
		}
	}
	if generation == g.Generation-1 && s.inGrace(g, tx.Now()) {
		return s.issue(g, g.Generation, form, tx.Now())
	}
	return issued{}, errReused
}

func (s *Server) inGrace(g store.StandingRow, now time.Time) bool {
	return s.o.Grace > 0 && now.Sub(g.RotatedAt.Time) <= s.o.Grace
}

// takeBack revokes a grant whose code or refresh token was used twice.
func (s *Server) takeBack(ctx context.Context, tx *db.Tx, g store.StandingRow, event string) (Event, error) {
	n, err := revokeGrant(ctx, tx, g, strings.TrimPrefix(event, "grant."))
	if err != nil || n == 0 {
		return Event{}, err
	}
	tx.OnCommit(func() {
		s.o.Log.WarnContext(ctx, "a grant was taken back: its secret was presented twice", "grant", g.ID, "client", g.ClientUID, "reason", event)
	})
	return Event{Name: event, Account: g.AccountID, Workspace: g.WorkspaceID, Client: g.ClientID, Grant: g.ID, Denied: true}, nil
}
