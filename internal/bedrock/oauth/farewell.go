package oauth

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth/store"
)

// hiddenName is what a client is called whose maker deleted the account, where
// a row that it wrote still names it.
const hiddenName = "A program of a deleted account"

// EndMembership revokes everything that an account allows in a workspace,
// connections and personal tokens, inside tx; record appends one event for
// each. A member who comes back later has to connect again.
func EndMembership(ctx context.Context, tx *db.Tx, account id.AccountID, ws id.WorkspaceID, record func(context.Context, *db.Tx, Event) error) error {
	reason := "membership_ended"
	ended, err := store.New(tx).RevokeGrantsOf(ctx, store.RevokeGrantsOfParams{
		RevokedAt: dbtype.At(tx.Now()), RevokeReason: &reason, WorkspaceID: ws, AccountID: account,
	})
	if err != nil {
		return fmt.Errorf("revoke the grants of account %d in workspace %d: %w", account, ws, err)
	}
	for _, g := range ended {
		if err := record(ctx, tx, Event{Name: GrantRevoked, Account: account, Workspace: ws, Client: g.ClientID, Grant: g.ID}); err != nil {
			return err
		}
	}
	return nil
}

// Forget removes the clients that an account made for itself, inside tx, before
// the account is deleted; its grants and tokens go with it. A client that a row
// of a shared workspace still names stays without its name.
func Forget(ctx context.Context, tx *db.Tx, account id.AccountID) error {
	made, err := store.New(tx).HideClientsOf(ctx, hiddenName, account)
	if err != nil {
		return fmt.Errorf("hide the clients of account %d: %w", account, err)
	}
	for _, client := range made {
		if err := deleteUnlessNamed(ctx, tx, client); err != nil {
			return err
		}
	}
	return nil
}

// deleteUnlessNamed deletes a client with its grants. A row of a plate that
// names it refuses that, and then it stays; bedrock knows no tables of plates,
// so it has to try.
func deleteUnlessNamed(ctx context.Context, tx *db.Tx, client id.ClientID) error {
	if _, err := tx.ExecContext(ctx, "SAVEPOINT forget_client"); err != nil {
		return fmt.Errorf("forget client %d: %w", client, err)
	}
	end := "RELEASE SAVEPOINT forget_client"
	if _, err := store.New(tx).DeleteClientAndGrants(ctx, client); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("forget client %d: %w", client, err)
		}
		end = "ROLLBACK TO SAVEPOINT forget_client"
	}
	if _, err := tx.ExecContext(ctx, end); err != nil {
		return fmt.Errorf("forget client %d: %w", client, err)
	}
	return nil
}
