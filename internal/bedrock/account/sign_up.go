package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"tectonic/internal/bedrock/account/store"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// NewAccount is what a sign-up asks.
type NewAccount struct {
	Email     string
	Password  string
	TimeZone  string // IANA name; "" = UTC
	Workspace string // name of the personal workspace; "" = "Personal"
	Invite    string // token of an invitation, which is used; "" = none
}

// Started names the session that a sign-up or a sign-in may start.
type Started struct {
	Account   id.AccountID
	Workspace id.WorkspaceID
	Epoch     int64
}

const personal = "Personal"

// Create makes an account and its personal workspace, of which it is the
// owner. The first account of an instance administers it. With an invitation it
// joins that workspace too and starts there. Refusals: sign-up closed, an
// address that is none or taken, a password out of range, an unknown time
// zone, an invitation that does not work.
func (s *Service) Create(ctx context.Context, door Door, in NewAccount) (Started, error) {
	if closed := s.mayCreate(door, in.Invite); closed != nil {
		if err := s.denied(ctx, door, "account.sign_up_refused", 0, 0, closed); err != nil {
			return Started{}, err
		}
		return Started{}, closed
	}
	address, key, err := Email(in.Email)
	if err != nil {
		return Started{}, err
	}
	if err := checkPassword(in.Password, "password"); err != nil {
		return Started{}, err
	}
	zone, err := Zone(in.TimeZone)
	if err != nil {
		return Started{}, err
	}
	name := personal
	if strings.TrimSpace(in.Workspace) != "" {
		if name, err = workspaceName(in.Workspace); err != nil {
			return Started{}, err
		}
	}
	hashed, err := hash(ctx, in.Password)
	if err != nil {
		return Started{}, err
	}
	var started Started
	err = s.o.DB.Write(ctx, func(tx *db.Tx) error {
		started, err = create(ctx, tx, door, store.InsertAccountParams{Email: address, EmailKey: key, PasswordHash: hashed}, name, zone)
		if err != nil || in.Invite == "" {
			return err
		}
		joined, err := join(ctx, tx, door, started.Account, in.Invite)
		started.Workspace = joined.Workspace
		return err
	})
	return started, err
}

// mayCreate lets the operator of the machine make accounts always. Whether an
// invitation works is seen when it is used.
func (s *Service) mayCreate(door Door, invite string) *fault.Refusal {
	if door.Transport == contract.OverCLI {
		return nil
	}
	switch s.o.SignUp {
	case SignUpClosed:
		return fault.Deny("signup_closed", "This server takes no new accounts.")
	case SignUpInvite:
		if invite != "" {
			return nil
		}
		return fault.Deny("signup_closed", "This server takes new accounts by invitation only. Open the link of an invitation, or ask the person who runs it.")
	}
	return nil
}

func create(ctx context.Context, tx *db.Tx, door Door, a store.InsertAccountParams, name string, zone *time.Location) (Started, error) {
	q := store.New(tx)
	var err error
	if a.IsInstanceAdmin, err = first(ctx, tx); err != nil {
		return Started{}, err
	}
	a.CreatedAt = dbtype.At(tx.Now())
	made, err := q.InsertAccount(ctx, a)
	if errors.Is(err, sql.ErrNoRows) {
		return Started{}, fault.Clash("There is already an account with that e-mail address. Log in instead.").At("email")
	}
	if err != nil {
		return Started{}, fmt.Errorf("insert account: %w", err)
	}
	ws, err := insertWorkspace(ctx, tx, made.ID, name, zone.String())
	if err != nil {
		return Started{}, err
	}
	return Started{Account: made.ID, Workspace: ws, Epoch: made.SessionEpoch}, event(ctx, tx, door, "account.created", made.ID, ws)
}

// first reports whether the instance has no account yet. Two sign-ups on an
// empty instance at once wait for each other here, so that one of them is the
// first: on SQLite a write is alone anyway, PostgreSQL locks the table.
func first(ctx context.Context, tx *db.Tx) (bool, error) {
	existing, err := store.New(tx).CountAccounts(ctx)
	if err == nil && existing == 0 && tx.Dialect() == db.Postgres {
		if _, err = tx.ExecContext(ctx, "LOCK TABLE accounts IN SHARE ROW EXCLUSIVE MODE"); err == nil {
			existing, err = store.New(tx).CountAccounts(ctx)
		}
	}
	if err != nil {
		return false, fmt.Errorf("count accounts: %w", err)
	}
	return existing == 0, nil
}

// Zone returns the time zone of that IANA name; "" is UTC. "Local" is refused:
// it would mean another zone on another machine.
func Zone(name string) (*time.Location, error) {
	name = strings.TrimSpace(name)
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, fault.BadArgument("\"%s\" is not a time zone this server knows.", fault.Clip(name)).At("time_zone")
	}
	return zone, nil
}
