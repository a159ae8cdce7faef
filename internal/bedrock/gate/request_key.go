package gate

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate/store"
)

// maxRequestID is the longest request id in characters.
const maxRequestID = 64

// checkRequestID refuses an id that is too long or that a database cannot
// store; "" is no id.
func checkRequestID(requestID string) error {
	switch {
	case utf8.RuneCountInString(requestID) > maxRequestID:
		return fault.BadArgument("request_id is longer than %d characters.", maxRequestID).At("request_id")
	case !utf8.ValidString(requestID) || strings.ContainsRune(requestID, 0):
		return fault.BadArgument("request_id holds a character that cannot be stored.").At("request_id")
	}
	return nil
}

// KeysLive is how long the answer of a write is kept for a repeated request.
const KeysLive = 7 * 24 * time.Hour

// storedAnswer is what a repeated request is answered with.
type storedAnswer struct {
	Text       string          `json:"text"`
	Structured json.RawMessage `json:"structured"`
	Ref        string          `json:"ref"`
}

// claim takes the request id for this write. It returns the stored answer when
// the same call was made before, and a conflict when another one was.
func claim(ctx context.Context, tx *db.Tx, c *call) (*contract.Wire, error) {
	if c.RequestID == "" || c.tool.OwnKeys {
		return nil, nil
	}
	q := store.New(tx)
	_, err := q.ClaimKey(ctx, store.ClaimKeyParams{
		WorkspaceID: c.who.Workspace, AccountID: c.who.Account, Plate: c.Plate, Tool: c.Tool,
		RequestID: c.RequestID, InputSHA256: c.digest(), CreatedAt: dbtype.At(tx.Now()),
	})
	if err == nil {
		return nil, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("claim request id: %w", err)
	}
	return c.earlier(ctx, q)
}

func (c *call) earlier(ctx context.Context, q *store.Queries) (*contract.Wire, error) {
	row, err := q.Key(ctx, store.KeyParams{
		WorkspaceID: c.who.Workspace, AccountID: c.who.Account, Plate: c.Plate, Tool: c.Tool, RequestID: c.RequestID,
	})
	if err != nil {
		return nil, fmt.Errorf("read request id: %w", err)
	}
	if row.InputSHA256 == c.digest() && row.Answer == nil && c.tool.TakesFile() {
		return nil, nil // an attempt that did not come to its end; this one goes on from there
	}
	if row.InputSHA256 != c.digest() || row.Answer == nil {
		return nil, fault.Clash("request_id \"%s\" was already used for a call with different contents. Use a new one.", c.RequestID)
	}
	var a storedAnswer
	if err := json.Unmarshal([]byte(*row.Answer), &a); err != nil {
		return nil, fmt.Errorf("read stored answer: %w", err)
	}
	return &contract.Wire{Text: a.Text, Structured: a.Structured, Ref: a.Ref, Replayed: true}, nil
}

// keep stores the answer of a write beside its request id.
func keep(ctx context.Context, tx *db.Tx, c *call, r contract.Result) error {
	if c.RequestID == "" || c.tool.OwnKeys {
		return nil
	}
	text, err := contract.Encode(storedAnswer{Text: r.Text, Structured: r.Structured, Ref: c.ref})
	if err != nil {
		return fmt.Errorf("encode stored answer: %w", err)
	}
	answer := string(text)
	err = store.New(tx).StoreAnswer(ctx, store.StoreAnswerParams{
		Answer: &answer, WorkspaceID: c.who.Workspace, AccountID: c.who.Account,
		Plate: c.Plate, Tool: c.Tool, RequestID: c.RequestID,
	})
	if err != nil {
		return fmt.Errorf("store answer: %w", err)
	}
	return nil
}

// digest is the SHA-256 of the call's contents. The checked arguments have
// their keys in order, so the same contents always have the same digest.
func (c *call) digest() string {
	sum := sha256.Sum256(c.contents())
	return hex.EncodeToString(sum[:])
}

// DropKeys forgets request ids that are older than KeysLive. It returns how
// many there were.
func (g *Gate) DropKeys(ctx context.Context) (dropped int64, err error) {
	err = g.o.DB.Write(ctx, func(tx *db.Tx) error {
		dropped, err = store.New(tx).DeleteKeysBefore(ctx, dbtype.At(tx.Now().Add(-KeysLive)))
		return err
	})
	return dropped, err
}
