package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/record"
)

// refused turns the error into the refusal that the caller sees and records
// it: a denial always, anything else when the tool writes or its reads are
// audited.
func (g *Gate) refused(ctx context.Context, c *call, err error) error {
	r := c.asRefusal(err)
	g.checkCode(ctx, c, r)
	if r.Code == fault.CodeInternal {
		g.o.Log.ErrorContext(ctx, "tool failed", "plate", c.Plate, "tool", c.Tool, "ref", c.ref, "error", fault.Redact(err.Error()))
		if g.o.Report != nil {
			g.o.Report(ctx, err, c.ref)
		}
	}
	if !c.recorded(g, r) {
		return r
	}
	if g.recordRefusal(ctx, c, r) {
		r.Ref = c.ref
	}
	if c.tool != nil && c.tool.Opaque && r.Kind == fault.Denied {
		return opaque(r)
	}
	return r
}

// checkCode reports a refusal with a code that the tool does not publish: a
// program that reads the list would not know it. Only while developing and
// testing, where it makes the call fail.
func (g *Gate) checkCode(ctx context.Context, c *call, r *fault.Refusal) {
	if c.tool == nil || !g.o.CheckOutput || r.Code == fault.CodeUnauthenticated || slices.Contains(c.tool.Codes(), r.Code) {
		return
	}
	g.o.Log.ErrorContext(ctx, "the refusal's code is not published", "plate", c.Plate, "tool", c.Tool, "code", r.Code)
	r.Message = fmt.Sprintf("[%s does not publish the code %s] %s", c.Tool, r.Code, r.Message)
}

// recordRefusal reports whether the refusal now has a row of its own.
func (g *Gate) recordRefusal(ctx context.Context, c *call, r *fault.Refusal) (own bool) {
	row := c.row(phaseOf(r), nil, r)
	var err error
	if row.Phase == record.Denial && g.o.Denials != nil {
		own, err = g.o.Denials.Append(ctx, row)
	} else {
		own, err = true, g.record(ctx, row)
	}
	if err != nil {
		g.o.Log.ErrorContext(ctx, "refusal not recorded", "plate", c.Plate, "tool", c.Tool, "ref", c.ref, "error", fault.Redact(err.Error()))
	}
	return own && err == nil
}

// opaque hides why a caller was denied; the record keeps the cause.
func opaque(r *fault.Refusal) *fault.Refusal {
	return &fault.Refusal{Kind: r.Kind, Code: r.Code, Message: strings.TrimSpace("Denied. " + referred(r.Ref)), Ref: r.Ref}
}

// referred names the row of the record, when there is one.
func referred(ref string) string {
	if ref == "" {
		return ""
	}
	return "Reference " + ref + "."
}

// asRefusal returns a copy, so that a refusal which a plate keeps as a value
// never carries the reference of somebody's call.
func (c *call) asRefusal(err error) *fault.Refusal {
	r := *classify(err)
	if c.begun && (r.Kind == fault.Internal || r.Code == fault.CodeDBUnavailable) {
		r.Message, r.Remedy = "The tool failed unexpectedly and its effect is unknown. Check before trying again.", ""
		if c.tool.TakesFile() {
			r.Message, r.Remedy = "The import stopped before its end.", "Send the file again: what came in already is not added twice."
		}
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

func scopeMissing(scope string, held []string) error {
	has := "none"
	if len(held) > 0 {
		has = strings.Join(held, ", ")
	}
	return fault.Deny(fault.CodeScopeMissing, "This tool needs the '%s' scope; this token grants: %s.", scope, has)
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
