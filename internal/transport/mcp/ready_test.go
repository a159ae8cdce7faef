package mcp_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/transport/mcp"
)

// ready is a peer of a server that says a word while its tool runs.
func ready(t *testing.T) peer {
	t.Helper()
	s := sdk.NewServer(&sdk.Implementation{Name: "ready", Version: "1"}, nil)
	s.AddPrompt(&sdk.Prompt{Name: "hello"}, nil)
	s.AddTool(&sdk.Tool{Name: "talk", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{}, req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: "p", Message: "a word"})
	})
	server := httptest.NewServer(mcp.NewReadyDoor(
		mcp.Ready{Title: "a test", Name: "ready", Server: s, Methods: []string{"prompts/list"}, Talking: []string{"talk"}, Log: slog.New(slog.DiscardHandler)},
		mcp.HTTPOptions{
			BaseURL: "http://ready.example", Path: "/ready", Rates: gate.NewRates(gate.Rate{}),
			Credentials: func(_ context.Context, bearer, plate string) (contract.Caller, time.Time, error) {
				if bearer != "secret" || plate != "ready" {
					return contract.Caller{}, time.Time{}, fault.Deny(fault.CodeUnauthenticated, "no")
				}
				return contract.Caller{}, time.Time{}, nil
			},
		}))
	t.Cleanup(server.Close)
	return peer{t, server.URL, "secret"}
}

func TestAReadyServerStandsBehindTheSameDoor(t *testing.T) {
	t.Parallel()
	p := ready(t)
	if got := p.send(whoami, "Authorization", "Bearer other"); got.status != 401 || got.header.Get("WWW-Authenticate") == "" {
		t.Errorf("a wrong token: %d %v", got.status, got.header)
	}
	if got := p.send(whoami, "Host", "evil.example"); got.status != 403 {
		t.Errorf("another host: %d", got.status)
	}
	if got := p.send(`{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`); !strings.Contains(got.raw, `"hello"`) {
		t.Errorf("a method of its own: %s", got.raw)
	}
	if code, _ := p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`).failure(); code != -32601 {
		t.Errorf("a method that it does not serve: %v", code)
	}
	if got := p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"talk"}}`); !strings.Contains(got.raw, "a word") {
		t.Errorf("what it says while it runs: %s", got.raw)
	}
}

func TestTheFixtureOfTheSuiteIsNotInTheProduct(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	p.url = strings.TrimSuffix(p.url, "/mcp") + "/conformance/mcp"
	if got := p.do("GET", ""); got.status != 404 {
		t.Errorf("got %d %.200s", got.status, got.raw)
	}
}
