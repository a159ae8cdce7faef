package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"tectonic/internal/bedrock/db"
)

// Answer is what a handler gives back.
type Answer[Out any] struct {
	Out       Out
	Text      string   // for people and for models that read only text; "" = the JSON
	Refs      []string // handles of the rows that were touched, such as "set:301", for the record
	CostMicro int64    // micro-dollars
	Notes     []Note   // telemetry that the gate writes afterwards, best effort
}

// Note writes telemetry after the call: not state, and allowed to be lost.
type Note func(ctx context.Context, tx *db.Tx) error

// Result is an Answer whose type is no longer known.
type Result struct {
	Text       string
	Structured json.RawMessage
	Refs       []string
	CostMicro  int64
	Notes      []Note
}

// Wire is what a transport renders of a successful call.
type Wire struct {
	Text       string          // never empty
	Structured json.RawMessage // the payload, equal on every surface
	Ref        string          // reference of the record row; "" for a read that is not recorded
	Replayed   bool            // the stored answer of an earlier call with the same request id
}

// Into decodes the payload of an answer into the tool's output type.
func Into[Out any](w Wire) (Out, error) {
	var out Out
	if err := json.Unmarshal(w.Structured, &out); err != nil {
		return out, fmt.Errorf("decode the answer: %w", err)
	}
	return out, nil
}

// Steps are the short transactions of a tool that reaches outside (reserve,
// call, settle) or that takes a file (one for each batch). No transaction is
// open between them.
type Steps struct {
	Read  func(context.Context, func(*db.Tx) error) error
	Write func(context.Context, func(*db.Tx) error) error
}

// Tool is a Spec with its schemas and its handler.
type Tool struct {
	Spec
	Input  json.RawMessage // JSON Schema of the arguments
	Output json.RawMessage // JSON Schema of the payload

	in, out *jsonschema.Schema
	shape   *schema // of the arguments
	answer  *schema
	run     func(context.Context, *db.Tx, Caller, json.RawMessage) (Result, error)
	outside func(context.Context, Steps, Caller, json.RawMessage) (Result, error)
	imports func(context.Context, Steps, Attachment, Caller, json.RawMessage) (closing, error)
}

// New makes a tool that works inside one transaction: a read-only one when the
// Spec says ReadOnly, so that a dishonest hint fails in its first test.
func New[In, Out any](s Spec, handle func(context.Context, *db.Tx, Caller, In) (Answer[Out], error)) Tool {
	t := describe[In, Out](s)
	t.run = func(ctx context.Context, tx *db.Tx, who Caller, args json.RawMessage) (Result, error) {
		in, err := decode[In](args)
		if err != nil {
			return Result{}, err
		}
		answer, err := handle(ctx, tx, who, in)
		return encode(answer, err)
	}
	return t
}

// NewOutside makes a tool that reaches a system we do not run.
func NewOutside[In, Out any](s Spec, handle func(context.Context, Steps, Caller, In) (Answer[Out], error)) Tool {
	t := describe[In, Out](s)
	t.outside = func(ctx context.Context, steps Steps, who Caller, args json.RawMessage) (Result, error) {
		in, err := decode[In](args)
		if err != nil {
			return Result{}, err
		}
		answer, err := handle(ctx, steps, who, in)
		return encode(answer, err)
	}
	return t
}

// Outside reports whether the tool was made by NewOutside.
func (t *Tool) Outside() bool { return t.outside != nil }

// Run calls the handler of a tool made by New with checked arguments.
func (t *Tool) Run(ctx context.Context, tx *db.Tx, who Caller, args json.RawMessage) (Result, error) {
	return t.run(ctx, tx, who, args)
}

// RunOutside calls the handler of a tool made by NewOutside.
func (t *Tool) RunOutside(ctx context.Context, steps Steps, who Caller, args json.RawMessage) (Result, error) {
	return t.outside(ctx, steps, who, args)
}

func describe[In, Out any](s Spec) Tool {
	t := Tool{Spec: s.withDefaults()}
	t.shape = inputSchema(reflect.TypeFor[In]())
	t.Input = mustJSON(t.shape)
	t.answer = outputSchema(reflect.TypeFor[Out]())
	t.Output = mustJSON(t.answer)
	t.in = mustCompile(s.Name+"/input", t.Input)
	t.out = mustCompile(s.Name+"/output", t.Output)
	return t
}

func decode[In any](args json.RawMessage) (In, error) {
	var in In
	err := json.Unmarshal(args, &in)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		// The schema took it, the Go type does not: an integer beyond 64 bits.
		at := "/" + strings.ReplaceAll(wrong.Field, ".", "/")
		return in, badArguments([]failure{{path: at, problem: "is a number out of range"}}, err)
	}
	if err != nil {
		return in, fmt.Errorf("decode checked arguments: %w", err)
	}
	return in, nil
}

func encode[Out any](a Answer[Out], err error) (Result, error) {
	if err != nil {
		return Result{}, err
	}
	payload, err := Encode(a.Out)
	if err != nil {
		return Result{}, fmt.Errorf("encode the answer: %w", err)
	}
	r := Result{Text: a.Text, Structured: payload, Refs: a.Refs, CostMicro: a.CostMicro, Notes: a.Notes}
	if r.Text == "" {
		r.Text = string(payload)
	}
	return r, nil
}

// Encode writes a payload as every surface sends it: HTML characters are not
// escaped, and there is no trailing line break.
func Encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func mustJSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("contract: %v", err))
	}
	return b
}

func mustCompile(name string, text json.RawMessage) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		panic(fmt.Sprintf("contract: schema of %s: %v", name, err))
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name+".json", doc); err != nil {
		panic(fmt.Sprintf("contract: schema of %s: %v", name, err))
	}
	s, err := c.Compile(name + ".json")
	if err != nil {
		panic(fmt.Sprintf("contract: schema of %s: %v", name, err))
	}
	return s
}
