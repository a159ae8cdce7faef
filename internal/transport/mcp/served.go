package mcp

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
)

// served is the SDK's server of an endpoint in its two manners of answering:
// plain JSON, which drops everything but the result, and an event stream.
type served struct {
	e            *Endpoint
	json, events http.Handler
}

func newServed(e *Endpoint, readOnly bool, maxBody int64) *served {
	view := *e
	view.readOnly = readOnly
	return serving(&view, view.Server(contract.OverMCPHTTP), maxBody)
}

func serving(e *Endpoint, server *sdk.Server, maxBody int64) *served {
	handler := func(asJSON bool) http.Handler {
		return injectCaller(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{
			Stateless: true, JSONResponse: asJSON, DisableLocalhostProtection: true, // the front door's rule is stricter
			PropagateRequestCancellation: true, MaxRequestBodyBytes: maxBody, Logger: slog.New(slog.DiscardHandler),
		}))
	}
	return &served{e: e, json: handler(true), events: handler(false)}
}

// tool returns a tool that the endpoint offers.
func (s *served) tool(name string) (*contract.Tool, error) {
	return s.e.tool(name, contract.OverMCPHTTP)
}

// tool returns a tool that the endpoint offers over the transport.
func (e *Endpoint) tool(name string, over contract.Transport) (*contract.Tool, error) {
	t, err := e.Tools.Tool(name, over)
	if err != nil || !e.readOnly || t.ReadOnly.True() {
		return t, err
	}
	var names []string
	for _, other := range e.Tools.Tools() {
		if other.Offered(over) && other.ReadOnly.True() {
			names = append(names, other.Name)
		}
	}
	return nil, &fault.Refusal{
		Kind: fault.Invalid, Code: fault.CodeUnknownTool,
		Message: `There is no tool "` + name + `" here, since this address only reads. The tools are: ` + strings.Join(names, ", ") + ".",
	}
}

// The caller travels in the token's information, where the SDK hands it to
// the handlers: servers are shared by all callers.
const extraCaller = "caller"

type callerKey struct{}

func withCaller(r *http.Request, who contract.Caller) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), callerKey{}, who))
}

// injectCaller hands the caller, whom the front door has verified, to the SDK.
func injectCaller(next http.Handler) http.Handler {
	return auth.RequireBearerToken(func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		who, ok := ctx.Value(callerKey{}).(contract.Caller)
		if !ok {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{Expiration: time.Now().Add(time.Hour), Extra: map[string]any{extraCaller: who}}, nil
	}, nil)(next)
}

// callerIn returns the caller that injectCaller put into a request.
func callerIn(x *sdk.RequestExtra) (contract.Caller, bool) {
	if x == nil || x.TokenInfo == nil {
		return contract.Caller{}, false
	}
	who, ok := x.TokenInfo.Extra[extraCaller].(contract.Caller)
	return who, ok
}

// claimOf returns who an unverified access token says it is, for the record.
func claimOf(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return ""
	}
	var claims struct {
		Subject string `json:"sub"`
		Client  string `json:"client_id"`
	}
	if json.Unmarshal(payload, &claims) != nil {
		return ""
	}
	return strings.TrimSpace(claims.Client + " " + claims.Subject)
}
