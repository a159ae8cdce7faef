package oauth

import (
	"context"
	"fmt"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth/store"
)

// Grant is what an account allows a program, or allowed it, without secrets.
type Grant struct {
	ID      id.GrantID
	Account id.AccountID
	Program string // as people read it
	Kind    string // of the program, such as "token" for a personal token
	Plates  string // names separated by spaces
	Scopes  string // separated by spaces
	Created time.Time
	Expires time.Time // zero = no end
	Revoked time.Time // zero = it holds
	Reason  string    // of the revocation
	Used    time.Time // zero = never
}

// Grants lists what people allow programs in a workspace, inside tx, the oldest
// first.
func Grants(ctx context.Context, tx *db.Tx, ws id.WorkspaceID) ([]Grant, error) {
	rows, err := store.New(tx).GrantsOfWorkspace(ctx, ws)
	if err != nil {
		return nil, fmt.Errorf("list the grants of workspace %d: %w", ws, err)
	}
	list := make([]Grant, len(rows))
	for i, r := range rows {
		list[i] = Grant{
			ID: r.ID, Account: r.AccountID, Program: r.ClientName, Kind: r.ClientKind, Plates: r.Plates, Scopes: r.Scopes,
			Created: r.CreatedAt.Time, Expires: r.ExpiresAt.Time, Revoked: r.RevokedAt.Time, Used: r.LastUsedAt.Time,
		}
		if r.RevokeReason != nil {
			list[i].Reason = *r.RevokeReason
		}
	}
	return list, nil
}
