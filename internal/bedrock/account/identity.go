package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tectonic/internal/bedrock/account/store"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// Membership is a workspace that an account belongs to.
type Membership struct {
	Workspace id.WorkspaceID
	Name      string
	Role      contract.Role
	Zone      *time.Location
}

// Identity is an account at work in one of its workspaces.
type Identity struct {
	Caller      contract.Caller
	Admin       bool // of the instance
	Memberships []Membership
}

// Identity returns who an account is now in the workspace, or in the first of
// its workspaces when it is no member of that one any more. It denies when the
// account is gone, has moved to another epoch, or has no workspace left.
func (s *Service) Identity(ctx context.Context, account id.AccountID, ws id.WorkspaceID, epoch int64) (who Identity, err error) {
	err = s.o.DB.Read(ctx, func(tx *db.Tx) error {
		who, err = identity(ctx, store.New(tx), account, ws, epoch)
		return err
	})
	return who, err
}

func identity(ctx context.Context, q *store.Queries, account id.AccountID, ws id.WorkspaceID, epoch int64) (Identity, error) {
	row, err := q.Identity(ctx, account, ws)
	if errors.Is(err, sql.ErrNoRows) {
		row, err = elsewhere(ctx, q, account)
	}
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.SessionEpoch != epoch {
		return Identity{}, fault.Deny(fault.CodeUnauthenticated, "You are signed out. Log in again.")
	}
	if err != nil {
		return Identity{}, fmt.Errorf("read identity of account %d: %w", account, err)
	}
	homes, err := q.Memberships(ctx, account)
	if err != nil {
		return Identity{}, fmt.Errorf("list workspaces of account %d: %w", account, err)
	}
	role := contract.Role(row.Role)
	who := Identity{Admin: row.IsInstanceAdmin, Caller: contract.Caller{
		Account: row.AccountID, Email: row.Email, Workspace: row.WorkspaceID, WorkspaceName: row.WorkspaceName,
		Role: role, Scopes: role.Scopes(), Zone: ZoneOrUTC(row.TimeZone),
	}}
	for _, h := range homes {
		who.Memberships = append(who.Memberships, Membership{Workspace: h.ID, Name: h.Name, Role: contract.Role(h.Role), Zone: ZoneOrUTC(h.TimeZone)})
	}
	return who, nil
}

// elsewhere is the identity of an account in the first of its workspaces.
func elsewhere(ctx context.Context, q *store.Queries, account id.AccountID) (store.IdentityRow, error) {
	ws, err := q.FirstMembership(ctx, account)
	if err != nil {
		return store.IdentityRow{}, err
	}
	return q.Identity(ctx, account, ws)
}

// ZoneOrUTC reads a stored zone; one that this machine no longer knows counts
// as UTC rather than locking its lifter out.
func ZoneOrUTC(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Local returns the caller of the command line: the owner of the workspace,
// which need not be named when there is exactly one.
func (s *Service) Local(ctx context.Context, ws id.WorkspaceID, over contract.Transport) (caller contract.Caller, err error) {
	err = s.o.DB.Read(ctx, func(tx *db.Tx) error {
		all, err := store.New(tx).WorkspacesWithOwner(ctx)
		if err != nil {
			return fmt.Errorf("list workspaces: %w", err)
		}
		row, err := pick(all, ws)
		if err != nil {
			return err
		}
		caller = contract.LocalOperator(contract.Caller{
			Account: row.OwnerID, Email: row.OwnerEmail, Workspace: row.ID, WorkspaceName: row.Name, Zone: ZoneOrUTC(row.TimeZone),
		}, over)
		return nil
	})
	return caller, err
}

func pick(all []store.WorkspacesWithOwnerRow, ws id.WorkspaceID) (store.WorkspacesWithOwnerRow, error) {
	var none store.WorkspacesWithOwnerRow
	if len(all) == 0 {
		return none, fault.Refuse("No accounts yet. Sign up first.")
	}
	if ws == 0 && len(all) == 1 {
		return all[0], nil
	}
	ids := make([]string, len(all))
	for i, w := range all {
		if w.ID == ws {
			return w, nil
		}
		ids[i] = fmt.Sprintf("%d is %s of %s", w.ID, w.Name, w.OwnerEmail)
	}
	if ws == 0 {
		return none, fault.BadArgument("Several workspaces exist: %s. Name one with --workspace, such as --workspace %d.", strings.Join(ids, "; "), all[0].ID)
	}
	return none, fault.Missing("No workspace with id %d. These exist: %s.", ws, strings.Join(ids, "; "))
}

// Rename changes the name and the time zone of the caller's workspace. Only
// its owners and admins may.
func (s *Service) Rename(ctx context.Context, door Door, who contract.Caller, name, zoneName string) error {
	if who.Role != contract.Owner && who.Role != contract.Admin {
		r := fault.Deny("role_missing", "Only an owner or admin of %s can change its settings.", who.WorkspaceName)
		if err := s.denied(ctx, door, "workspace.change_refused", who.Account, who.Workspace, r); err != nil {
			return err
		}
		return r
	}
	name, err := workspaceName(name)
	if err != nil {
		return err
	}
	zone, err := Zone(zoneName)
	if err != nil {
		return err
	}
	return s.o.DB.Write(ctx, func(tx *db.Tx) error {
		_, err := store.New(tx).UpdateWorkspace(ctx, store.UpdateWorkspaceParams{Name: name, TimeZone: zone.String(), ID: who.Workspace})
		if err != nil {
			return fmt.Errorf("update workspace %d: %w", who.Workspace, err)
		}
		return event(ctx, tx, door, "workspace.changed", who.Account, who.Workspace)
	})
}

// workspaceNameMax is the longest name of a workspace in characters.
const workspaceNameMax = 80

// workspaceName returns the name trimmed, or refuses one that is empty, too
// long or unprintable.
func workspaceName(typed string) (string, error) {
	name := strings.TrimSpace(typed)
	if name == "" || utf8.RuneCountInString(name) > workspaceNameMax {
		return "", fault.BadArgument("A workspace needs a name of 1 to %d characters.", workspaceNameMax).At("name")
	}
	if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return "", fault.BadArgument("The name of a workspace cannot hold control characters.").At("name")
	}
	return name, nil
}
