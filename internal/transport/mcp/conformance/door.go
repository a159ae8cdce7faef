//go:build conformance

package conformance

import (
	"context"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/transport/mcp"
)

// Door returns the endpoint. Of o it takes what is the same at every
// endpoint, and replaces the path and who may enter.
func Door(log *slog.Logger, o mcp.HTTPOptions) http.Handler {
	o.Path, o.Credentials = Path, credentials
	return mcp.NewReadyDoor(mcp.Ready{
		Title: "the conformance suite", Name: "conformance", Server: server(), Log: log,
		Methods: methods, Talking: []string{"test_tool_with_logging"},
	}, o)
}

func credentials(_ context.Context, bearer, _ string) (contract.Caller, time.Time, error) {
	if subtle.ConstantTimeCompare([]byte(bearer), []byte(Token)) != 1 {
		return contract.Caller{}, time.Time{}, fault.Deny(fault.CodeUnauthenticated, "That is not the suite's token.")
	}
	return contract.Caller{ClientName: "conformance suite"}, time.Time{}, nil
}

// methods are those that the suite calls beside the methods of a plate.
var methods = []string{
	"prompts/list", "prompts/get", "completion/complete",
	"resources/list", "resources/templates/list", "resources/read", "resources/subscribe", "resources/unsubscribe",
}

func server() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "tectonic-conformance", Title: "Tectonic conformance fixture", Version: "1.0.0"}, &sdk.ServerOptions{
		CompletionHandler: func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}, nil
		},
		// The SDK itself keeps who is subscribed to what.
		SubscribeHandler:   func(context.Context, *sdk.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
		SetCacheable:       func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.TTLMs, c.CacheScope = 300_000, "public" },
	})
	addContents(s)
	addQuestions(s)
	addRounds(s)
	addChanges(s)
	addResources(s)
	addPrompts(s)
	return s
}
