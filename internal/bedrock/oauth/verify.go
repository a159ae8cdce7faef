package oauth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth/store"
)

// Principal is what a verified token stands for now.
type Principal struct {
	Account       id.AccountID
	Email         string
	Workspace     id.WorkspaceID
	WorkspaceName string
	TimeZone      string // IANA name, of the workspace
	Role          string // of the account in the workspace; the caller narrows the scopes to it
	Client        id.ClientID
	ClientUID     string
	ClientName    string
	Grant         id.GrantID
	Plates        []string       // names that both the token and its grant allow
	Scopes        []string       // that both allow; the role has not been applied
	Rules         map[string]any // plate name to that plate's own rules
	Expires       time.Time      // of this token; zero = no end
}

// Verify returns who calls the plate with a bearer token: an OAuth access token
// or a personal one. The grant is read on every call, with one indexed read, so
// that revoking it takes effect on the next one. A token that may not is refused
// as unauthenticated, whatever the reason; the cause says which.
func (s *Server) Verify(ctx context.Context, bearer, plate string) (Principal, error) {
	if strings.HasPrefix(bearer, personalPrefix) {
		return s.verifyPersonal(ctx, bearer, plate, false)
	}
	c, err := s.read(bearer)
	if err != nil {
		return Principal{}, unauthenticated(err)
	}
	return s.principal(ctx, plate, func(tx *db.Tx) (Principal, error) {
		g, err := standing(ctx, store.New(tx), c.Grant, tx.Now())
		if err != nil {
			return Principal{}, err
		}
		if g.WorkspaceID != c.Workspace || g.ClientUID != c.ClientID {
			return Principal{}, failure{Code: "invalid_token", Description: "The token and its grant differ."}
		}
		p := s.stands(g)
		p.Plates = both(p.Plates, s.platesOf(c.Audience))
		p.Scopes = both(p.Scopes, strings.Fields(c.Scope))
		p.Expires = c.ExpiresAt.Time
		return p, nil
	})
}

// VerifyInAddress is Verify for a personal token that came as ?token= in an
// address. Only one that was made for that is accepted.
func (s *Server) VerifyInAddress(ctx context.Context, token, plate string) (Principal, error) {
	return s.verifyPersonal(ctx, token, plate, true)
}

func (s *Server) verifyPersonal(ctx context.Context, token, plate string, inAddress bool) (Principal, error) {
	return s.principal(ctx, plate, func(tx *db.Tx) (Principal, error) {
		q, hash := store.New(tx), hashed(token)
		if inAddress {
			may, err := q.TokenInAddress(ctx, hash)
			if err != nil {
				return Principal{}, fmt.Errorf("find a personal token: %w", err)
			}
			if !may {
				return Principal{}, failure{Code: "invalid_token", Description: "The token is not for addresses."}
			}
		}
		row, err := q.StandingByToken(ctx, hash)
		if err != nil {
			return Principal{}, fmt.Errorf("find the grant of a personal token: %w", err)
		}
		g := store.StandingRow(row)
		if err := holds(g, tx.Now()); err != nil {
			return Principal{}, err
		}
		return s.stands(g), nil
	})
}

// principal runs find in a read and checks that the plate is among what it
// found. A database that cannot be reached is no reason to call a token bad.
func (s *Server) principal(ctx context.Context, plate string, find func(*db.Tx) (Principal, error)) (p Principal, err error) {
	err = s.o.DB.Read(ctx, func(tx *db.Tx) error {
		p, err = find(tx)
		return err
	})
	if _, bad := errors.AsType[failure](err); bad || errors.Is(err, sql.ErrNoRows) {
		return Principal{}, unauthenticated(err)
	}
	if err != nil {
		return Principal{}, err
	}
	if !slices.Contains(p.Plates, plate) {
		return Principal{}, unauthenticated(fmt.Errorf("grant %d: the token is not for plate %q", p.Grant, plate))
	}
	s.uses.note(p.Grant, use{p.Workspace, s.o.DB.Now()})
	return p, nil
}

// Unauthenticated is what the challenge of a refused token says.
const Unauthenticated = "The access token is missing, expired, revoked or not for this resource"

func unauthenticated(cause error) error {
	return fault.Deny(fault.CodeUnauthenticated, "%s.", Unauthenticated).Because(cause)
}

// standing reads a grant that holds now: not revoked, not over, begun, and of
// somebody who is still a member of its workspace.
func standing(ctx context.Context, q *store.Queries, grant id.GrantID, now time.Time) (store.StandingRow, error) {
	g, err := q.Standing(ctx, grant)
	if err != nil {
		return g, fmt.Errorf("read grant %d: %w", grant, err)
	}
	return g, holds(g, now)
}

func holds(g store.StandingRow, now time.Time) error {
	switch {
	case !g.RevokedAt.IsZero():
		return invalidGrant("The grant was revoked.")
	case !g.ExpiresAt.IsZero() && !now.Before(g.ExpiresAt.Time):
		return invalidGrant("The grant is over.")
	case g.CodeHash != nil && g.CodeUsedAt.IsZero():
		return invalidGrant("The grant has not begun.")
	case g.Role == nil:
		return invalidGrant("The account is no member of the workspace any more.")
	}
	return nil
}

func invalidGrant(why string) failure { return failure{Code: "invalid_grant", Description: why} }

func (s *Server) stands(g store.StandingRow) Principal {
	p := Principal{
		Account: g.AccountID, Email: g.Email, Workspace: g.WorkspaceID, WorkspaceName: g.WorkspaceName,
		TimeZone: g.TimeZone, Client: g.ClientID, ClientUID: g.ClientUID, ClientName: g.ClientName, Grant: g.ID,
		Plates: s.known(strings.Fields(g.Plates)), Scopes: strings.Fields(g.Scopes), Rules: g.Rules.V, Expires: g.ExpiresAt.Time,
	}
	if g.Role != nil {
		p.Role = *g.Role
	}
	return p
}

// platesOf returns the names of the plates in an audience.
func (s *Server) platesOf(audience []string) []string {
	var names []string
	for _, p := range s.o.Plates {
		if slices.Contains(audience, s.Audience(p)) {
			names = append(names, p.Name)
		}
	}
	return names
}

// both returns what is in a and in b, in the order of a.
func both(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(x string) bool { return !slices.Contains(b, x) })
}
