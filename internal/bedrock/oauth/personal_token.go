package oauth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth/store"
)

const (
	personalPrefix = "tpt_"
	nameMax        = 100 // characters of a client's or a token's name
)

// TokenRequest says what a personal token may do.
type TokenRequest struct {
	Account   id.AccountID
	Workspace id.WorkspaceID
	Name      string
	Plates    []string
	Scopes    []string
	Expires   time.Time      // zero = no end
	Rules     map[string]any // plate name to that plate's own rules; nil = none
	InAddress bool           // may be used as ?token= where a plate allows it
}

// PersonalToken describes a token without its secret.
type PersonalToken struct {
	Grant     id.GrantID
	Name      string
	Hint      string // its last four characters
	Plates    []string
	Scopes    []string
	Rules     map[string]any
	InAddress bool
	Created   time.Time
	Rotated   time.Time // when its present secret was made
	Used      time.Time // zero = never
	Expires   time.Time // zero = no end
}

// CreateToken makes a personal token and returns it; it is not shown again.
// Only a member of the workspace can.
func (s *Server) CreateToken(ctx context.Context, q TokenRequest) (token string, grant id.GrantID, err error) {
	if err := s.checkToken(&q); err != nil {
		return "", 0, err
	}
	err = s.write(ctx, func(tx *db.Tx) (Event, error) {
		token = personalPrefix + secret()
		var client id.ClientID
		client, grant, err = insertToken(ctx, tx, q, token)
		return Event{Name: TokenCreated, Account: q.Account, Workspace: q.Workspace, Client: client, Grant: grant}, err
	})
	return token, grant, err
}

func (s *Server) checkToken(q *TokenRequest) error {
	if q.Name = plain(q.Name); q.Name == "" {
		return fault.BadArgument("A token needs a name of 1 to %d characters.", nameMax).At("name")
	}
	if q.Plates = s.known(q.Plates); len(q.Plates) == 0 {
		return fault.BadArgument("Choose at least one plate.").At("plates")
	}
	if q.Scopes = both(s.vocabulary(q.Plates), q.Scopes); len(q.Scopes) == 0 {
		return fault.BadArgument("Choose at least one right.").At("scopes")
	}
	if !q.Expires.IsZero() && !q.Expires.After(s.o.DB.Now()) {
		return fault.BadArgument("The end of a token must be in the future.").At("expires")
	}
	if q.Rules == nil {
		q.Rules = map[string]any{}
	}
	return nil
}

// insertToken stores a personal token: a client of its own, what it may do, and
// the hash of its secret.
func insertToken(ctx context.Context, tx *db.Tx, q TokenRequest, token string) (id.ClientID, id.GrantID, error) {
	now := dbtype.At(tx.Now())
	client, grant, err := insertOwn(ctx, tx, q, store.InsertClientParams{UID: id.UID(), Kind: kindToken, Name: q.Name, AuthMethod: authNone, CreatedAt: now})
	if err != nil {
		return 0, 0, err
	}
	err = store.New(tx).InsertToken(ctx, store.InsertTokenParams{
		GrantID: grant, WorkspaceID: q.Workspace, TokenHash: hashed(token), Hint: hint(token), InAddress: q.InAddress, CreatedAt: now,
	})
	if err != nil {
		return 0, 0, fmt.Errorf("insert token %q: %w", q.Name, err)
	}
	return client, grant, nil
}

// insertOwn stores a client that acts without asking, and its one grant.
func insertOwn(ctx context.Context, tx *db.Tx, q TokenRequest, c store.InsertClientParams) (id.ClientID, id.GrantID, error) {
	if err := mustBeMember(ctx, tx, q.Account, q.Workspace); err != nil {
		return 0, 0, err
	}
	client, err := store.New(tx).InsertClient(ctx, c)
	if err != nil {
		return 0, 0, fmt.Errorf("insert client %q: %w", q.Name, err)
	}
	grant, err := store.New(tx).InsertGrant(ctx, store.InsertGrantParams{
		WorkspaceID: q.Workspace, AccountID: q.Account, ClientID: client.ID, Scopes: strings.Join(q.Scopes, " "),
		Plates: strings.Join(q.Plates, " "), Rules: dbtype.Doc(q.Rules), Seed: secret(), CreatedAt: c.CreatedAt, ExpiresAt: dbtype.At(q.Expires),
	})
	if err != nil {
		return 0, 0, fmt.Errorf("insert the grant of client %q: %w", q.Name, err)
	}
	return client.ID, grant, nil
}

// mustBeMember refuses to grant what the account does not have.
func mustBeMember(ctx context.Context, tx *db.Tx, account id.AccountID, ws id.WorkspaceID) error {
	_, err := store.New(tx).RoleOf(ctx, ws, account)
	if errors.Is(err, sql.ErrNoRows) {
		return fault.Missing("The account is not a member of workspace %d.", ws)
	}
	if err != nil {
		return fmt.Errorf("read the role of account %d in workspace %d: %w", account, ws, err)
	}
	return nil
}

func hint(token string) string { return token[len(token)-4:] }

// Tokens lists the personal tokens of the account in the workspace, the newest
// first, without those that were revoked.
func (s *Server) Tokens(ctx context.Context, account id.AccountID, ws id.WorkspaceID) (list []PersonalToken, err error) {
	err = s.o.DB.Read(ctx, func(tx *db.Tx) error {
		rows, err := store.New(tx).TokensOfAccount(ctx, ws, account)
		if err != nil {
			return fmt.Errorf("list tokens of account %d: %w", account, err)
		}
		list = make([]PersonalToken, 0, len(rows))
		for _, r := range rows {
			list = append(list, PersonalToken{
				Grant: r.GrantID, Name: r.Name, Hint: r.Hint, Plates: strings.Fields(r.Plates), Scopes: strings.Fields(r.Scopes),
				Rules: r.Rules.V, InAddress: r.InAddress, Created: r.CreatedAt.Time, Rotated: r.SecretCreatedAt.Time,
				Used: s.uses.latest(r.GrantID, r.LastUsedAt.Time), Expires: r.ExpiresAt.Time,
			})
		}
		return nil
	})
	return list, err
}

// RotateToken replaces the secret of a personal token and returns the new one;
// name and rights stay, the old one dies at once.
func (s *Server) RotateToken(ctx context.Context, account id.AccountID, ws id.WorkspaceID, grant id.GrantID) (token string, err error) {
	err = s.write(ctx, func(tx *db.Tx) (Event, error) {
		token = personalPrefix + secret()
		n, err := store.New(tx).ReplaceToken(ctx, store.ReplaceTokenParams{
			TokenHash: hashed(token), Hint: hint(token), CreatedAt: dbtype.At(tx.Now()), WorkspaceID: ws, GrantID: grant, AccountID: account,
		})
		if err != nil {
			return Event{}, fmt.Errorf("rotate token %d: %w", grant, err)
		}
		if n == 0 {
			return Event{}, noGrant(grant)
		}
		return Event{Name: TokenRotated, Account: account, Workspace: ws, Grant: grant}, nil
	})
	if err != nil {
		return "", err
	}
	return token, nil
}
