package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"tectonic/internal/testkit/product"
)

const callback = "http://127.0.0.1:7777/callback"

// signedIn returns how the SDK's client gets in with nothing but the address:
// it registers itself, and the person presses Allow in the browser.
func signedIn(t *testing.T, who *product.Person) auth.OAuthHandler {
	t.Helper()
	h, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{
			ClientName: "Go client", RedirectURIs: []string{callback}, GrantTypes: []string{"authorization_code", "refresh_token"},
		}},
		RedirectURL: callback, RequestRefreshToken: true,
		AuthorizationCodeFetcher: func(_ context.Context, asked *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			return allow(t, who.Browser(), asked.URL)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func allow(t *testing.T, b *product.Browser, address string) (*auth.AuthorizationResult, error) {
	t.Helper()
	asked, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	form := b.Get(asked.RequestURI(), http.StatusOK).Page(t).Find("form")
	fields := url.Values{"decision": {"allow"}, "plate": {"training"}, "scope": {"read", "write"}}
	for _, field := range form.Find("input[type=hidden]").EachIter() {
		fields.Add(field.AttrOr("name", ""), field.AttrOr("value", ""))
	}
	fields.Set("workspace", form.Find("select[name=workspace] option").AttrOr("value", ""))
	back, err := url.Parse(b.Post("/authorize", fields, http.StatusSeeOther).Location)
	if err != nil {
		return nil, err
	}
	q := back.Query()
	if q.Get("error") != "" {
		return nil, fmt.Errorf("%s: %s", q.Get("error"), q.Get("error_description"))
	}
	return &auth.AuthorizationResult{Code: q.Get("code"), State: q.Get("state"), Iss: q.Get("iss")}, nil
}

// The SDK's own client does the whole of it: discovery, registration, consent,
// token, list and call, by the rules with a handshake and without one.
func TestTheGoClientFindsItsWay(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2026-07-28", "2025-11-25", "2025-06-18"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			_, who, p := open(t)
			c := sdk.NewClient(&sdk.Implementation{Name: "go client", Version: "1"}, nil)
			s, err := c.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: p.url, OAuthHandler: signedIn(t, who)}, &sdk.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			if got := s.InitializeResult(); got.ProtocolVersion != version || got.Instructions == "" {
				t.Errorf("got version %s and instructions %q", got.ProtocolVersion, got.Instructions)
			}
			tools, err := s.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) < 20 {
				t.Fatalf("got %v, %v", tools, err)
			}
			knowsMe(t, s, who)
			refused, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "get_workout", Arguments: map[string]any{"workout_id": 987654321}})
			if err != nil || !refused.IsError {
				t.Errorf("a refusal: %v, %v", refused, err)
			}
			if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "deploy"}); err == nil {
				t.Error("an unknown tool was called")
			}
		})
	}
}

func knowsMe(t *testing.T, s *sdk.ClientSession, who *product.Person) {
	t.Helper()
	got, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "whoami", Arguments: map[string]any{}})
	if err != nil || got.IsError {
		t.Fatalf("whoami: %v, %v", got, err)
	}
	text, err := json.Marshal(got.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var me struct{ Email string }
	if err := json.Unmarshal(text, &me); err != nil || me.Email != who.Email {
		t.Errorf("got %s, %v, want %s", text, err, who.Email)
	}
}
