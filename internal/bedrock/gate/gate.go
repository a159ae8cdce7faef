package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync/atomic"
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
	WritesEnabled func() bool     // the kill switch; nil = always on
	AuditReads    bool            // every read is recorded, not only those that ask
	CheckOutput   bool            // an answer that differs from its schema is a fault, not a log line
	Timeout       time.Duration   // of one call; 0 = 20 s, negative = none
	Denials       *record.Denials // folds floods of denials; nil = each has its own row
	// Report hands an unexpected error to an error reporter. It may be nil.
	Report func(ctx context.Context, err error, reference string)
}

// Gate runs tools. It is safe for concurrent use once all plates are
// registered.
type Gate struct {
	o       Options
	plates  map[string]*contract.Registry
	answers atomic.Uint64 // of handlers; see honest
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
	// File stands beside the arguments of a tool that takes one. Its content
	// must stay as it is until the call ends; the caller closes it.
	File *contract.Attachment
}

// call is a request on its way through the steps.
type call struct {
	Request
	who     contract.Caller
	tool    *contract.Tool
	ref     string
	started time.Time
	begun   bool // a tool with several transactions was called, so what it did is not known when it fails
}

// Call runs a tool for the caller. The error is nil or a *fault.Refusal.
func (g *Gate) Call(ctx context.Context, who contract.Caller, req Request) (contract.Wire, error) {
	c := &call{Request: req, who: who, ref: id.Ref(), started: time.Now()}
	if err := g.admit(c); err != nil {
		return contract.Wire{}, g.refused(ctx, c, err)
	}
	ctx, cancel := g.deadline(ctx, c.tool)
	defer cancel()
	if err := c.readFile(ctx); err != nil {
		return contract.Wire{}, g.refused(ctx, c, err)
	}
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
	if err := checkRequestID(c.RequestID); err != nil {
		return err
	}
	return c.checkFile()
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
