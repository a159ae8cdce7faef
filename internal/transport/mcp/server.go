package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
)

// Endpoint is one plate as assistants see it.
type Endpoint struct {
	Gate         *gate.Gate
	Tools        *contract.Registry
	Title        string
	Name         string // of the server, as clients show it; "" = tectonic-<plate>
	Version      string // of the product
	Instructions string
	// Caller tells who a call over stdio acts for. It is asked on each call.
	Caller func(context.Context) (contract.Caller, error)
	Log    *slog.Logger

	readOnly bool // only the tools that read are there
}

// The keys of _meta that are ours.
const (
	metaRequestID = "tectonic/requestId"
	metaReplayed  = "tectonic/replayed"
	metaRefusal   = "tectonic/refusal"
	metaContract  = "tectonic/contract_version"
)

// pageSize is larger than any plate, so that a list of tools is one page.
const pageSize = 1000

// Server returns the SDK's server with the tools that the transport offers.
func (e *Endpoint) Server(over contract.Transport) *sdk.Server {
	s := sdk.NewServer(e.implementation(), &sdk.ServerOptions{
		Instructions: e.Instructions,
		PageSize:     pageSize,
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true}},
		SetCacheable: func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.TTLMs, c.CacheScope = 300_000, "public" },
	})
	for _, t := range e.Tools.Tools() {
		if t.Offered(over) && (!e.readOnly || t.ReadOnly.True()) {
			s.AddTool(describe(t), e.handle(t.Name))
		}
	}
	s.AddReceivingMiddleware(e.knownTool(over))
	return s
}

func (e *Endpoint) implementation() *sdk.Implementation {
	return &sdk.Implementation{Name: cmp.Or(e.Name, "tectonic-"+e.Tools.Plate()), Title: e.Title, Version: e.Version}
}

// Serve answers over t until the peer leaves or ctx ends.
func (e *Endpoint) Serve(ctx context.Context, t sdk.Transport) error {
	err := e.Server(contract.OverMCPStdio).Run(ctx, t)
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// ServeStdio answers the lines of in on out, which nothing else may write to.
// At the end of in it finishes the calls that run.
func (e *Endpoint) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	return e.Serve(ctx, newLines(in, out))
}

func describe(t *contract.Tool) *sdk.Tool {
	destructive, open := t.Destructive.True(), t.OpenWorld.True()
	return &sdk.Tool{
		Name: t.Name, Title: t.Title, Description: t.Description(),
		InputSchema: t.Input, OutputSchema: t.Output,
		Annotations: &sdk.ToolAnnotations{
			Title: t.Title, ReadOnlyHint: t.ReadOnly.True(), IdempotentHint: t.Idempotent.True(),
			DestructiveHint: &destructive, OpenWorldHint: &open,
		},
	}
}

// knownTool answers a call of an unknown tool with the names of the known
// ones, as a protocol error, and leaves a row in the record.
func (e *Endpoint) knownTool(over contract.Transport) sdk.Middleware {
	return func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			params, ok := req.GetParams().(*sdk.CallToolParamsRaw)
			if !ok {
				return next(ctx, method, req)
			}
			_, err := e.tool(params.Name, over)
			if err == nil {
				return next(ctx, method, req)
			}
			if _, none := e.Tools.Tool(params.Name, over); none != nil { // the gate records who asks for it
				_, err = e.call(ctx, params.Name, params, req.GetExtra())
			}
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fault.From(err).Message}
		}
	}
}

func (e *Endpoint) handle(tool string) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		wire, err := e.call(ctx, tool, req.Params, req.Extra)
		if err != nil {
			return refusal(fault.From(err)), nil
		}
		return answer(wire), nil
	}
}

func (e *Endpoint) call(ctx context.Context, tool string, p *sdk.CallToolParamsRaw, x *sdk.RequestExtra) (contract.Wire, error) {
	who, known := callerIn(x)
	if !known {
		var err error
		if who, err = e.Caller(ctx); err != nil {
			e.logCause(ctx, tool, err)
			return contract.Wire{}, err
		}
	}
	requestID, _ := p.Meta[metaRequestID].(string)
	if x != nil && x.Header.Get("Idempotency-Key") != "" {
		requestID = x.Header.Get("Idempotency-Key")
	}
	wire, err := e.Gate.Call(ctx, who, gate.Request{Plate: e.Tools.Plate(), Tool: tool, Args: p.Arguments, RequestID: requestID})
	if err != nil {
		e.logUnavailable(ctx, tool, fault.From(err))
	}
	return wire, err
}

// logUnavailable logs what kept a call from being tried; the gate logs what is
// a fault of ours.
func (e *Endpoint) logUnavailable(ctx context.Context, tool string, r *fault.Refusal) {
	if r.Kind == fault.Unavailable {
		e.logCause(ctx, tool, r)
	}
}

// logCause leaves behind why a call was not answered, for the operator:
// assistants are told only that it was not.
func (e *Endpoint) logCause(ctx context.Context, tool string, err error) {
	e.Log.WarnContext(ctx, "call not answered", "plate", e.Tools.Plate(), "tool", tool, "error", fault.Explain(err))
}

func answer(w contract.Wire) *sdk.CallToolResult {
	r := &sdk.CallToolResult{
		Meta:              sdk.Meta{metaContract: contract.Version},
		Content:           []sdk.Content{&sdk.TextContent{Text: w.Text}},
		StructuredContent: json.RawMessage(w.Structured),
	}
	if w.Replayed {
		r.Meta[metaReplayed] = true
	}
	return r
}

func refusal(r *fault.Refusal) *sdk.CallToolResult {
	return &sdk.CallToolResult{
		Meta:    sdk.Meta{metaContract: contract.Version, metaRefusal: r.Envelope()},
		Content: []sdk.Content{&sdk.TextContent{Text: r.Sentence()}},
		IsError: true,
	}
}
