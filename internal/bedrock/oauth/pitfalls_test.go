package oauth

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"
)

// What connecting programs really do, and what they must see. The numbers are
// those of the list of interop pitfalls in the protocol.

func TestP01ResourceIsTheAddressThatWasTyped(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for path, plate := range map[string]string{"": "/mcp", "/mcp": "/mcp", "/mcp/memory": "/mcp/memory", "/mcp/memory/": "/mcp/memory"} {
			r := w.get("/.well-known/oauth-protected-resource" + path)
			if r.Code != 200 || r.text("resource") != base+plate || r.Header().Get("Cache-Control") != "public, max-age=300" || r.Header().Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%q: got %d %s", path, r.Code, r.Body)
			}
		}
		want := map[string]any{
			"resource": base + "/mcp", "authorization_servers": []any{base}, "scopes_supported": []any{"read", "write"},
			"bearer_methods_supported": []any{"header"}, "resource_name": "Tectonic",
		}
		if diff := cmp.Diff(want, w.get("/.well-known/oauth-protected-resource").body); diff != "" {
			t.Errorf("document (-want +got):\n%s", diff)
		}
	})
}

func TestP02EachPathHasItsOwnMetadata(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		r := w.get("/.well-known/oauth-protected-resource/mcp/memory")
		if !slices.Equal(r.body["scopes_supported"].([]any), []any{"read", "write", "operate"}) || r.text("resource_name") != "Tectonic Memory" {
			t.Errorf("got %s", r.Body)
		}
		for _, path := range []string{"/mcp/nothing", "/mc", "/mcp/memory/x", "/MCP"} {
			if r := w.get("/.well-known/oauth-protected-resource" + path); r.Code != http.StatusNotFound {
				t.Errorf("%s: got %d", path, r.Code)
			}
		}
		memory, _ := w.plate("memory")
		if got := w.ResourceMetadataURL(memory); got != base+"/.well-known/oauth-protected-resource/mcp/memory" {
			t.Errorf("got %s", got)
		}
	})
}

func TestP03ResourceIsNormalised(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		for _, resource := range []string{base, base + "/", base + "/mcp/", "HTTPS://TECTONIC.example:443/mcp"} {
			code := w.post("/authorize", w.form(request(client, "resource", resource), "training", "read")).location().Get("code")
			r := w.post("/token", with(exchangeForm(client, code), "resource", resource))
			if r.Code != 200 || !w.good(r.text("access_token"), "training") {
				t.Errorf("%s: got %d %s", resource, r.Code, r.Body)
			}
		}
	})
}

func TestP03TheOperatorMayWriteTheHostInCapitals(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		for _, resource := range []string{base + "/mcp", w.o.BaseURL + "/mcp", base} {
			code := w.post("/authorize", w.form(request(client, "resource", resource), "training", "read")).location().Get("code")
			if r := w.post("/token", with(exchangeForm(client, code), "resource", resource)); r.Code != 200 || !w.good(r.text("access_token"), "training") {
				t.Errorf("%s: got %d %s", resource, r.Code, r.Body)
			}
		}
	}, func(o *Options) { o.BaseURL = "https://Tectonic.Example" })
}

func TestP04OneAddressFeedsMetadataAndAudience(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		r := w.tokens(client)
		var c claims
		token, _, err := jwt.NewParser().ParseUnverified(r.text("access_token"), &c)
		if err != nil {
			t.Fatal(err)
		}
		var documents []string
		for _, p := range w.o.Plates {
			documents = append(documents, w.get(strings.TrimPrefix(w.ResourceMetadataURL(p), base)).text("resource"))
		}
		if !slices.Equal(c.Audience, documents) {
			t.Errorf("aud %q, documents %q", c.Audience, documents)
		}
		keys := w.get("/jwks").body["keys"].([]any)
		key := keys[0].(map[string]any)
		if len(keys) != 1 || token.Header["kid"] != key["kid"] || token.Header["typ"] != "at+jwt" || token.Header["alg"] != "RS256" || key["e"] != "AQAB" || key["d"] != nil {
			t.Errorf("header %v, key %v", token.Header, key)
		}
	})
}

func TestP05OneAcceptableRedirectIsEnough(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		cursor := []string{"cursor://anysphere.cursor-mcp/oauth/callback?secret=1", "https://www.cursor.com/agents/mcp/oauth/callback", "http://localhost:8787/callback"}
		r := w.registerWith(map[string]any{"client_name": "Cursor", "redirect_uris": cursor, "token_endpoint_auth_method": "none"})
		if r.Code != 201 || !cmp.Equal(r.body["redirect_uris"], []any{"http://localhost:8787/callback"}) {
			t.Errorf("got %d %s", r.Code, r.Body)
		}
		log := w.log.String()
		if !strings.Contains(log, "2 of 3 refused") || !strings.Contains(log, "cursor://anysphere.cursor-mcp/oauth/callback") || strings.Contains(log, "secret") {
			t.Errorf("log %s", log)
		}
		w.registerWith(map[string]any{"client_name": "Cursor", "redirect_uris": cursor[:2]}).want(t, 400, "invalid_redirect_uri")
		w.registerWith(map[string]any{"client_name": "Cursor"}).want(t, 400, "invalid_redirect_uri")
		if n := w.count("SELECT count(*) FROM clients"); n != 1 {
			t.Errorf("%d clients are stored", n)
		}
	})
}

func TestP06EditorsFindTheirPreset(t *testing.T) {
	t.Parallel()
	list, err := ParseRedirects("defaults preset:vscode preset:cursor")
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, w *world) {
		uris := []any{"http://127.0.0.1:33418", "https://vscode.dev/redirect"}
		r := w.registerWith(map[string]any{"client_name": "VS Code", "redirect_uris": uris, "token_endpoint_auth_method": "none"})
		if r.Code != 201 || !cmp.Equal(r.body["redirect_uris"], uris) {
			t.Errorf("got %d %s", r.Code, r.Body)
		}
	}, func(o *Options) { o.Redirects = list })
}

func TestP07LoopbackPortIsFree(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.registerWith(map[string]any{"redirect_uris": []string{"http://127.0.0.1:3334/oauth/callback"}, "token_endpoint_auth_method": "none"}).text("client_id")
		to := "http://127.0.0.1:51999/oauth/callback"
		r := w.post("/authorize", w.form(request(client, "redirect_uri", to), "training", "read"))
		if !strings.HasPrefix(r.Header().Get("Location"), to+"?") {
			t.Fatalf("got %d %s", r.Code, r.Header().Get("Location"))
		}
		if r := w.post("/token", with(exchangeForm(client, r.location().Get("code")), "redirect_uri", to)); r.Code != 200 {
			t.Errorf("got %d %s", r.Code, r.Body)
		}
	})
}

func TestP08LoopbackPortIsFreeInDocuments(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		s := newSite(t, w, true)
		if r := w.get("/authorize?" + request(s.id(), "redirect_uri", "http://localhost:60123/callback").Encode()); r.Code != 200 {
			t.Errorf("got %d %s", r.Code, r.Body)
		}
	})
}

func TestP09UnknownScopesAreIgnored(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		q := request(client, "scope", "openid profile email offline_access read")
		r := w.post("/token", with(exchangeForm(client, w.post("/authorize", w.form(q, "training", "read")).location().Get("code")), "scope", "openid"))
		if r.Code != 200 || r.text("scope") != "read" {
			t.Errorf("got %d %s", r.Code, r.Body)
		}
	})
}

func TestP10IssuerIsInEveryRedirect(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		form := w.form(request(client), "training", "read")
		for name, r := range map[string]reply{
			"success": w.post("/authorize", form), "denial": w.post("/authorize", with(form, "decision", "deny")),
			"error": w.get("/authorize?" + request(client, "response_type", "token").Encode()),
		} {
			if q := r.location(); q.Get("iss") != base || q.Get("state") != "a state/&=" || r.Code != http.StatusSeeOther {
				t.Errorf("%s: got %d %s", name, r.Code, r.Header().Get("Location"))
			}
		}
	})
}

func TestP11BothCallbacksOfChatGPTAreAllowed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		if w.get("/.well-known/oauth-authorization-server").body["authorization_response_iss_parameter_supported"] != true {
			t.Error("the flag is not set")
		}
		uris := []any{"https://chatgpt.com/connector_platform_oauth_redirect", "https://chatgpt.com/connector/oauth/f8a1c2"}
		if r := w.registerWith(map[string]any{"client_name": "ChatGPT", "redirect_uris": uris}); !cmp.Equal(r.body["redirect_uris"], uris) {
			t.Errorf("got %s", r.Body)
		}
	})
}

func TestP12ConsentHasNoFormAction(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		r := w.get("/authorize?" + request(w.newClient()).Encode())
		if csp := r.Header().Get("Content-Security-Policy"); csp == "" || strings.Contains(csp, "form-action") {
			t.Errorf("got %q", csp)
		}
	})
}

func TestP13BothWaysOfBeingAClientAreAdvertised(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		want := map[string]any{
			"issuer": base, "authorization_endpoint": base + "/authorize", "token_endpoint": base + "/token", "registration_endpoint": base + "/register",
			"revocation_endpoint": base + "/revoke", "introspection_endpoint": base + "/introspect", "jwks_uri": base + "/jwks",
			"scopes_supported": []any{"read", "write", "operate"}, "response_types_supported": []any{"code"}, "response_modes_supported": []any{"query"},
			"grant_types_supported":                          []any{"authorization_code", "refresh_token", "client_credentials"},
			"token_endpoint_auth_methods_supported":          []any{"none", "client_secret_basic", "client_secret_post"},
			"code_challenge_methods_supported":               []any{"S256"},
			"authorization_response_iss_parameter_supported": true, "client_id_metadata_document_supported": true,
		}
		for _, path := range []string{"oauth-authorization-server", "oauth-authorization-server/mcp", "oauth-authorization-server/mcp/memory", "openid-configuration", "openid-configuration/mcp"} {
			if diff := cmp.Diff(want, w.get("/.well-known/"+path).body); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path, diff)
			}
		}
	})
}

func TestP14ARepeatedRefreshIsARetry(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		token := w.tokens(client).text("refresh_token")
		a, b := w.post("/token", refreshForm(client, token)), w.post("/token", refreshForm(client, token))
		if a.Code != 200 || b.Code != 200 || a.text("refresh_token") != b.text("refresh_token") || a.text("access_token") == b.text("access_token") {
			t.Errorf("got %s and %s", a.Body, b.Body)
		}
	})
}

func TestP15ABadRefreshTokenIsInvalidGrant(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		for _, token := range []string{"", "x", "trt_", "trt_1_1_", "trt_9223372036854775808_1_x", "tpt_x", strings.Repeat("t", 5000)} {
			w.post("/token", refreshForm(client, token)).want(t, 400, "invalid_grant")
		}
	})
}

func TestP16AnUnknownClientLearnsHowToRecover(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		if keepLastUsed != 400*day {
			t.Errorf("registrations are kept %s", keepLastUsed)
		}
		w.post("/token", refreshForm("tc_gone", "trt_1_1_x")).want(t, 401, "invalid_client")
		r := w.get("/authorize?" + request("tc_gone").Encode())
		if r.Code != 400 || r.text("Sentence") != "This connection is not known here (it may have been removed). Remove the connector in your assistant and add it again." {
			t.Errorf("got %d %s", r.Code, r.Body)
		}
	})
}

func TestP17RegistrationsAreIndependent(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		first, second := w.newClient(), w.newClient()
		if first == second || w.tokens(second).Code != 200 || w.tokens(first).Code != 200 {
			t.Error("the second registration replaced the first")
		}
	})
}

func TestP18ANewRegistrationLeavesTheOldConnection(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		old := w.newClient()
		r := w.tokens(old)
		w.tokens(w.newClient())
		if r := w.post("/token", refreshForm(old, r.text("refresh_token"))); r.Code != 200 {
			t.Errorf("got %d %s", r.Code, r.Body)
		}
	})
}

func TestP20ClaudeMayRegister(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		r := w.registerWith(map[string]any{
			"client_name": "Claude", "redirect_uris": []string{"https://claude.ai/api/mcp/auth_callback"}, "grant_types": []string{"authorization_code", "refresh_token"},
			"response_types": []string{"code"}, "token_endpoint_auth_method": "none", "scope": "read write", "application_type": "web", "client_uri": "https://claude.ai",
		})
		got := r.body
		delete(got, "client_id")
		want := map[string]any{
			"client_id_issued_at": float64(w.clock.now().Unix()), "client_name": "Claude", "redirect_uris": []any{callback},
			"grant_types": []any{"authorization_code", "refresh_token"}, "response_types": []any{"code"}, "token_endpoint_auth_method": "none",
			"scope": "read write operate", "application_type": "web", "client_uri": "https://claude.ai",
		}
		if diff := cmp.Diff(want, got); r.Code != 201 || diff != "" {
			t.Errorf("%d (-want +got):\n%s", r.Code, diff)
		}
	})
}

func TestP22PreflightNeedsNoCredential(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for _, path := range []string{"/token", "/register", "/revoke", "/introspect", "/jwks", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server"} {
			r := w.do(httptest.NewRequest(http.MethodOptions, path, nil))
			h := r.Header()
			if r.Code != 204 || h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Access-Control-Allow-Credentials") != "" || !strings.Contains(h.Get("Access-Control-Allow-Headers"), "Authorization") {
				t.Errorf("%s: got %d %v", path, r.Code, h)
			}
		}
		if h := w.get("/authorize?" + request(w.newClient()).Encode()).Header(); h.Get("Access-Control-Allow-Origin") != "" {
			t.Error("scripts may read the consent page")
		}
	})
}

func TestP23ErrorsCanBeReadByBrowsers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		r := w.post("/token", refreshForm("tc_gone", "x"))
		if r.Header().Get("Access-Control-Allow-Origin") != "*" || !strings.Contains(r.Header().Get("Access-Control-Expose-Headers"), "WWW-Authenticate") {
			t.Errorf("got %v", r.Header())
		}
	})
}

func TestP25AddressesNeverComeFromTheHost(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp"} {
			r := newGet(path)
			r.Host = "internal:9292"
			r.Header.Set("X-Forwarded-Host", "evil.example")
			if got := w.do(r).Body.String(); strings.Contains(got, "internal") || strings.Contains(got, "evil") {
				t.Errorf("%s: %s", path, got)
			}
		}
	})
}

func TestP27AMissingResourceStillGivesAnAudience(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		r := w.post("/token", exchangeForm(client, w.post("/authorize", w.form(request(client), "training", "read")).location().Get("code")))
		var c claims
		if _, _, err := jwt.NewParser().ParseUnverified(r.text("access_token"), &c); err != nil || !slices.Equal(c.Audience, []string{base + "/mcp"}) {
			t.Errorf("aud %q, %v", c.Audience, err)
		}
	})
}

func TestP36TheGuessedAddressesAreTheRealOnes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for _, path := range []string{"/token", "/register"} {
			if r := w.post(path, url.Values{}); r.Code == http.StatusNotFound {
				t.Errorf("%s is not there", path)
			}
		}
		if r := w.get("/authorize"); r.Code != http.StatusBadRequest {
			t.Errorf("/authorize: got %d", r.Code)
		}
	})
}

func TestP38ARefreshTokenIsAlwaysIssued(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.registerWith(map[string]any{
			"client_name": "Plain", "redirect_uris": []string{callback}, "token_endpoint_auth_method": "none", "grant_types": []string{"authorization_code"},
		}).text("client_id")
		if w.tokens(client).text("refresh_token") == "" {
			t.Error("none came")
		}
		if got := w.get("/.well-known/oauth-authorization-server").body["scopes_supported"]; slices.Contains(got.([]any), any("offline_access")) {
			t.Errorf("scopes %v", got)
		}
	})
}

func TestP39OnlyOwnRedirectsComeBack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		r := w.registerWith(map[string]any{"client_name": "mcp-remote", "redirect_uris": []string{"http://localhost:3334/oauth/callback"}, "token_endpoint_auth_method": "none"})
		if !cmp.Equal(r.body["redirect_uris"], []any{"http://localhost:3334/oauth/callback"}) {
			t.Errorf("got %s", r.Body)
		}
	})
}

func TestP40ARestartKeepsConnections(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		before := w.tokens(client)
		key, err := NewKey()
		if err != nil {
			t.Fatal(err)
		}
		o := w.o
		o.Key = key
		if w.Server, err = New(o); err != nil {
			t.Fatal(err)
		}
		w.web = w.Handler()
		if w.good(before.text("access_token"), "training") {
			t.Error("a token of the old key still works")
		}
		r := w.post("/token", refreshForm(client, before.text("refresh_token")))
		if r.Code != 200 || !w.good(r.text("access_token"), "training") {
			t.Errorf("got %d %s", r.Code, r.Body)
		}
		o.Secret = []byte(strings.Repeat("t", 64))
		if w.Server, err = New(o); err != nil {
			t.Fatal(err)
		}
		w.web = w.Handler()
		w.post("/token", refreshForm(client, r.text("refresh_token"))).want(t, 400, "invalid_grant")
	})
}
