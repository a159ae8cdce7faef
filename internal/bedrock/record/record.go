package record

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/record/store"
)

// Phase says which moment of a call a row stands for.
type Phase string

// The phases of a row.
const (
	Intent  Phase = "intent"  // before a tool that reaches outside or costs money
	Outcome Phase = "outcome" // what came of a call
	Denial  Phase = "denial"  // the caller may not
	Event   Phase = "event"   // bedrock itself: a sign-up, a changed password
)

// Row is one entry of the record.
type Row struct {
	Ref      string
	Phase    Phase
	Caller   contract.Caller
	Plate    string // "" for bedrock
	Tool     string
	Event    string // name of an event, such as "account.created"
	Refusal  *fault.Refusal
	Cost     int64 // micro-dollars
	Took     time.Duration
	Input    []byte   // JSON; only its SHA-256 is kept
	BytesOut int      // 0 = none
	Refs     []string // handles of the rows that were touched
	Count    int64    // calls folded into this row; 0 = 1
	Claim    string   // who the caller says it is, when that was not verified
}

// Append writes the row inside tx, at the transaction's one timestamp.
func Append(ctx context.Context, tx *db.Tx, r Row) error {
	p := params(r)
	p.At = dbtype.At(tx.Now())
	if _, err := store.New(tx).AppendRow(ctx, p); err != nil {
		return fmt.Errorf("append to the record %s: %w", r.Ref, err)
	}
	return nil
}

func params(r Row) store.AppendRowParams {
	p := store.AppendRowParams{
		Ref: r.Ref, Phase: string(r.Phase), Plate: cmp.Or(clean(r.Plate, nameMax), "bedrock"), Tool: clean(r.Tool, nameMax),
		Transport: string(r.Caller.Transport), Correlator: some(clean(r.Caller.Correlator, correlatorMax)),
		CostMicro: r.Cost, DurationMs: set(r.Took.Milliseconds()), BytesIn: int64(len(r.Input)), Count: max(r.Count, 1), ActorClaim: some(clean(r.Claim, nameMax)),
		ContractVersion: contract.Version, Event: some(r.Event),
		Outcome: outcome(r),
	}
	actor(&p, r.Caller)
	if len(r.Input) > 0 {
		sum := sha256.Sum256(r.Input)
		p.InputSHA256 = set(hex.EncodeToString(sum[:]))
	}
	if r.BytesOut > 0 {
		p.BytesOut = set(int64(r.BytesOut))
	}
	if len(r.Refs) > 0 {
		text, _ := json.Marshal(r.Refs) // strings always encode
		p.ObjectRefs = set(string(text))
	}
	if r.Refusal != nil {
		p.ErrorCode = set(string(r.Refusal.Code))
		p.Cause, p.CauseDetail = some(cause(r.Refusal)), some(clean(detail(r), causeMax))
	}
	return p
}

// actor writes down who it was: a connected program, the operator of this
// machine, a person, or nobody that we know.
func actor(p *store.AppendRowParams, c contract.Caller) {
	p.ActorType = "anonymous"
	if c.Account != 0 {
		p.ActorType, p.AccountID = "user", set(c.Account)
		p.ActorID = set(strconv.FormatInt(int64(c.Account), 10))
	}
	if c.Workspace != 0 {
		p.WorkspaceID = set(c.Workspace)
	}
	if c.Transport == contract.OverCLI || c.Transport == contract.OverMCPStdio {
		p.ActorType = "local_operator"
	}
	if c.Client != 0 {
		p.ActorType, p.ClientID = "client", set(c.Client)
	}
	if c.Grant != 0 {
		p.GrantID = set(c.Grant)
	}
}

func outcome(r Row) *string {
	switch {
	case r.Phase == Intent:
		return nil
	case r.Refusal == nil:
		return set("ok")
	case r.Refusal.Kind == fault.Denied:
		return set("refused")
	}
	return set("error")
}

func set[T any](v T) *T { return &v }

func some(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
