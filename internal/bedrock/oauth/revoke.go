package oauth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth/store"
)

// Connection is a program that an account lets into a workspace.
type Connection struct {
	Grant      id.GrantID
	ClientUID  string // client_id, or the address of the metadata document
	Name       string
	Host       string // that identifies it; "" when it only registered itself
	ReturnHost string // where its code was sent; "" when it acts by its own credentials
	Own        bool   // it acts by its own credentials
	Plates     []string
	Scopes     []string
	Created    time.Time
	Refreshed  time.Time // when it last got a refresh token; zero = never
	Used       time.Time // when it last called or got a token; zero = never
	Expires    time.Time // zero = no end
}

// Connections lists what the account lets into the workspace now, the newest
// first, without personal tokens.
func (s *Server) Connections(ctx context.Context, account id.AccountID, ws id.WorkspaceID) (list []Connection, err error) {
	err = s.o.DB.Read(ctx, func(tx *db.Tx) error {
		rows, err := store.New(tx).GrantsOfAccount(ctx, store.GrantsOfAccountParams{WorkspaceID: ws, AccountID: account, Now: dbtype.At(tx.Now())})
		if err != nil {
			return fmt.Errorf("list grants of account %d: %w", account, err)
		}
		list = make([]Connection, 0, len(rows))
		for _, r := range rows {
			c := Connection{
				Grant: r.ID, ClientUID: r.ClientUID, Name: r.ClientName, Own: r.ClientKind == kindCredentials, Plates: strings.Fields(r.Plates),
				Scopes: strings.Fields(r.Scopes), Created: r.CreatedAt.Time, Refreshed: r.RotatedAt.Time, Expires: r.ExpiresAt.Time,
				Used: s.uses.latest(r.ID, r.LastUsedAt.Time, r.RotatedAt.Time),
			}
			if r.RedirectURI != nil {
				c.ReturnHost = host(*r.RedirectURI)
			}
			if r.ClientKind == kindDocument {
				c.Host = host(r.ClientUID)
			}
			list = append(list, c)
		}
		return nil
	})
	return list, err
}

// Revoke takes back a grant of the account in the workspace, be it a connection
// or a personal token. Its tokens are dead from the next call on.
func (s *Server) Revoke(ctx context.Context, account id.AccountID, ws id.WorkspaceID, grant id.GrantID) error {
	return s.write(ctx, func(tx *db.Tx) (Event, error) {
		g, err := store.New(tx).Standing(ctx, grant)
		if errors.Is(err, sql.ErrNoRows) || err == nil && (g.AccountID != account || g.WorkspaceID != ws) {
			return Event{}, noGrant(grant)
		}
		if err != nil {
			return Event{}, fmt.Errorf("read grant %d: %w", grant, err)
		}
		return s.end(ctx, tx, g, "by_person")
	})
}

func noGrant(grant id.GrantID) error {
	return fault.Missing("No connection or token with id %d.", grant)
}

// end revokes a grant; a second time it changes nothing and is no event.
func (s *Server) end(ctx context.Context, tx *db.Tx, g store.StandingRow, reason string) (Event, error) {
	n, err := revokeGrant(ctx, tx, g, reason)
	if err != nil || n == 0 {
		return Event{}, err
	}
	e := Event{Name: GrantRevoked, Account: g.AccountID, Workspace: g.WorkspaceID, Client: g.ClientID, Grant: g.ID}
	if g.ClientKind == kindToken {
		e.Name = TokenRevoked
	}
	return e, nil
}

func revokeGrant(ctx context.Context, tx *db.Tx, g store.StandingRow, reason string) (int64, error) {
	n, err := store.New(tx).RevokeGrant(ctx, store.RevokeGrantParams{
		RevokedAt: dbtype.At(tx.Now()), RevokeReason: &reason, WorkspaceID: g.WorkspaceID, ID: g.ID,
	})
	if err != nil {
		return 0, fmt.Errorf("revoke grant %d: %w", g.ID, err)
	}
	return n, nil
}

// revoke is the client's way to give a token back (RFC 7009): the whole grant
// ends. A token that means nothing is a success too.
func (s *Server) revoke(w http.ResponseWriter, r *http.Request) {
	form, err := readForm(r)
	if err != nil {
		s.sendError(w, r, err)
		return
	}
	client, err := s.authenticate(r.Context(), r, form)
	if err != nil {
		s.sendError(w, r, err)
		return
	}
	err = s.write(r.Context(), func(tx *db.Tx) (Event, error) {
		g, _, err := s.grantOf(r.Context(), tx, form.Get("token"), client)
		if err != nil {
			return Event{}, err
		}
		return s.end(r.Context(), tx, g, "by_client")
	})
	if _, meaningless := errors.AsType[failure](err); err != nil && !meaningless {
		s.sendError(w, r, err)
		return
	}
	sendJSON(w, http.StatusOK, struct{}{})
}

// presented says which kind of token came.
type presented struct {
	access     *claims // nil for a refresh token
	generation int64   // of a refresh token
}

// grantOf finds the grant of any genuine token of the client, whether or not
// the grant still holds.
func (s *Server) grantOf(ctx context.Context, tx *db.Tx, token string, client store.Client) (store.StandingRow, presented, error) {
	if strings.HasPrefix(token, refreshPrefix) {
		g, generation, err := s.genuine(ctx, tx, token, client.ID)
		return g, presented{generation: generation}, err
	}
	c, err := s.read(token)
	if err != nil || c.ClientID != client.UID {
		return store.StandingRow{}, presented{}, invalidGrant("The token is not valid.")
	}
	g, err := store.New(tx).Standing(ctx, c.Grant)
	if errors.Is(err, sql.ErrNoRows) || err == nil && g.ClientID != client.ID {
		return g, presented{}, invalidGrant("The token is not valid.")
	}
	return g, presented{access: &c}, err
}
