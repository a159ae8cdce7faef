package gate

import (
	"context"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/record"
)

func (c *call) row(p record.Phase, result *contract.Result, r *fault.Refusal) record.Row {
	row := record.Row{
		Ref: c.ref, Phase: p, Caller: c.who, Plate: c.Plate, Tool: c.Tool,
		Refusal: r, Took: time.Since(c.started), Input: c.contents(),
	}
	if result != nil {
		row.Cost, row.BytesOut, row.Refs = result.CostMicro, len(result.Structured), result.Refs
	}
	return row
}

// recordLimit bounds a row that is written after the call's own deadline.
const recordLimit = 5 * time.Second

// record writes a row in its own transaction, even when the call's deadline
// has passed.
func (g *Gate) record(ctx context.Context, row record.Row) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordLimit)
	defer cancel()
	return g.o.DB.Write(ctx, func(tx *db.Tx) error { return record.Append(ctx, tx, row) })
}
