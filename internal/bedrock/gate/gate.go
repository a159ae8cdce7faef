package gate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/record"
)

// Options is what a Gate is made from.
type Options struct {
	DB            *db.DB
	Log           *slog.Logger
	WritesEnabled func() bool   // the kill switch; nil = always on
	AuditReads    bool          // every read is recorded, not only those that ask
	CheckOutput   bool          // an answer that differs from its schema is a fault, not a log line
	Timeout       time.Duration // of one call; 0 = 20 s, negative = none
	// Report hands an unexpected error to an error reporter. It may be nil.
	Report func(ctx context.Context, err error, reference string)
}

// Gate runs tools. It is safe for concurrent use once all plates are
// registered.
type Gate struct {
	o      Options
	plates map[string]*contract.Registry
}

// New returns a Gate without any plate.
func New(o Options) *Gate {
	if o.WritesEnabled == nil {
		o.WritesEnabled = func() bool { return true }
	}
	if o.Timeout == 0 {
		o.Timeout = 20 * time.Second
	}
	return &Gate{o: o, plates: map[string]*contract.Registry{}}
}

// Register adds the tools of a plate. Two plates of one name are an error.
func (g *Gate) Register(r *contract.Registry) error {
	if _, twice := g.plates[r.Plate()]; twice {
		return fmt.Errorf("two plates are named %q", r.Plate())
	}
	g.plates[r.Plate()] = r
	return nil
}

// Registry returns the tools of a plate, or false when there is none.
func (g *Gate) Registry(plate string) (*contract.Registry, bool) {
	r, ok := g.plates[plate]
	return r, ok
}

// Request is one call of a tool.
type Request struct {
	Plate, Tool string
	Args        json.RawMessage // absent and null mean {}
	RequestID   string          // "" = the write is not protected against being sent twice
}

// call is a request on its way through the steps.
type call struct {
	Request
	who     contract.Caller
	tool    *contract.Tool
	ref     string
	started time.Time
	begun   bool // an outside tool was called, so its intent wants an outcome
}

// Call runs a tool for the caller. The error is nil or a *fault.Refusal.
func (g *Gate) Call(ctx context.Context, who contract.Caller, req Request) (contract.Wire, error) {
	c := &call{Request: req, who: who, ref: id.Ref(), started: time.Now()}
	if err := g.admit(c); err != nil {
		return contract.Wire{}, g.refused(ctx, c, err)
	}
	ctx, cancel := g.deadline(ctx, c.tool)
	defer cancel()
	wire, err := g.perform(ctx, c)
	if err != nil {
		return contract.Wire{}, g.refused(ctx, c, err)
	}
	return wire, nil
}

// admit takes the steps that need no database: the tool exists, the caller
// may use it, writes are on, the arguments make sense.
func (g *Gate) admit(c *call) error {
	registry, ok := g.plates[c.Plate]
	if !ok {
		return &fault.Refusal{Kind: fault.Invalid, Code: fault.CodeUnknownTool, Message: fmt.Sprintf("There is no plate %.64q here.", c.Plate)}
	}
	tool, err := registry.Tool(c.Tool, c.who.Transport)
	if err != nil {
		return err
	}
	c.tool = tool
	if !c.who.Has(tool.Scope) {
		return scopeMissing(tool.Scope, c.who.Scopes)
	}
	if !tool.ReadOnly.True() && switched(c.who.Transport) && !g.o.WritesEnabled() {
		return fault.Deny(fault.CodeWritesDisabled, "Writes are disabled on this server right now, so nothing was changed.")
	}
	checked, err := tool.Arguments(c.Args)
	if err != nil {
		return err
	}
	c.Args = checked
	c.keyFromArguments()
	return checkRequestID(c.RequestID)
}

func scopeMissing(scope string, held []string) error {
	has := "none"
	if len(held) > 0 {
		has = strings.Join(held, ", ")
	}
	return fault.Deny(fault.CodeScopeMissing, "This tool needs the '%s' scope; this token grants: %s.", scope, has)
}

// switched names the doors that the kill switch closes. Pages and the command
// line stay open: a lifter can always press Done.
func switched(over contract.Transport) bool {
	return over == contract.OverMCPHTTP || over == contract.OverMCPStdio || over == contract.OverAPI
}

// keyFromArguments takes the request id of tools that have it as an argument.
func (c *call) keyFromArguments() {
	if c.RequestID != "" {
		return
	}
	var in struct {
		RequestID string `json:"request_id"`
	}
	if json.Unmarshal(c.Args, &in) == nil {
		c.RequestID = in.RequestID
	}
}

func (g *Gate) deadline(ctx context.Context, t *contract.Tool) (context.Context, context.CancelFunc) {
	limit := g.o.Timeout
	if t.Timeout > 0 {
		limit = t.Timeout
	}
	if limit < 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

func (g *Gate) perform(ctx context.Context, c *call) (contract.Wire, error) {
	var (
		result contract.Result
		wire   contract.Wire
		err    error
	)
	switch {
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
	defer func() {
		if p := recover(); p != nil {
			g.o.Log.ErrorContext(ctx, "tool panicked", "plate", c.Plate, "tool", c.Tool, "ref", c.ref, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic in %s.%s: %v", c.Plate, c.Tool, p)
		}
	}()
	result, err = run()
	if err != nil {
		return contract.Result{}, err
	}
	if size := len(result.Structured); size > c.tool.ByteCap {
		return contract.Result{}, tooLarge(c.tool, size)
	}
	return result, g.honest(ctx, c, result)
}

func tooLarge(t *contract.Tool, size int) error {
	bytes := int64(size)
	return &fault.Refusal{
		Kind: fault.TooLarge, Code: fault.CodeTooLarge,
		Message: fmt.Sprintf("The answer is %d bytes and the limit for %s is %d.", size, t.Name, t.ByteCap),
		Remedy:  t.Narrow,
		Details: &fault.Details{Narrow: t.Narrow, Bytes: &bytes},
	}
}

// honest checks the answer against its schema: strictly while developing and
// testing, with a warning in production, where an odd answer beats none.
func (g *Gate) honest(ctx context.Context, c *call, r contract.Result) error {
	if !g.o.CheckOutput {
		return nil
	}
	if err := c.tool.CheckOutput(r.Structured); err != nil {
		g.o.Log.ErrorContext(ctx, "answer does not match its schema", "tool", c.Tool, "error", err)
		return err
	}
	return nil
}

// refused turns the error into the refusal that the caller sees and records
// it: a denial always, anything else when the tool writes or its reads are
// audited.
func (g *Gate) refused(ctx context.Context, c *call, err error) error {
	r := c.asRefusal(err)
	if r.Code == fault.CodeInternal {
		g.o.Log.ErrorContext(ctx, "tool failed", "plate", c.Plate, "tool", c.Tool, "ref", c.ref, "error", err)
		if g.o.Report != nil {
			g.o.Report(ctx, err, c.ref)
		}
	}
	if !c.recorded(g, r) {
		return r
	}
	if err := g.record(ctx, c.row(phaseOf(r), nil, r)); err != nil {
		g.o.Log.ErrorContext(ctx, "refusal not recorded", "plate", c.Plate, "tool", c.Tool, "ref", c.ref, "error", err)
		return r
	}
	r.Ref = c.ref
	if c.tool != nil && c.tool.Opaque && r.Kind == fault.Denied {
		return opaque(r)
	}
	return r
}

// opaque hides why a caller was denied; the record keeps the cause.
func opaque(r *fault.Refusal) *fault.Refusal {
	return &fault.Refusal{Kind: r.Kind, Code: r.Code, Message: fmt.Sprintf("Denied. Reference %s.", r.Ref), Ref: r.Ref}
}

// asRefusal returns a copy, so that a refusal which a plate keeps as a value
// never carries the reference of somebody's call.
func (c *call) asRefusal(err error) *fault.Refusal {
	r := *classify(err)
	if c.begun && (r.Kind == fault.Internal || r.Code == fault.CodeDBUnavailable) {
		r.Message, r.Remedy = "The tool failed unexpectedly and its effect is unknown. Check before trying again.", ""
	}
	return &r
}

func classify(err error) *fault.Refusal {
	switch {
	case isRefusal(err):
		return fault.From(err)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.TookTooLong(err)
	case errors.Is(err, context.Canceled):
		return fault.Stopped(err)
	}
	return fault.Unexpected(err)
}

func isRefusal(err error) bool {
	_, ok := errors.AsType[*fault.Refusal](err)
	return ok
}

func (c *call) recorded(g *Gate, r *fault.Refusal) bool {
	if r.Code == fault.CodeDBUnavailable && !c.begun || r.Code == fault.CodeRecordUnavailable {
		return false // there is nothing to write to
	}
	if phaseOf(r) == record.Denial || c.tool == nil {
		return true
	}
	return !c.tool.ReadOnly.True() || g.audits(c)
}

func phaseOf(r *fault.Refusal) record.Phase {
	if r.Kind == fault.Denied || r.Code == fault.CodeUnknownTool {
		return record.Denial
	}
	return record.Outcome
}

func (c *call) row(p record.Phase, result *contract.Result, r *fault.Refusal) record.Row {
	row := record.Row{
		Ref: c.ref, Phase: p, Caller: c.who, Plate: c.Plate, Tool: c.Tool,
		Refusal: r, Took: time.Since(c.started), Input: c.Args,
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

// writeNotes writes telemetry. A note that fails or panics costs nothing but
// itself: the call has succeeded.
func (g *Gate) writeNotes(ctx context.Context, c *call, notes []contract.Note) {
	for _, note := range notes {
		if err := g.writeNote(ctx, note); err != nil {
			g.o.Log.WarnContext(ctx, "note not written", "plate", c.Plate, "tool", c.Tool, "error", err)
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
