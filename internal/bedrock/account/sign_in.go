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

const noMatch = "That e-mail address and password do not match an account."

// SignIn checks an address and its password. Every failure has one sentence
// and costs the same work. The session opens in the first workspace that the
// account joined.
func (s *Service) SignIn(ctx context.Context, door Door, email, password string) (Started, error) {
	found, ok, err := s.check(ctx, door, emailKey(email), password)
	if err != nil {
		return Started{}, err
	}
	if !ok {
		return Started{}, s.failedSignIn(ctx, door, found.ID)
	}
	return s.start(ctx, door, found)
}

// check reports whether the password is that of the account. The attempt
// counts as failed while it is under way, so that many guesses at once do not
// all pass the throttle.
func (s *Service) check(ctx context.Context, door Door, key, password string) (found store.Account, ok bool, err error) {
	attempt, tooMany := s.throttle.begin(key, door.Address)
	if tooMany != nil {
		if err := s.denied(ctx, door, "account.sign_in_throttled", 0, 0, tooMany); err != nil {
			return store.Account{}, false, err
		}
		return store.Account{}, false, tooMany
	}
	found, known, err := s.byEmail(ctx, key)
	if err == nil {
		ok, err = s.compare(ctx, password, found, known)
	}
	if ok || err != nil {
		s.throttle.forgive(attempt)
	}
	return found, ok, err
}

func (s *Service) byEmail(ctx context.Context, key string) (found store.Account, known bool, err error) {
	err = s.o.DB.Read(ctx, func(tx *db.Tx) error {
		found, err = store.New(tx).AccountByEmailKey(ctx, key)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		known = err == nil
		return err
	})
	if err != nil {
		return store.Account{}, false, fmt.Errorf("look up account: %w", err)
	}
	return found, known, nil
}

// compare does the work of a comparison also for an unknown address.
func (s *Service) compare(ctx context.Context, password string, found store.Account, known bool) (bool, error) {
	hashed := found.PasswordHash
	if hashed == "" { // unknown, or an account that cannot sign in
		known, hashed = false, nobody
	}
	ok, err := s.matches(ctx, password, hashed)
	return ok && known, err
}

// failedSignIn records the denial; the account is 0 when the address is
// unknown.
func (s *Service) failedSignIn(ctx context.Context, door Door, who id.AccountID) error {
	if err := s.denied(ctx, door, "account.sign_in_failed", who, 0, fault.Deny(fault.CodeUnauthenticated, noMatch)); err != nil {
		return err
	}
	// The page shows a form again; it does not send the reader to sign in.
	return &fault.Refusal{Kind: fault.Invalid, Code: fault.CodeBadArguments, Message: noMatch}
}

func (s *Service) start(ctx context.Context, door Door, a store.Account) (started Started, err error) {
	err = s.o.DB.Write(ctx, func(tx *db.Tx) error {
		ws, err := home(ctx, tx, door, a.ID)
		if err != nil {
			return err
		}
		started = Started{Account: a.ID, Workspace: ws, Epoch: a.SessionEpoch}
		return event(ctx, tx, door, "account.signed_in", a.ID, started.Workspace)
	})
	return started, err
}

// home returns the first workspace of an account. Whoever was removed from
// the last one gets a new one.
func home(ctx context.Context, tx *db.Tx, door Door, who id.AccountID) (id.WorkspaceID, error) {
	ws, err := store.New(tx).FirstMembership(ctx, who)
	if errors.Is(err, sql.ErrNoRows) {
		if ws, err = insertWorkspace(ctx, tx, who, personal, time.UTC.String()); err == nil {
			err = event(ctx, tx, door, "workspace.created", who, ws)
		}
	}
	if err != nil {
		return 0, fmt.Errorf("find a workspace of account %d: %w", who, err)
	}
	return ws, nil
}

// ChangePassword replaces the password after checking the current one. It
// returns the new epoch: the session that asked goes on under it, all others
// are signed out.
func (s *Service) ChangePassword(ctx context.Context, door Door, who contract.Caller, current, replacement string) (epoch int64, err error) {
	found, ok, err := s.check(ctx, door, emailKey(who.Email), current)
	if err != nil {
		return 0, err
	}
	if !ok {
		if err := s.denied(ctx, door, "account.password_refused", who.Account, who.Workspace, fault.Deny(fault.CodeUnauthenticated, noMatch)); err != nil {
			return 0, err
		}
		return 0, notCurrent()
	}
	if err := checkPassword(replacement, "new_password"); err != nil {
		return 0, err
	}
	hashed, err := hash(ctx, replacement)
	if err != nil {
		return 0, err
	}
	err = s.o.DB.Write(ctx, func(tx *db.Tx) error {
		// Only over the password that was checked: another change meanwhile
		// moved the epoch, and what was typed is no longer the current one.
		epoch, err = store.New(tx).SetPassword(ctx, store.SetPasswordParams{PasswordHash: hashed, ID: who.Account, SessionEpoch: found.SessionEpoch})
		if errors.Is(err, sql.ErrNoRows) {
			return notCurrent()
		}
		if err != nil {
			return fmt.Errorf("set password: %w", err)
		}
		return event(ctx, tx, door, "account.password_changed", who.Account, who.Workspace)
	})
	return epoch, err
}

func notCurrent() error {
	return fault.BadArgument("That is not your current password.").At("current_password")
}
