package gate

import (
	"context"
	"fmt"
	"runtime/debug"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/record"
)

func (g *Gate) perform(ctx context.Context, c *call) (contract.Wire, error) {
	var (
		result contract.Result
		wire   contract.Wire
		err    error
	)
	switch {
	case c.tool.TakesFile():
		result, wire, err = g.performImport(ctx, c)
		if err == nil && wire.Replayed {
			return wire, nil
		}
	case c.tool.Outside():
		result, err = g.performOutside(ctx, c)
	case c.tool.ReadOnly.True():
		result, err = g.performRead(ctx, c)
	default:
		result, wire, err = g.performWrite(ctx, c)
		if err == nil && wire.Replayed {
			return wire, nil
		}
	}
	if err != nil {
		return contract.Wire{}, err
	}
	g.writeNotes(ctx, c, result.Notes)
	wire = contract.Wire{Text: result.Text, Structured: result.Structured, Ref: c.ref}
	if c.tool.ReadOnly.True() && !g.audits(c) {
		wire.Ref = ""
	}
	return wire, nil
}

func (g *Gate) audits(c *call) bool {
	return c.tool.AuditReads || g.o.AuditReads
}

func (g *Gate) performRead(ctx context.Context, c *call) (result contract.Result, err error) {
	err = g.o.DB.Read(ctx, func(tx *db.Tx) (err error) {
		result, err = g.handle(ctx, c, func() (contract.Result, error) {
			return c.tool.Run(ctx, tx, c.who, c.Args)
		})
		return err
	})
	if err != nil || !g.audits(c) {
		return result, err
	}
	return result, g.record(ctx, c.row(record.Outcome, &result, nil))
}

func (g *Gate) performWrite(ctx context.Context, c *call) (result contract.Result, wire contract.Wire, err error) {
	err = g.o.DB.Write(ctx, func(tx *db.Tx) error {
		result, wire = contract.Result{}, contract.Wire{} // the transaction may run again
		stored, err := claim(ctx, tx, c)
		if err != nil || stored != nil {
			if stored != nil {
				wire = *stored
			}
			return err
		}
		result, err = g.handle(ctx, c, func() (contract.Result, error) {
			return c.tool.Run(ctx, tx, c.who, c.Args)
		})
		if err != nil {
			return err
		}
		if err := keep(ctx, tx, c, result); err != nil {
			return err
		}
		return record.Append(ctx, tx, c.row(record.Outcome, &result, nil))
	})
	return result, wire, err
}

// performOutside records the intent before the call is made: a call that could
// not be recorded is not made.
func (g *Gate) performOutside(ctx context.Context, c *call) (contract.Result, error) {
	if err := g.record(ctx, c.row(record.Intent, nil, nil)); err != nil {
		return contract.Result{}, &fault.Refusal{
			Kind: fault.Unavailable, Code: fault.CodeRecordUnavailable,
			Message: "The call could not be recorded, so it was not made.", Cause: err,
		}
	}
	c.begun = true
	steps := contract.Steps{Read: g.o.DB.Read, Write: g.o.DB.Write}
	result, err := g.handle(ctx, c, func() (contract.Result, error) {
		return c.tool.RunOutside(ctx, steps, c.who, c.Args)
	})
	if err != nil {
		return contract.Result{}, err
	}
	if err := g.record(ctx, c.row(record.Outcome, &result, nil)); err != nil {
		return contract.Result{}, fmt.Errorf("record the outcome of %s: %v", c.Tool, err) // a fault, not a refusal: the effect stands
	}
	return result, nil
}

// handle runs the handler behind a shield and checks what it answers.
func (g *Gate) handle(ctx context.Context, c *call, run func() (contract.Result, error)) (result contract.Result, err error) {
	err = g.shield(ctx, c, func() (err error) {
		result, err = run()
		return err
	})
	if err != nil {
		return contract.Result{}, err
	}
	if size := len(result.Structured); size > c.tool.ByteCap {
		return contract.Result{}, tooLarge(c.tool, size)
	}
	return result, g.honest(ctx, c, result)
}

// shield turns a panic of the handler into an error.
func (g *Gate) shield(ctx context.Context, c *call, run func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			g.o.Log.ErrorContext(ctx, "tool panicked", "plate", c.Plate, "tool", c.Tool, "ref", c.ref, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic in %s.%s: %v", c.Plate, c.Tool, p)
		}
	}()
	return run()
}

// sampled is how many answers go by for one that production checks: a check
// takes as long as a small tool does.
const sampled = 64

// honest checks the answer against its schema: every one, and strictly, while
// developing and testing; a sample, with a warning, in production, where an odd
// answer beats none.
func (g *Gate) honest(ctx context.Context, c *call, r contract.Result) error {
	if !g.o.CheckOutput && g.answers.Add(1)%sampled != 1 {
		return nil
	}
	if err := c.tool.CheckOutput(r.Structured); err != nil {
		g.o.Log.ErrorContext(ctx, "answer does not match its schema", "tool", c.Tool, "error", fault.Redact(err.Error()))
		if g.o.CheckOutput {
			return err
		}
	}
	return nil
}

// writeNotes writes telemetry. A note that fails or panics costs nothing but
// itself: the call has succeeded.
func (g *Gate) writeNotes(ctx context.Context, c *call, notes []contract.Note) {
	for _, note := range notes {
		if err := g.writeNote(ctx, note); err != nil {
			g.o.Log.WarnContext(ctx, "note not written", "plate", c.Plate, "tool", c.Tool, "error", fault.Redact(err.Error()))
		}
	}
}

func (g *Gate) writeNote(ctx context.Context, note contract.Note) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a note: %v", p)
		}
	}()
	return g.o.DB.Write(ctx, func(tx *db.Tx) error { return note(ctx, tx) })
}
