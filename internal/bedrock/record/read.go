package record

import (
	"context"
	"fmt"
	"math"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/record/store"
)

// pageOfRows is how many rows are read at once.
const pageOfRows = 500

// Line is a row of the record as its workspace may read it: what was done, when
// and by whom, without what only the operator of the server needs.
type Line struct {
	Sequence  int64
	Ref       string
	Phase     string
	At        time.Time
	Plate     string
	Tool      string // "" for events
	Event     string // "" for calls of tools
	Transport string
	Actor     string        // kind of it, such as "user"
	Account   *id.AccountID // nil for nobody
	Client    *id.ClientID
	Grant     *id.GrantID
	Outcome   string
	ErrorCode string
	Refs      string // JSON list of what was touched
	CostMicro int64  // micro-dollars
	Count     int64  // calls folded into this row
}

// Each hands every row of a workspace to fn, the newest first, a page at a time.
func Each(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, fn func(Line) error) error {
	before := int64(math.MaxInt64)
	for {
		rows, err := store.New(tx).RowsBefore(ctx, store.RowsBeforeParams{WorkspaceID: &ws, BeforeSequence: before, RowLimit: pageOfRows})
		if err != nil {
			return fmt.Errorf("read the record of workspace %d: %w", ws, err)
		}
		for _, r := range rows {
			before = r.Sequence
			if err := fn(line(r)); err != nil {
				return err
			}
		}
		if len(rows) < pageOfRows {
			return nil
		}
	}
}

func line(r store.RecordRow) Line {
	return Line{
		Sequence: r.Sequence, Ref: r.Ref, Phase: r.Phase, At: r.At.Time, Plate: r.Plate, Tool: r.Tool, Event: text(r.Event),
		Transport: r.Transport, Actor: r.ActorType, Account: r.AccountID, Client: r.ClientID, Grant: r.GrantID,
		Outcome: text(r.Outcome), ErrorCode: text(r.ErrorCode), Refs: text(r.ObjectRefs), CostMicro: r.CostMicro, Count: r.Count,
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
