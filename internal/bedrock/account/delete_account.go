package account

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/account/store"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// Farewell says what goes with an account.
type Farewell struct {
	Deleted []Membership // workspaces where nobody else is: deleted with everything in them
	Left    []Membership // workspaces that go on without the account
	Blocked []Membership // shared workspaces of which it is the only owner: to hand over first
}

// Farewell returns what would go if the account were deleted now.
func (s *Service) Farewell(ctx context.Context, who id.AccountID) (f Farewell, err error) {
	err = s.o.DB.Read(ctx, func(tx *db.Tx) error {
		f, err = farewell(ctx, store.New(tx), who)
		return err
	})
	return f, err
}

func farewell(ctx context.Context, q *store.Queries, who id.AccountID) (f Farewell, err error) {
	homes, err := q.Memberships(ctx, who)
	if err != nil {
		return f, fmt.Errorf("list workspaces of account %d: %w", who, err)
	}
	for _, h := range homes {
		m := Membership{Workspace: h.ID, Name: h.Name, Role: contract.Role(h.Role), Zone: ZoneOrUTC(h.TimeZone)}
		people, err := q.CountMembers(ctx, h.ID)
		if err != nil {
			return f, fmt.Errorf("count members of workspace %d: %w", h.ID, err)
		}
		owners, err := q.CountOwners(ctx, h.ID)
		if err != nil {
			return f, fmt.Errorf("count owners of workspace %d: %w", h.ID, err)
		}
		switch {
		case people == 1:
			f.Deleted = append(f.Deleted, m)
		case m.Role == contract.Owner && owners == 1:
			f.Blocked = append(f.Blocked, m)
		default:
			f.Left = append(f.Left, m)
		}
	}
	return f, nil
}

// DeleteAccount deletes the caller's account for good, after checking the
// password again: the workspaces where nobody else is with everything in them,
// the other memberships, sessions, grants, tokens and the clients that the
// account made. Rows of the record stay, since it only grows; they hold
// numbers, no address and no content. An only owner of a shared workspace must
// hand it over first.
func (s *Service) DeleteAccount(ctx context.Context, door Door, who contract.Caller, password string) error {
	if err := s.samePerson(ctx, door, who, password); err != nil {
		return err
	}
	return s.o.DB.Write(ctx, func(tx *db.Tx) error {
		f, err := s.lockedFarewell(ctx, tx, who.Account)
		if err != nil {
			return err
		}
		if len(f.Blocked) > 0 {
			return fault.Refuse("You are the only owner of %s, where others train too.", f.Blocked[0].Name).
				Next("Make somebody else an owner there, or delete that workspace. Then come back.")
		}
		return s.deleteAccount(ctx, tx, door, who.Account, f)
	})
}

// samePerson checks the password of the person at the browser.
func (s *Service) samePerson(ctx context.Context, door Door, who contract.Caller, password string) error {
	_, ok, err := s.check(ctx, door, emailKey(who.Email), password)
	if err != nil || ok {
		return err
	}
	if err := s.denied(ctx, door, "account.password_refused", who.Account, who.Workspace, fault.Deny(fault.CodeUnauthenticated, noMatch)); err != nil {
		return err
	}
	return notCurrent()
}

// lockedFarewell is farewell of workspaces whose people stand still until the
// transaction ends, in the order of their ids, so that two such transactions
// do not wait for each other.
func (s *Service) lockedFarewell(ctx context.Context, tx *db.Tx, who id.AccountID) (Farewell, error) {
	q := store.New(tx)
	homes, err := q.WorkspacesOf(ctx, who)
	if err != nil {
		return Farewell{}, fmt.Errorf("list workspaces of account %d: %w", who, err)
	}
	for _, ws := range homes {
		if err := db.LockWorkspace(ctx, tx, ws); err != nil {
			return Farewell{}, err
		}
	}
	return farewell(ctx, q, who)
}

func (s *Service) deleteAccount(ctx context.Context, tx *db.Tx, door Door, who id.AccountID, f Farewell) error {
	for _, w := range f.Deleted {
		if err := deleteWorkspace(ctx, tx, door, who, w.Workspace); err != nil {
			return err
		}
	}
	for _, w := range f.Left {
		if err := event(ctx, tx, door, "member.left", who, w.Workspace); err != nil {
			return err
		}
	}
	if s.o.Hooks.Gone != nil {
		if err := s.o.Hooks.Gone(ctx, tx, who); err != nil {
			return err
		}
	}
	if _, err := store.New(tx).DeleteAccount(ctx, who); err != nil {
		return fmt.Errorf("delete account %d: %w", who, err)
	}
	return event(ctx, tx, door, "account.deleted", who, 0)
}
