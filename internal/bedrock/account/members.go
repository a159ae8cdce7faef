package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tectonic/internal/bedrock/account/store"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// PersonOf is somebody who works in a workspace.
type PersonOf struct {
	Member  int64 // id of the membership
	Account id.AccountID
	Email   string
	Role    contract.Role
	Since   time.Time
}

// Members lists the people of a workspace in the order in which they joined.
func (s *Service) Members(ctx context.Context, ws id.WorkspaceID) (list []PersonOf, err error) {
	err = s.o.DB.Read(ctx, func(tx *db.Tx) error {
		list, err = Members(ctx, tx, ws)
		return err
	})
	return list, err
}

// Members is Service.Members inside tx.
func Members(ctx context.Context, tx *db.Tx, ws id.WorkspaceID) ([]PersonOf, error) {
	rows, err := store.New(tx).Members(ctx, ws)
	if err != nil {
		return nil, fmt.Errorf("list members of workspace %d: %w", ws, err)
	}
	list := make([]PersonOf, len(rows))
	for i, r := range rows {
		list[i] = PersonOf{Member: r.ID, Account: r.AccountID, Email: r.Email, Role: contract.Role(r.Role), Since: r.CreatedAt.Time}
	}
	return list, nil
}

// SetRole gives a member another role. Refusals: a role that the caller may
// not give or take, a member that is not there, the last owner.
func (s *Service) SetRole(ctx context.Context, door Door, who contract.Caller, member int64, role contract.Role) (changed PersonOf, err error) {
	if err := knownRole(role); err != nil {
		return PersonOf{}, err
	}
	err = s.change(ctx, door, who, "member.change_refused", func(tx *db.Tx, a acting) error {
		if changed, err = a.target(ctx, member); err != nil {
			return err
		}
		if err := a.must(role); err != nil {
			return err
		}
		if changed.Role == role {
			return nil
		}
		if err := a.keepsOwner(ctx, changed); err != nil {
			return err
		}
		if _, err := a.q.SetRole(ctx, store.SetRoleParams{Role: string(role), WorkspaceID: who.Workspace, ID: member}); err != nil {
			return fmt.Errorf("set the role of member %d: %w", member, err)
		}
		if less(role, changed.Role) {
			if err := a.dropInvites(ctx, changed.Account); err != nil {
				return err
			}
		}
		changed.Role = role
		return a.event(ctx, tx, "member.role_changed", memberRef(member))
	})
	return changed, err
}

// Remove ends the membership of somebody else, with what they allowed
// programs in the workspace.
func (s *Service) Remove(ctx context.Context, door Door, who contract.Caller, member int64) (gone PersonOf, err error) {
	err = s.change(ctx, door, who, "member.change_refused", func(tx *db.Tx, a acting) error {
		if gone, err = a.target(ctx, member); err != nil {
			return err
		}
		if gone.Account == who.Account {
			return fault.Refuse("That is you.").Next("To go, leave the workspace.")
		}
		if err := a.keepsOwner(ctx, gone); err != nil {
			return err
		}
		return s.endMembership(ctx, tx, a, gone, "member.removed")
	})
	return gone, err
}

// Leave ends the caller's own membership and returns where to work next. The
// last owner must hand over first, and nobody leaves their only workspace.
func (s *Service) Leave(ctx context.Context, door Door, who contract.Caller) (next id.WorkspaceID, err error) {
	err = s.change(ctx, door, who, "member.change_refused", func(tx *db.Tx, a acting) error {
		self := PersonOf{Member: a.id, Account: who.Account, Role: a.role}
		if err := a.keepsOwner(ctx, self); err != nil {
			return err
		}
		if next, err = otherHome(ctx, a.q, who); err != nil {
			return err
		}
		return s.endMembership(ctx, tx, a, self, "member.left")
	})
	return next, err
}

// target returns the member that a change is about, if the caller may manage
// somebody of that role.
func (a acting) target(ctx context.Context, member int64) (PersonOf, error) {
	m, err := a.q.MemberByID(ctx, a.who.Workspace, member)
	if errors.Is(err, sql.ErrNoRows) {
		return PersonOf{}, fault.Missing("There is no such member in this workspace.")
	}
	if err != nil {
		return PersonOf{}, fmt.Errorf("read member %d: %w", member, err)
	}
	found := PersonOf{Member: m.ID, Account: m.AccountID, Email: m.Email, Role: contract.Role(m.Role), Since: m.CreatedAt.Time}
	return found, a.must(found.Role)
}

// keepsOwner refuses to take the last owner away. The workspace is locked, so
// two owners cannot both be the one who stays.
func (a acting) keepsOwner(ctx context.Context, going PersonOf) error {
	if going.Role != contract.Owner {
		return nil
	}
	owners, err := a.q.CountOwners(ctx, a.who.Workspace)
	if err != nil {
		return fmt.Errorf("count owners of workspace %d: %w", a.who.Workspace, err)
	}
	if owners > 1 {
		return nil
	}
	return fault.Refuse("%s would have no owner then.", a.who.WorkspaceName).Next("Make somebody else an owner first, or delete the workspace.")
}

// endMembership removes a member, what they allowed programs, and the links by
// which they invited others.
func (s *Service) endMembership(ctx context.Context, tx *db.Tx, a acting, gone PersonOf, name string) error {
	if err := a.dropInvites(ctx, gone.Account); err != nil {
		return err
	}
	if s.o.Hooks.Left != nil {
		if err := s.o.Hooks.Left(ctx, tx, gone.Account, a.who.Workspace); err != nil {
			return err
		}
	}
	if _, err := a.q.DeleteMember(ctx, a.who.Workspace, gone.Member); err != nil {
		return fmt.Errorf("remove member %d: %w", gone.Member, err)
	}
	return a.event(ctx, tx, name, memberRef(gone.Member))
}

func (a acting) dropInvites(ctx context.Context, by id.AccountID) error {
	if _, err := a.q.DeleteInvitesBy(ctx, a.who.Workspace, by); err != nil {
		return fmt.Errorf("delete the invitations of account %d: %w", by, err)
	}
	return nil
}

// otherHome returns the first other workspace of the caller.
func otherHome(ctx context.Context, q *store.Queries, who contract.Caller) (id.WorkspaceID, error) {
	homes, err := q.Memberships(ctx, who.Account)
	if err != nil {
		return 0, fmt.Errorf("list workspaces of account %d: %w", who.Account, err)
	}
	for _, h := range homes {
		if h.ID != who.Workspace {
			return h.ID, nil
		}
	}
	return 0, fault.Refuse("%s is your only workspace.", who.WorkspaceName).Next("Make another workspace first, or delete your account.")
}

func memberRef(member int64) string { return fmt.Sprintf("member:%d", member) }
