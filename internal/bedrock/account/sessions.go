package account

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"tectonic/internal/bedrock/account/store"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
)

// Sessions keeps the rows of browser sessions for the scs library (it is an
// scs.CtxStore). The cookie's token is stored only as its SHA-256.
type Sessions struct{ db *db.DB }

// Sessions returns the store of browser sessions.
func (s *Service) Sessions() *Sessions { return &Sessions{db: s.o.DB} }

// FindCtx returns the data of a live session, and false when there is none.
func (s *Sessions) FindCtx(ctx context.Context, token string) (data []byte, found bool, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		data, err = store.New(tx).SessionData(ctx, tokenHash(token), tx.Now().Unix())
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		found = err == nil
		return err
	})
	if err != nil {
		return nil, false, fmt.Errorf("find session: %w", err)
	}
	return data, found, nil
}

type ownerKey struct{}

// OfAccount marks the context in which a session is written with whose it is,
// so that it goes when the account goes.
func OfAccount(ctx context.Context, who id.AccountID) context.Context {
	return context.WithValue(ctx, ownerKey{}, who)
}

// ownerOf returns whose session is written, nil when nobody has signed in.
func ownerOf(ctx context.Context) *id.AccountID {
	if who, ok := ctx.Value(ownerKey{}).(id.AccountID); ok && who != 0 {
		return &who
	}
	return nil
}

// CommitCtx writes a session that lives until expiry.
func (s *Sessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	err := s.db.Write(ctx, func(tx *db.Tx) error {
		return store.New(tx).UpsertSession(ctx, store.UpsertSessionParams{TokenHash: tokenHash(token), Data: data, ExpiresAt: expiry.Unix(), AccountID: ownerOf(ctx)})
	})
	if err != nil {
		return fmt.Errorf("write session: %w", err)
	}
	return nil
}

// DeleteCtx ends a session.
func (s *Sessions) DeleteCtx(ctx context.Context, token string) error {
	err := s.db.Write(ctx, func(tx *db.Tx) error { return store.New(tx).DeleteSession(ctx, tokenHash(token)) })
	if err != nil {
		return fmt.Errorf("delete session: %w", err)
	}
	return nil
}

// DropExpired removes sessions that are over. It returns how many there were.
func (s *Sessions) DropExpired(ctx context.Context) (dropped int64, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		dropped, err = store.New(tx).DeleteExpiredSessions(ctx, tx.Now().Unix())
		return err
	})
	return dropped, err
}

// Find, Commit and Delete are the methods of scs.Store without a context.
// The library calls the others when they exist.

// Find is FindCtx without a deadline.
func (s *Sessions) Find(token string) ([]byte, bool, error) {
	return s.FindCtx(context.Background(), token)
}

// Commit is CommitCtx without a deadline.
func (s *Sessions) Commit(token string, data []byte, expiry time.Time) error {
	return s.CommitCtx(context.Background(), token, data, expiry)
}

// Delete is DeleteCtx without a deadline.
func (s *Sessions) Delete(token string) error { return s.DeleteCtx(context.Background(), token) }

func tokenHash(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}
