package account

import (
	"context"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/account/store"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// NewWorkspace makes another workspace of the caller, who becomes its owner.
func (s *Service) NewWorkspace(ctx context.Context, door Door, who contract.Caller, name, zoneName string) (made id.WorkspaceID, err error) {
	name, err = workspaceName(name)
	if err != nil {
		return 0, err
	}
	zone, err := Zone(zoneName)
	if err != nil {
		return 0, err
	}
	err = s.o.DB.Write(ctx, func(tx *db.Tx) error {
		homes, err := store.New(tx).Memberships(ctx, who.Account)
		if err != nil {
			return fmt.Errorf("list workspaces of account %d: %w", who.Account, err)
		}
		if len(homes) >= homesMax {
			return tooManyHomes()
		}
		if made, err = insertWorkspace(ctx, tx, who.Account, name, zone.String()); err != nil {
			return err
		}
		return event(ctx, tx, door, "workspace.created", who.Account, made)
	})
	return made, err
}

func tooManyHomes() error {
	return fault.Refuse("You are in %d workspaces already, which is the most.", homesMax).Next("Leave or delete one first.")
}

// insertWorkspace stores a workspace with its owner.
func insertWorkspace(ctx context.Context, tx *db.Tx, owner id.AccountID, name, zone string) (id.WorkspaceID, error) {
	q, now := store.New(tx), dbtype.At(tx.Now())
	ws, err := q.InsertWorkspace(ctx, store.InsertWorkspaceParams{UID: id.UID(), Name: name, TimeZone: zone, CreatedAt: now})
	if err != nil {
		return 0, fmt.Errorf("insert workspace: %w", err)
	}
	_, err = q.InsertMember(ctx, store.InsertMemberParams{WorkspaceID: ws.ID, AccountID: owner, Role: string(contract.Owner), CreatedAt: now})
	if err != nil {
		return 0, fmt.Errorf("insert owner: %w", err)
	}
	return ws.ID, nil
}

// DeleteWorkspace deletes the caller's workspace with everything in it, and
// returns where to work next. Only an owner may, who types its name, and not
// in their only workspace.
func (s *Service) DeleteWorkspace(ctx context.Context, door Door, who contract.Caller, typed string) (next id.WorkspaceID, err error) {
	err = s.change(ctx, door, who, "workspace.delete_refused", func(tx *db.Tx, a acting) error {
		if a.role != contract.Owner {
			return fault.Deny("role_missing", "Only an owner of %s can delete it.", who.WorkspaceName)
		}
		ws, err := a.q.Workspace(ctx, who.Workspace)
		if err != nil {
			return fmt.Errorf("read workspace %d: %w", who.Workspace, err)
		}
		if strings.TrimSpace(typed) != ws.Name {
			return fault.BadArgument("Type the name of the workspace as it stands above: %s", ws.Name).At("name")
		}
		if next, err = otherHome(ctx, a.q, who); err != nil {
			return err
		}
		return deleteWorkspace(ctx, tx, a.door, who.Account, who.Workspace)
	})
	return next, err
}

// deleteWorkspace deletes a workspace; what plates store in it goes by the
// foreign keys. The record keeps its rows, which hold no content.
func deleteWorkspace(ctx context.Context, tx *db.Tx, door Door, who id.AccountID, ws id.WorkspaceID) error {
	if _, err := store.New(tx).DeleteWorkspace(ctx, ws); err != nil {
		return fmt.Errorf("delete workspace %d: %w", ws, err)
	}
	return event(ctx, tx, door, "workspace.deleted", who, ws)
}
