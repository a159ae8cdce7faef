package probe_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/config"
	"tectonic/internal/probe"
	"tectonic/internal/testkit/product"
)

// reached is an answer on its way back through a proxy.
type reached struct {
	status int
	header http.Header
	body   string
}

// proxy stands in front of the product and may break one thing.
type proxy func(r *http.Request, body string, next func() reached) reached

// front is the product behind a proxy that can be changed between probes.
type front struct {
	url, token string
	proxy      proxy
	client     int // each probe comes from an address of its own, since registrations are limited
}

func open(t *testing.T) *front {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	f := &front{url: "http://" + server.Listener.Addr().String()}
	p := product.New(t, product.DB(t), func(c *config.Config) { c.PublicURL, c.MCP.PerSecond = f.url, 0 })
	f.token = p.Person(t, "lifter@example.com").Token()
	server.Config.Handler = f.through(p.Handler())
	server.Start()
	t.Cleanup(server.Close)
	return f
}

func (f *front) through(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.Header.Set("X-Forwarded-For", fmt.Sprintf("192.0.2.%d", f.client))
		if f.proxy == nil {
			next.ServeHTTP(w, r)
			return
		}
		a := f.proxy(r, string(body), func() reached {
			rec := httptest.NewRecorder()
			next.ServeHTTP(rec, r)
			return reached{rec.Code, rec.Header(), rec.Body.String()}
		})
		maps.Copy(w.Header(), a.header)
		w.Header().Del("Content-Length")
		w.WriteHeader(a.status)
		io.WriteString(w, a.body)
	})
}

// probe runs a probe as another visitor.
func (f *front) probe(t *testing.T, broken proxy, o probe.Options) probe.Report {
	t.Helper()
	f.proxy = broken
	f.client++
	if o.URL == "" {
		o.URL = f.url + "/mcp"
	}
	report, err := probe.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// with returns the checks that ended so.
func with(r probe.Report, status probe.Status) []string {
	var ids []string
	for _, c := range r.Checks {
		if c.Status == status {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

func explain(t *testing.T, r probe.Report) {
	t.Helper()
	for _, c := range r.Checks {
		if c.Status == probe.Fail {
			t.Logf("%s: %s %s", c.ID, c.Found, c.Fix)
		}
	}
}

func TestTheProductPasses(t *testing.T) {
	t.Parallel()
	f := open(t)
	for name, o := range map[string]probe.Options{
		"as typed":          {Token: f.token},
		"with a slash":      {Token: f.token, URL: f.url + "/mcp/"},
		"with the host":     {Token: f.token, URL: f.url},
		"with another page": {Token: f.token, Origin: f.url},
	} {
		r := f.probe(t, nil, o)
		if r.Failed > 0 || r.URL != f.url+"/mcp" || r.Registered != 4 {
			explain(t, r)
			t.Errorf("%s: %d failed at %s, %d registered", name, r.Failed, r.URL, r.Registered)
		}
		if diff := cmp.Diff([]string{"consent", "client-document"}, with(r, probe.Skipped)); diff != "" {
			t.Errorf("%s: skipped (-want +got):\n%s", name, diff)
		}
	}
}

func TestWithoutATokenTheCallsAreSkipped(t *testing.T) {
	t.Parallel()
	f := open(t)
	r := f.probe(t, nil, probe.Options{})
	if r.Failed != 0 || r.Skipped != 15 || r.Passed+r.Skipped != len(r.Checks) {
		explain(t, r)
		t.Errorf("passed %d, failed %d, skipped %d of %d", r.Passed, r.Failed, r.Skipped, len(r.Checks))
	}
}

// every turns each answer of a path into another.
func every(path string, change func(*reached)) proxy {
	return func(r *http.Request, _ string, next func() reached) reached {
		a := next()
		if r.URL.Path == path {
			change(&a)
		}
		return a
	}
}

// of turns the answers to requests whose body holds the text into others.
func of(text string, change func(*reached)) proxy {
	return func(_ *http.Request, body string, next func() reached) reached {
		a := next()
		if strings.Contains(body, text) {
			change(&a)
		}
		return a
	}
}

// bearing turns the answers to calls with that Authorization into others.
func bearing(authorization string, change func(*reached)) proxy {
	return func(r *http.Request, _ string, next func() reached) reached {
		a := next()
		if r.Header.Get("Authorization") == authorization {
			change(&a)
		}
		return a
	}
}

// asking turns the answers to authorization requests with that value into others.
func asking(name, value string, change func(*reached)) proxy {
	return func(r *http.Request, _ string, next func() reached) reached {
		a := next()
		if r.URL.Path == "/authorize" && r.URL.Query().Get(name) == value {
			change(&a)
		}
		return a
	}
}

// member sets a member of a JSON object; nil removes it.
func member(name string, value any) func(*reached) {
	return func(a *reached) {
		var doc map[string]any
		if json.Unmarshal([]byte(a.body), &doc) != nil {
			return
		}
		doc[name] = value
		if value == nil {
			delete(doc, name)
		}
		text, _ := json.Marshal(doc)
		a.body = string(text)
	}
}

func status(code int) func(*reached) {
	return func(a *reached) { *a = reached{status: code, header: http.Header{}, body: "{}"} }
}

func redirect(to string) func(*reached) {
	return func(a *reached) { *a = reached{status: 303, header: http.Header{"Location": {to}}} }
}

func header(name, value string) func(*reached) {
	return func(a *reached) {
		if value == "" {
			a.header.Del(name)
			return
		}
		a.header.Set(name, value)
	}
}

func replaced(old, by string) func(*reached) {
	return func(a *reached) { a.body = strings.ReplaceAll(a.body, old, by) }
}

// method turns the answers to a method of HTTP at a path into others.
func method(name, path string, change func(*reached)) proxy {
	return func(r *http.Request, _ string, next func() reached) reached {
		a := next()
		if r.Method == name && r.URL.Path == path {
			change(&a)
		}
		return a
	}
}

const (
	resourceDoc = "/.well-known/oauth-protected-resource"
	serverDoc   = "/.well-known/oauth-authorization-server"
)

func TestEachFaultFailsItsLine(t *testing.T) {
	t.Parallel()
	f := open(t)
	for _, c := range []struct {
		name   string
		broken proxy
		want   []string
	}{
		{"P1 the metadata names the inside", every(resourceDoc+"/mcp", member("resource", "http://10.0.0.3:9292/mcp")), []string{"resource", "resource-named", "public-address"}},
		{"P1 the metadata is not passed on", every(resourceDoc+"/mcp", status(404)), []string{"resource", "resource-named"}},
		{"P1 no authorization server is named", every(resourceDoc+"/mcp", member("authorization_servers", nil)), []string{"resource"}},
		{"P1 the root names another host", every(resourceDoc, member("resource", "https://elsewhere.example/mcp")), []string{"resource-root"}},
		{"P2 every path has metadata", func(r *http.Request, _ string, next func() reached) reached {
			if strings.HasSuffix(r.URL.Path, "/no-such-endpoint") {
				r.URL.Path = resourceDoc
			}
			return next()
		}, []string{"resource-unknown"}},
		{"the issuer is another", every(serverDoc, member("issuer", "https://elsewhere.example")), []string{"issuer", "endpoints", "authorize-error"}},
		{"the server's metadata is not passed on", every(serverDoc, status(404)), []string{"issuer"}},
		{"only plain challenges", every(serverDoc, member("code_challenge_methods_supported", []string{"plain"})), []string{"pkce"}},
		{"P11 iss is not promised", every(serverDoc, member("authorization_response_iss_parameter_supported", nil)), []string{"iss"}},
		{"P13 no documents", every(serverDoc, member("client_id_metadata_document_supported", nil)), []string{"cimd"}},
		{"P13 no public clients", every(serverDoc, member("token_endpoint_auth_methods_supported", []string{"client_secret_basic"})), []string{"cimd"}},
		{"P36 the token endpoint has another name", every(serverDoc, member("token_endpoint", f.url+"/oauth/token")), []string{"endpoints", "token-client", "token-grant"}},
		{"P37 only client credentials", every(serverDoc, member("grant_types_supported", []string{"client_credentials"})), []string{"grants"}},
		{"P25 a published address is inside", every(serverDoc, member("jwks_uri", "http://localhost:1/jwks")), []string{"public-address", "keys"}},
		{"P9 a scope that nobody knows", every(serverDoc, member("scopes_supported", []string{"read"})), []string{"scopes"}},
		{"no keys", every("/jwks", member("keys", []string{})), []string{"keys"}},
		{"a private key", every("/jwks", replaced(`"kty"`, `"d":"x","kty"`)), []string{"keys"}},
		{"P21 metadata without CORS", every(serverDoc, header("Access-Control-Allow-Origin", "")), []string{"browser-documents"}},
		{"P24 the Host is the inner one", func(r *http.Request, _ string, next func() reached) reached {
			r.Host = "tectonic:9292"
			return next()
		}, []string{"reach"}},
		{"the endpoint is elsewhere", every("/mcp", status(404)), []string{"reach"}},
		{"the endpoint redirects", every("/mcp", redirect("/mcp/")), []string{"reach"}},
		{"the server is down", every("/mcp", status(502)), []string{"reach"}},
		{"P9 no challenge", every("/mcp", header("WWW-Authenticate", "")), []string{"challenge", "wrong-token"}},
		{"P9 a challenge without scope", every("/mcp", header("WWW-Authenticate", `Bearer resource_metadata="`+f.url+resourceDoc+`/mcp"`)), []string{"challenge", "wrong-token"}},
		{"P9 a challenge without metadata", every("/mcp", header("WWW-Authenticate", `Bearer scope="read"`)), []string{"challenge", "wrong-token"}},
		{"P9 a wrong token is forbidden", bearing("Bearer tectonic-doctor-wrong", status(403)), []string{"wrong-token"}},
		{"P9 a wrong token gets no reason", bearing("Bearer tectonic-doctor-wrong", header("WWW-Authenticate", `Bearer resource_metadata="x"`)), []string{"wrong-token"}},
		{"P9 a wrong token is not told where to get another", bearing("Bearer tectonic-doctor-wrong", header("WWW-Authenticate", `Bearer error="invalid_token"`)), []string{"wrong-token"}},
		{"any token will do", bearing("Bearer tectonic-doctor-wrong", status(200)), []string{"wrong-token"}},
		{"P26 the slash redirects", every("/mcp/", redirect("/mcp")), []string{"slash"}},
		{"GET opens something", method(http.MethodGet, "/mcp", status(200)), []string{"get-refused", "get"}},
		{"P22 the preflight needs a token", method(http.MethodOptions, "/mcp", status(401)), []string{"preflight"}},
		{"P23 a header is not allowed", method(http.MethodOptions, "/mcp", header("Access-Control-Allow-Headers", "Authorization, Content-Type")), []string{"preflight"}},
		{"the preflight allows another origin", method(http.MethodOptions, "/mcp", header("Access-Control-Allow-Origin", "https://elsewhere.example")), []string{"preflight"}},
		{"the preflight allows no POST", method(http.MethodOptions, "/mcp", header("Access-Control-Allow-Methods", "GET")), []string{"preflight"}},
		{"P21 the challenge is not exposed", every("/mcp", header("Access-Control-Expose-Headers", "")), []string{"exposed"}},
		{"P20 Claude is refused", of("claude.ai/api", status(400)), []string{"register-claude"}},
		{"P11 one callback of ChatGPT is dropped", of("chatgpt.com", replaced(`"https://chatgpt.com/connector/oauth/tectonic-doctor"`, `"https://chatgpt.com/connector_platform_oauth_redirect"`)), []string{"register-chatgpt"}},
		{"P5 all of Cursor's or nothing", of("cursor://", status(400)), []string{"register-cursor"}},
		{"P7 no loopback", of("127.0.0.1:33418", func(a *reached) {
			if strings.Contains(a.body, "client_id_issued_at") {
				status(400)(a)
			}
		}), []string{"register-local"}},
		{"P39 redirects of others come back", of("claude.ai/api", replaced(`"https://claude.ai/api/mcp/auth_callback"`, `"https://claude.ai/api/mcp/auth_callback","https://elsewhere.example/"`)), []string{"register-claude"}},
		{"anybody can register", of("doctor.invalid", func(a *reached) { *a = reached{201, http.Header{}, `{"client_id":"x"}`} }), []string{"register-foreign"}},
		{"a refused redirect has another error", of("doctor.invalid", member("error", "invalid_request")), []string{"register-foreign"}},
		{"P25 sign-in is inside", every("/authorize", func(a *reached) {
			if a.status == 303 && strings.HasPrefix(a.header.Get("Location"), "/login") {
				redirect("http://10.0.0.3:9292/login")(a)
			}
		}), []string{"authorize", "authorize-resource", "authorize-scope"}},
		{"there is no sign-in", every("/login", status(404)), []string{"authorize"}},
		{"a code is given without asking", asking("redirect_uri", "http://127.0.0.1:52907/", func(a *reached) {
			if strings.HasPrefix(a.header.Get("Location"), "/login") {
				redirect("http://127.0.0.1:52907/?code=x&state=doctor%2Bstate%2F1")(a)
			}
		}), []string{"authorize", "authorize-resource", "authorize-scope"}},
		{"P3 a slash at the resource is refused", asking("resource", f.url+"/mcp/", redirect("http://127.0.0.1:52907/?error=invalid_target")), []string{"authorize-resource"}},
		{"P9 unknown scopes are refused", asking("scope", "openid offline_access read", redirect("http://127.0.0.1:52907/?error=invalid_scope")), []string{"authorize-scope"}},
		{"P10 errors have no iss", asking("response_type", "token", redirect("http://127.0.0.1:52907/?error=x&state=doctor%2Bstate%2F1")), []string{"authorize-error"}},
		{"the state is changed", asking("response_type", "token", redirect("http://127.0.0.1:52907/?error=x&state=doctor+state")), []string{"authorize-error"}},
		{"the error has no code", asking("response_type", "token", redirect("http://127.0.0.1:52907/?state=x")), []string{"authorize-error"}},
		{"errors are pages", asking("response_type", "token", status(400)), []string{"authorize-error"}},
		{"codes go anywhere", asking("redirect_uri", "https://doctor.invalid/callback", redirect("/login")), []string{"authorize-foreign"}},
		{"P16 unknown programs are redirected", asking("client_id", "tectonic-doctor-unknown", redirect("/login")), []string{"authorize-unknown"}},
		{"P12 the consent page holds the redirect", every("/authorize", func(a *reached) {
			if a.status == 303 && strings.HasPrefix(a.header.Get("Location"), "/login") {
				*a = reached{200, http.Header{"Content-Security-Policy": {"form-action 'self'"}}, ""}
			}
		}), []string{"consent"}},
		{"P16 another error for unknown programs", of("client_id=tectonic-doctor-unknown", member("error", "invalid_request")), []string{"token-client"}},
		{"P15 another error for dead refresh tokens", of("grant_type=refresh_token", func(a *reached) {
			if a.status == 400 {
				member("error", "invalid_request")(a)
			}
		}), []string{"token-grant"}},
		{"P15 another error for dead codes", of("grant_type=authorization_code", member("error", "invalid_request")), []string{"token-grant"}},
		{"P4 the token is refused", of(`"initialize"`, func(a *reached) { a.status = 401 }), []string{"initialize"}},
		{"no handshake", of(`"initialize"`, status(500)), []string{"initialize"}},
		{"an unknown version is an error", of("9999", status(400)), []string{"unknown-version"}},
		{"P31 prompts are declared", of(`"initialize"`, replaced(`"tools":`, `"prompts":{},"tools":`)), []string{"capabilities"}},
		{"P34 a dot in a name", of("tools/list", replaced(`"name":"whoami"`, `"name":"who.ami"`)), []string{"tool-names"}},
		{"P33 a hint is missing", of("tools/list", replaced(`"openWorldHint":false`, `"x":false`)), []string{"tool-hints"}},
		{"P29 an output that is no object", of("tools/list", replaced(`"outputSchema":{"type":"object"`, `"outputSchema":{"type":"array"`)), []string{"tool-schemas"}},
		{"P32 another dialect", of("tools/list", replaced(`"inputSchema":{`, `"inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#",`)), []string{"tool-schemas"}},
		{"P32 a choice at the top", of("tools/list", replaced(`"inputSchema":{`, `"inputSchema":{"oneOf":[],`)), []string{"tool-schemas"}},
		{"P30 no structured content", of("whoami", replaced(`"structuredContent"`, `"other"`)), []string{"call", "progress"}},
		{"the call is refused", of("whoami", replaced(`"structuredContent"`, `"isError":true,"structuredContent"`)), []string{"call", "progress"}},
		{"P35 only progress comes", of("progressToken", func(a *reached) { a.body = `data: {"method":"notifications/progress"}` + "\n\n" }), []string{"progress"}},
		{"another version is discovered", of("server/discover", replaced("2026-07-28", "2027-01-01")), []string{"discover"}},
		{"GET with a token opens something", func(r *http.Request, _ string, next func() reached) reached {
			if r.Method == http.MethodGet && r.Header.Get("Authorization") != "" {
				return reached{200, http.Header{}, ""}
			}
			return next()
		}, []string{"get"}},
		{"a batch is taken", func(_ *http.Request, body string, next func() reached) reached {
			if strings.HasPrefix(body, "[") {
				return reached{200, http.Header{}, "[]"}
			}
			return next()
		}, []string{"batch"}},
		{"a later version is taken", func(r *http.Request, _ string, next func() reached) reached {
			if r.Header.Get("MCP-Protocol-Version") == "2099-01-01" {
				return reached{200, http.Header{}, "{}"}
			}
			return next()
		}, []string{"version"}},
		{"a later version is not told which", func(r *http.Request, _ string, next func() reached) reached {
			if r.Header.Get("MCP-Protocol-Version") == "2099-01-01" {
				return reached{400, http.Header{}, "no"}
			}
			return next()
		}, []string{"version"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := f.probe(t, streaming(c.broken), probe.Options{Token: f.token})
			if diff := cmp.Diff(c.want, with(r, probe.Fail)); diff != "" {
				explain(t, r)
				t.Errorf("failed (-want +got):\n%s", diff)
			}
			for _, line := range r.Checks {
				if line.Status == probe.Fail && (line.Found == "" || line.Fix == "") {
					t.Errorf("%s says %q and %q", line.ID, line.Found, line.Fix)
				}
			}
		})
	}
}

// streaming lets a proxy that waits for whole answers refuse the one that
// does not end.
func streaming(next proxy) proxy {
	return func(r *http.Request, body string, pass func() reached) reached {
		if strings.Contains(body, "subscriptions/listen") {
			return reached{status: 400, header: http.Header{}}
		}
		return next(r, body, pass)
	}
}

func TestAProxyThatHoldsStreamsBackIsFound(t *testing.T) {
	t.Parallel()
	f := open(t)
	holds := func(r *http.Request, body string, next func() reached) reached {
		if strings.Contains(body, "subscriptions/listen") {
			<-r.Context().Done()
		}
		return next()
	}
	r := f.probe(t, holds, probe.Options{Token: f.token, Limit: 2 * time.Second})
	if diff := cmp.Diff([]string{"stream"}, with(r, probe.Fail)); diff != "" {
		explain(t, r)
		t.Errorf("failed (-want +got):\n%s", diff)
	}
}

// turned answers with one page of tools, and with another when that is asked for.
func turned(_ *http.Request, body string, next func() reached) reached {
	a := next()
	if !strings.Contains(body, "tools/list") || strings.HasPrefix(body, "[") || a.status != http.StatusOK {
		return a
	}
	page := `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"good","inputSchema":{"type":"object"}}],"nextCursor":"2"}}`
	if strings.Contains(body, `"cursor":"2"`) {
		page = `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"no.good","inputSchema":{"type":"object"}}]}}`
	}
	a.body = page
	return a
}

func TestEveryPageOfToolsIsLookedAt(t *testing.T) {
	t.Parallel()
	f := open(t)
	r := f.probe(t, streaming(turned), probe.Options{Token: f.token})
	if !slices.Contains(with(r, probe.Fail), "tool-names") {
		explain(t, r)
		t.Error("the name on the second page is not seen")
	}
	endless := of("tools/list", member("result", map[string]any{
		"tools": []any{map[string]any{"name": "good", "inputSchema": map[string]any{"type": "object"}}}, "nextCursor": "again",
	}))
	if r := f.probe(t, streaming(endless), probe.Options{Token: f.token}); slices.Contains(with(r, probe.Fail), "tool-names") {
		explain(t, r)
		t.Error("a list without an end is not left")
	}
}

// A code that nobody was asked for is not carried on to whoever listens there.
func TestARedirectBackIsNotFollowed(t *testing.T) {
	t.Parallel()
	f := open(t)
	var back atomic.Int64
	heard := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { back.Add(1) }))
	t.Cleanup(heard.Close)
	f.probe(t, asking("redirect_uri", "http://127.0.0.1:52907/", redirect(heard.URL+"/?code=x")), probe.Options{})
	if back.Load() != 0 {
		t.Error("the probe followed it")
	}
}

func TestAServerCannotWriteOnTheTerminal(t *testing.T) {
	t.Parallel()
	f := open(t)
	r := f.probe(t, every("/jwks", func(a *reached) { *a = reached{400, http.Header{}, `{"error":"a\u001b[2J\nb\u202ec"}`} }), probe.Options{})
	for _, c := range r.Checks {
		if strings.ContainsAny(c.Found+c.Fix, "\x1b\n\u202e") {
			t.Errorf("%s: %q", c.ID, c.Found)
		}
	}
	if !slices.Contains(with(r, probe.Fail), "keys") {
		t.Error("the answer is taken")
	}
}

func TestAServerThatIsNotThere(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(nil)
	server.Close()
	r, err := probe.Run(t.Context(), probe.Options{URL: server.URL + "/mcp", Token: "x"})
	if err != nil || !slices.Equal(with(r, probe.Fail), []string{"reach"}) || r.Skipped != len(r.Checks)-1 {
		t.Errorf("got %+v, %v", r, err)
	}
}

func TestATokenThatIsRefused(t *testing.T) {
	t.Parallel()
	f := open(t)
	r := f.probe(t, nil, probe.Options{Token: "tpt_none"})
	if diff := cmp.Diff([]string{"initialize"}, with(r, probe.Fail)); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
	text, _ := json.Marshal(r)
	if strings.Contains(string(text), "tpt_none") {
		t.Error("the report holds the token")
	}
}

func TestADocumentThatTheServerCannotRead(t *testing.T) {
	t.Parallel()
	f := open(t)
	r := f.probe(t, nil, probe.Options{Document: "https://127.0.0.1:1/client"})
	if diff := cmp.Diff([]string{"client-document"}, with(r, probe.Fail)); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
	reads := asking("client_id", "https://127.0.0.1:1/client", redirect("/login"))
	if r := f.probe(t, reads, probe.Options{Document: "https://127.0.0.1:1/client"}); r.Failed != 0 {
		explain(t, r)
		t.Error("a document that can be read fails")
	}
}

func TestAPageThatIsNotAllowed(t *testing.T) {
	t.Parallel()
	f := open(t)
	r := f.probe(t, nil, probe.Options{Origin: "http://localhost:6274"})
	if diff := cmp.Diff([]string{"preflight", "exposed"}, with(r, probe.Fail)); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
	for _, c := range r.Checks {
		if c.Status == probe.Fail && !strings.Contains(c.Fix, "MCP_ALLOWED_ORIGINS") {
			t.Errorf("%s: %s", c.ID, c.Fix)
		}
	}
}

func TestTooManyRegistrationsAreNoFault(t *testing.T) {
	t.Parallel()
	f := open(t)
	r := f.probe(t, every("/register", status(429)), probe.Options{})
	if r.Failed != 0 || r.Registered != 0 {
		explain(t, r)
		t.Errorf("%d failed, %d registered", r.Failed, r.Registered)
	}
}

func TestWhatIsNoAddressIsRefused(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{"", "log.example", "ftp://log.example/mcp", "https:///mcp", "https://me:secret@log.example/mcp", "://"} {
		if _, err := probe.Run(t.Context(), probe.Options{URL: typed}); err == nil {
			t.Errorf("%q is taken", typed)
		}
	}
}

func TestEveryCheckHasItsName(t *testing.T) {
	t.Parallel()
	r, err := probe.Run(t.Context(), probe.Options{URL: "http://127.0.0.1:1/mcp"})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range r.Checks {
		if c.ID == "" || c.Title == "" || seen[c.ID] {
			t.Errorf("%+v", c)
		}
		seen[c.ID] = true
	}
}
