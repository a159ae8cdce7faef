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
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

const (
	// InviteLife is how long an invitation works.
	InviteLife = 7 * 24 * time.Hour

	inviteBytes = 32 // random, in the token of a link

	invitesMax = 50 // links of a workspace that wait at once
	homesMax   = 50 // workspaces of one account
)

// deadLink is the one sentence for every link that does not work: unknown,
// used, over, revoked, or of somebody who may not invite any more.
const deadLink = "This invitation does not work: it may have been used or taken back, or its 7 days are over."

// Invite is a link that waits for somebody.
type Invite struct {
	ID      int64
	By      string // e-mail address of who invites
	Role    contract.Role
	Made    time.Time
	Expires time.Time
}

// Invitation is what whoever has the link may know.
type Invitation struct {
	Workspace id.WorkspaceID
	Name      string // of the workspace
	Role      contract.Role
	By        string // e-mail address of who invites
	Expires   time.Time

	id int64
}

// Invites lists the links of a workspace that still work, the newest first.
func (s *Service) Invites(ctx context.Context, ws id.WorkspaceID) (list []Invite, err error) {
	err = s.o.DB.Read(ctx, func(tx *db.Tx) error {
		rows, err := store.New(tx).PendingInvites(ctx, ws, dbtype.At(tx.Now()))
		if err != nil {
			return fmt.Errorf("list invitations of workspace %d: %w", ws, err)
		}
		list = make([]Invite, len(rows))
		for i, r := range rows {
			list[i] = Invite{ID: r.ID, By: r.ByEmail, Role: contract.Role(r.Role), Made: r.CreatedAt.Time, Expires: r.ExpiresAt.Time}
		}
		return nil
	})
	return list, err
}

// Invite makes a link by which one person can join the caller's workspace in
// the role, within seven days. It returns the link's token, which is stored as
// its hash only and cannot be read again.
func (s *Service) Invite(ctx context.Context, door Door, who contract.Caller, role contract.Role) (token string, err error) {
	if err := knownRole(role); err != nil {
		return "", err
	}
	err = s.change(ctx, door, who, "member.invite_refused", func(tx *db.Tx, a acting) error {
		if err := a.must(role); err != nil {
			return err
		}
		now := dbtype.At(tx.Now())
		waiting, err := a.q.CountPendingInvites(ctx, who.Workspace, now)
		if err != nil {
			return fmt.Errorf("count invitations of workspace %d: %w", who.Workspace, err)
		}
		if waiting >= invitesMax {
			return fault.Refuse("%d invitations wait already, which is the most.", waiting).Next("Take back one that nobody will use.")
		}
		token = id.Token(inviteBytes)
		made, err := a.q.InsertInvite(ctx, store.InsertInviteParams{
			WorkspaceID: who.Workspace, AccountID: who.Account, TokenHash: tokenHash(token), Role: string(role),
			CreatedAt: now, ExpiresAt: dbtype.At(tx.Now().Add(InviteLife)),
		})
		if err != nil {
			return fmt.Errorf("insert an invitation: %w", err)
		}
		return a.event(ctx, tx, "member.invited", inviteRef(made))
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// RevokeInvite takes a link back before somebody uses it.
func (s *Service) RevokeInvite(ctx context.Context, door Door, who contract.Caller, invite int64) error {
	return s.change(ctx, door, who, "member.invite_refused", func(tx *db.Tx, a acting) error {
		if err := a.must(contract.Viewer); err != nil {
			return err
		}
		n, err := a.q.DeleteInvite(ctx, who.Workspace, invite)
		if err != nil {
			return fmt.Errorf("delete invitation %d: %w", invite, err)
		}
		if n == 0 {
			return fault.Missing("There is no such invitation in this workspace.")
		}
		return a.event(ctx, tx, "member.invite_revoked", inviteRef(invite))
	})
}

// Invitation returns where a link leads. The account, 0 for nobody, may have
// used it already: then it is told as its workspace. Every link that does not
// work is refused with one sentence.
func (s *Service) Invitation(ctx context.Context, token string, reader id.AccountID) (found Invitation, err error) {
	err = s.o.DB.Read(ctx, func(tx *db.Tx) error {
		found, err = invitation(ctx, store.New(tx), token, reader, tx.Now())
		return err
	})
	return found, err
}

func invitation(ctx context.Context, q *store.Queries, token string, reader id.AccountID, now time.Time) (Invitation, error) {
	row, err := q.InviteByHash(ctx, tokenHash(token))
	if errors.Is(err, sql.ErrNoRows) {
		return Invitation{}, noInvite()
	}
	if err != nil {
		return Invitation{}, fmt.Errorf("find an invitation: %w", err)
	}
	usedByReader := row.UsedByAccountID != nil && *row.UsedByAccountID == reader
	switch {
	case usedByReader:
	case !row.UsedAt.IsZero(), !now.Before(row.ExpiresAt.Time), row.ByRole == nil, !Manages(contract.Role(*row.ByRole), contract.Role(row.Role)):
		return Invitation{}, noInvite()
	}
	return Invitation{
		Workspace: row.WorkspaceID, Name: row.WorkspaceName, Role: contract.Role(row.Role), By: row.ByEmail, Expires: row.ExpiresAt.Time, id: row.ID,
	}, nil
}

func noInvite() error {
	return fault.Missing(deadLink).Next("Ask whoever sent it for a new one.")
}

// Join makes the account a member of the workspace that the link leads to, and
// returns it. A member already is refused, and the link stays good. One that
// used the same link before is a member already too.
func (s *Service) Join(ctx context.Context, door Door, who id.AccountID, token string) (joined Invitation, err error) {
	err = s.o.DB.Write(ctx, func(tx *db.Tx) error {
		joined, err = join(ctx, tx, door, who, token)
		return err
	})
	return joined, err
}

// ErrMember is the code of the refusal of somebody who is a member already.
const ErrMember fault.Code = "already_member"

func join(ctx context.Context, tx *db.Tx, door Door, who id.AccountID, token string) (Invitation, error) {
	q := store.New(tx)
	in, err := invitation(ctx, q, token, who, tx.Now())
	if err != nil {
		return Invitation{}, err
	}
	if err := db.LockWorkspace(ctx, tx, in.Workspace); err != nil {
		return Invitation{}, err
	}
	if in, err = invitation(ctx, q, token, who, tx.Now()); err != nil { // while this waited for the lock it may have ended
		return Invitation{}, err
	}
	homes, err := q.Memberships(ctx, who)
	if err != nil {
		return Invitation{}, fmt.Errorf("list workspaces of account %d: %w", who, err)
	}
	if len(homes) >= homesMax {
		return Invitation{}, tooManyHomes()
	}
	now := dbtype.At(tx.Now())
	member, err := q.InsertMember(ctx, store.InsertMemberParams{WorkspaceID: in.Workspace, AccountID: who, Role: string(in.Role), CreatedAt: now})
	if errors.Is(err, sql.ErrNoRows) {
		return Invitation{}, &fault.Refusal{Kind: fault.Conflict, Code: ErrMember, Message: fmt.Sprintf("You are a member of %s already.", in.Name)}
	}
	if err != nil {
		return Invitation{}, fmt.Errorf("insert a member: %w", err)
	}
	used, err := q.UseInvite(ctx, store.UseInviteParams{UsedAt: now, UsedBy: &who, WorkspaceID: in.Workspace, ID: in.id})
	if err != nil {
		return Invitation{}, fmt.Errorf("use invitation %d: %w", in.id, err)
	}
	if used == 0 {
		return Invitation{}, noInvite()
	}
	return in, event(ctx, tx, door, "member.joined", who, in.Workspace, memberRef(member.ID), inviteRef(in.id))
}

// DropInvites removes invitations that are over. It returns how many.
func (s *Service) DropInvites(ctx context.Context) (dropped int64, err error) {
	err = s.o.DB.Write(ctx, func(tx *db.Tx) error {
		dropped, err = store.New(tx).DeleteInvitesBefore(ctx, dbtype.At(tx.Now()))
		return err
	})
	return dropped, err
}

func inviteRef(invite int64) string { return fmt.Sprintf("invite:%d", invite) }
