package mcp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/config"
	"tectonic/internal/testkit/product"
)

// peer posts messages as an assistant with a token does.
type peer struct {
	t     *testing.T
	url   string
	token string
}

type reply struct {
	status int
	header http.Header
	body   map[string]any
	raw    string
}

// open returns the product and a peer of a lifter with Block 0.
func open(t *testing.T, adjust ...func(*config.Config)) (*product.Product, *product.Person, peer) {
	t.Helper()
	p := product.New(t, product.DB(t), adjust...)
	who := p.Person(t, "a@example.com")
	return p, who, peer{t, p.Server.URL + "/mcp", who.Token()}
}

// send posts the body; header pairs replace the usual ones, and "" removes.
func (p peer) send(body string, header ...string) reply {
	p.t.Helper()
	return p.do(http.MethodPost, body, header...)
}

func (p peer) do(method, body string, header ...string) reply {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.url, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Authorization": {"Bearer " + p.token}}
	for i := 0; i < len(header); i += 2 {
		switch {
		case header[i] == "Host":
			r.Host = header[i+1]
		case header[i+1] == "":
			r.Header.Del(header[i])
		default:
			r.Header.Set(header[i], header[i+1])
		}
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	out := reply{status: res.StatusCode, header: res.Header, raw: string(text)}
	_ = json.Unmarshal(text, &out.body) // pages and streams are looked at as text
	return out
}

func (r reply) failure() (code float64, text string) {
	e, _ := r.body["error"].(map[string]any)
	code, _ = e["code"].(float64)
	text, _ = e["message"].(string)
	return code, text
}

const whoami = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{}}}`

// asModern is a call by the rules without a handshake.
func asModern(method, name, params string) (body string, header []string) {
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	if params != "" {
		meta = "," + meta
	}
	header = []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method}
	if name != "" {
		header = append(header, "Mcp-Name", name)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s%s}}`, method, params, meta), header
}

func TestTheDoorChecksInOrder(t *testing.T) {
	t.Parallel()
	_, _, p := open(t, func(c *config.Config) {
		c.MCP.Hosts, c.MCP.Origins, c.MCP.MaxBody = []string{"app.example.com", "b.example:8443"}, []string{"http://localhost:6274"}, 2048
	})
	host := strings.TrimPrefix(strings.TrimSuffix(p.url, "/mcp"), "http://")
	for name, c := range map[string]struct {
		method, body string
		header       []string
		status       int
		code         float64
		text         string
	}{
		"another host":                   {"POST", whoami, []string{"Host", "evil.example.com"}, 403, 4030, "Forbidden: this server does not answer for that Host."},
		"a host that looks like ours":    {"POST", whoami, []string{"Host", "app.example.com.evil.example"}, 403, 4030, ""},
		"a listed host":                  {"POST", whoami, []string{"Host", "APP.example.com:9999"}, 200, 0, ""},
		"a listed host and port":         {"POST", whoami, []string{"Host", "b.example:8443"}, 200, 0, ""},
		"a listed host, other port":      {"POST", whoami, []string{"Host", "b.example"}, 403, 4030, ""},
		"this machine":                   {"POST", whoami, []string{"Host", "[::1]:9292"}, 200, 0, ""},
		"another origin":                 {"POST", whoami, []string{"Origin", "https://evil.example"}, 403, 4030, "Forbidden: that Origin is not allowed here."},
		"no origin at all":               {"POST", whoami, []string{"Origin", "null"}, 403, 4030, ""},
		"its own origin":                 {"POST", whoami, []string{"Origin", "http://" + host}, 200, 0, ""},
		"the default port written":       {"POST", whoami, []string{"Host", "app.example.com:80", "Origin", "http://app.example.com"}, 200, 0, ""},
		"a listed origin":                {"POST", whoami, []string{"Origin", "HTTP://localhost:6274"}, 200, 0, ""},
		"no token":                       {"POST", whoami, []string{"Authorization", ""}, 401, 4010, "Missing or invalid bearer token."},
		"a cookie instead":               {"POST", whoami, []string{"Authorization", "", "Cookie", "tectonic_session=x"}, 401, 4010, ""},
		"another scheme":                 {"POST", whoami, []string{"Authorization", "Basic x"}, 401, 4010, ""},
		"a scheme in small letters":      {"POST", whoami, []string{"Authorization", "bearer " + p.token}, 200, 0, ""},
		"three words":                    {"POST", whoami, []string{"Authorization", "Bearer " + p.token + " x"}, 401, 4010, ""},
		"a wrong token":                  {"POST", whoami, []string{"Authorization", "Bearer tpt_x"}, 401, 4010, ""},
		"GET":                            {"GET", "", nil, 405, 4050, ""},
		"DELETE":                         {"DELETE", "", nil, 405, 4050, ""},
		"another type":                   {"POST", whoami, []string{"Content-Type", "text/plain"}, 415, 4150, ""},
		"a type with parameters":         {"POST", whoami, []string{"Content-Type", "application/json; charset=utf-8"}, 200, 0, ""},
		"too large":                      {"POST", `{"x":"` + strings.Repeat("x", 3000) + `"}`, nil, 413, -32600, ""},
		"no JSON":                        {"POST", `{"jsonrpc":`, nil, 400, -32700, ""},
		"nothing":                        {"POST", ``, nil, 400, -32700, ""},
		"a batch":                        {"POST", "[" + whoami + "]", nil, 400, -32600, ""},
		"a batch, early version":         {"POST", "[" + whoami + "]", []string{"MCP-Protocol-Version", "2025-03-26"}, 400, -32600, ""},
		"a key twice, in another case":   {"POST", `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","Method":"tools/list"}`, nil, 400, -32600, "A key of the message is there twice."},
		"a parameter twice":              {"POST", strings.Replace(whoami, `"name"`, `"name":"x","name"`, 1), nil, 400, -32600, ""},
		"an origin that cannot be shown": {"POST", whoami, []string{"Origin", "http://\xff" + strings.Repeat("é", 300)}, 403, 4030, ""},
		"an old unknown version":         {"POST", whoami, []string{"MCP-Protocol-Version", "2025-01-01"}, 400, 4000, ""},
		"a later unknown version":        {"POST", whoami, []string{"MCP-Protocol-Version", "2099-01-01"}, 400, -32022, ""},
		"no Accept":                      {"POST", whoami, []string{"Accept", ""}, 200, 0, ""},
		"only JSON":                      {"POST", whoami, []string{"Accept", "application/json"}, 200, 0, ""},
		"a method of other servers":      {"POST", `{"jsonrpc":"2.0","id":7,"method":"prompts/list"}`, nil, 200, -32601, `Method not found: "prompts/list". This server serves tools only.`},
		"a notification of others":       {"POST", `{"jsonrpc":"2.0","method":"notifications/other"}`, nil, 202, 0, ""},
		"a notification":                 {"POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil, 202, 0, ""},
		"a session of before":            {"POST", whoami, []string{"Mcp-Session-Id", "x", "Last-Event-ID", "y"}, 200, 0, ""},
		"ping":                           {"POST", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, nil, 200, 0, ""},
		"a log level":                    {"POST", `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`, nil, 200, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := p
			p.t = t
			got := p.do(c.method, c.body, c.header...)
			code, text := got.failure()
			if got.status != c.status || code != c.code || c.text != "" && text != c.text {
				t.Errorf("got %d, %v %q, want %d, %v %q\n%s", got.status, code, text, c.status, c.code, c.text, got.raw)
			}
			if got.status != http.StatusAccepted && !strings.HasPrefix(got.header.Get("Content-Type"), "application/json") {
				t.Errorf("answered as %q: %s", got.header.Get("Content-Type"), got.raw)
			}
			if got.header.Get("Mcp-Session-Id") != "" {
				t.Error("the answer has a session")
			}
			if want := "no-cache, no-transform"; got.header.Get("Cache-Control") != want || got.header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("headers: %v", got.header)
			}
		})
	}
}

func TestTheChallengeLeadsToTheMetadata(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	base := strings.TrimSuffix(p.url, "/mcp")
	plain := fmt.Sprintf(`Bearer realm="tectonic-mcp", resource_metadata="%s/.well-known/oauth-protected-resource/mcp", scope="read write"`, base)
	if got := p.send(whoami, "Authorization", "").header.Get("WWW-Authenticate"); got != plain {
		t.Errorf("got  %s\nwant %s", got, plain)
	}
	refused := plain + `, error="invalid_token", error_description="The access token is missing, expired, revoked or not for this resource"`
	if got := p.send(whoami, "Authorization", "Bearer x").header.Get("WWW-Authenticate"); got != refused {
		t.Errorf("got  %s\nwant %s", got, refused)
	}
	page := p.do("GET", "", "Authorization", "", "Accept", "text/html")
	if page.status != 401 || page.header.Get("WWW-Authenticate") != plain || !strings.Contains(page.raw, base+"/connections") || !strings.Contains(page.raw, "noindex") {
		t.Errorf("a browser got %d %s", page.status, page.raw)
	}
}

func TestBrowsersMayCallFromListedOrigins(t *testing.T) {
	t.Parallel()
	_, _, p := open(t, func(c *config.Config) { c.MCP.Origins = []string{"http://localhost:6274"} })
	origin := []string{"Origin", "http://localhost:6274"}
	for name, got := range map[string]reply{
		"an answer": p.send(whoami, origin...),
		"a 401":     p.send(whoami, append(origin, "Authorization", "")...),
		"a 405":     p.do("PUT", "", origin...),
	} {
		h := got.header
		if h.Get("Access-Control-Allow-Origin") != "http://localhost:6274" || h.Get("Access-Control-Expose-Headers") != "WWW-Authenticate, MCP-Protocol-Version, Retry-After" || !strings.Contains(h.Get("Vary"), "Origin") {
			t.Errorf("%s: %v", name, h)
		}
	}
	preflight := p.do("OPTIONS", "", append(origin, "Authorization", "", "Access-Control-Request-Headers", "authorization, mcp-param-day")...)
	want := "Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID, mcp-param-day"
	if h := preflight.header; preflight.status != 204 || h.Get("Access-Control-Allow-Headers") != want || h.Get("Access-Control-Allow-Methods") != "POST, OPTIONS" || h.Get("Access-Control-Max-Age") != "600" || h.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("got %d %v", preflight.status, h)
	}
}

func TestBothErasAreServed(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	for asked, want := range map[string]string{
		"2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25", "2024-11-05": "2024-11-05",
		"2026-07-28": "2025-11-25", "9999": "2025-11-25",
	} {
		got := p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, asked))
		result, _ := got.body["result"].(map[string]any)
		if result["protocolVersion"] != want {
			t.Errorf("initialize with %s answered %v, want %s", asked, result["protocolVersion"], want)
		}
		if diff := cmp.Diff(map[string]any{"tools": map[string]any{"listChanged": true}}, result["capabilities"]); diff != "" {
			t.Errorf("capabilities -want +got\n%s", diff)
		}
	}
	discover := func(method string) reply {
		body, header := asModern(method, "", "")
		return p.send(body, header...)
	}
	got := discover("server/discover")
	result, _ := got.body["result"].(map[string]any)
	if got.status != 200 || result["resultType"] != "complete" || result["ttlMs"] != 300000.0 || result["cacheScope"] != "public" || result["supportedVersions"].([]any)[0] != "2026-07-28" || result["instructions"] == "" {
		t.Errorf("server/discover: %d %s", got.status, got.raw)
	}
	list, _ := discover("tools/list").body["result"].(map[string]any)
	if list["ttlMs"] != 300000.0 || list["cacheScope"] != "public" || len(list["tools"].([]any)) < 15 {
		t.Errorf("tools/list: %v", list)
	}
	for _, method := range []string{"initialize", "ping", "logging/setLevel", "resources/subscribe"} {
		got := discover(method)
		if code, _ := got.failure(); got.status != 404 || code != -32601 {
			t.Errorf("%s: %d %s", method, got.status, got.raw)
		}
	}
}

func TestModernCallsAgreeWithTheirHeaders(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	good, header := asModern("tools/call", "whoami", `"name":"whoami","arguments":{}`)
	with := func(pairs ...string) []string { return append(header[:len(header):len(header)], pairs...) }
	for name, c := range map[string]struct {
		body   string
		header []string
		status int
		code   float64
	}{
		"a good one":            {good, header, 200, 0},
		"a name in base64":      {good, with("Mcp-Name", "=?base64?d2hvYW1p?="), 200, 0},
		"another name":          {good, with("Mcp-Name", "list_workouts"), 400, -32020},
		"without the method":    {good, with("Mcp-Method", ""), 400, -32020},
		"without a version":     {strings.Replace(good, `"io.modelcontextprotocol/protocolVersion":"2026-07-28",`, "", 1), header, 400, -32602},
		"without its abilities": {strings.Replace(good, `,"io.modelcontextprotocol/clientCapabilities":{}`, "", 1), header, 400, -32602},
		"a tool of others":      {strings.Replace(good, `"name":"whoami"`, `"name":"deploy"`, 1), with("Mcp-Name", "deploy"), 400, -32602},
	} {
		got := p.send(c.body, c.header...)
		if code, _ := got.failure(); got.status != c.status || code != c.code {
			t.Errorf("%s: got %d %s, want %d %v", name, got.status, got.raw, c.status, c.code)
		}
	}
	result, _ := p.send(good, header...).body["result"].(map[string]any)
	meta, _ := result["_meta"].(map[string]any)
	if result["resultType"] != "complete" || meta["io.modelcontextprotocol/serverInfo"] == nil {
		t.Errorf("got %v", result)
	}
}

func TestUnknownToolsAreToldTheKnownOnes(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	got := p.send(strings.Replace(whoami, "whoami", "deploy", 1))
	code, text := got.failure()
	if got.status != 200 || code != -32602 || !strings.HasPrefix(text, `There is no tool "deploy" here. The tools are: `) || !strings.Contains(text, ", whoami.") {
		t.Errorf("got %d %v %s", got.status, code, text)
	}
}

func TestAReadingAddressHasNoWrites(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	p.url += "?mode=read"
	list, _ := p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).body["result"].(map[string]any)
	for _, tool := range list["tools"].([]any) {
		if hints := tool.(map[string]any)["annotations"].(map[string]any); hints["readOnlyHint"] != true {
			t.Errorf("%v is listed", tool.(map[string]any)["name"])
		}
	}
	got := p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_workout","arguments":{"date":"today"}}}`)
	if code, text := got.failure(); code != -32602 || !strings.Contains(text, `There is no tool "create_workout" here`) {
		t.Errorf("got %s", got.raw)
	}
	if got := p.send(whoami); got.body["result"] == nil {
		t.Errorf("got %s", got.raw)
	}
}

func TestAMistypedModeIsRefused(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	for _, query := range []string{"?MODE=read", "?mode=reed", "?mode=read;x", "?mode=read&mode=write"} {
		q := p
		q.url += query
		if got := q.send(whoami); got.status != 400 {
			t.Errorf("%s: %d %s", query, got.status, got.raw)
		}
	}
}

func TestAMissingScopeIsToldAsTheClientUnderstands(t *testing.T) {
	t.Parallel()
	write := `"name":"create_workout","arguments":{"date":"today"}`
	old := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + write + `}}`
	young, header := asModern("tools/call", "create_workout", write)
	const sentence = "This tool needs the 'write' scope; this token grants: read."
	for mode, want := range map[string]struct{ old, young int }{"auto": {200, 403}, "http": {403, 403}, "result": {200, 200}} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			_, who, p := open(t, func(c *config.Config) { c.MCP.Challenge = mode })
			p.token = who.Token("read")
			for _, c := range []struct {
				got  reply
				want int
			}{{p.send(old), want.old}, {p.send(young, header...), want.young}} {
				if c.got.status != c.want {
					t.Errorf("got %d, want %d", c.got.status, c.want)
				}
				if c.got.status == 403 {
					challenge := c.got.header.Get("WWW-Authenticate")
					if code, text := c.got.failure(); code != 4031 || text != sentence || !strings.HasPrefix(challenge, `Bearer error="insufficient_scope", scope="write", resource_metadata="`) {
						t.Errorf("got %v %q %s", code, text, challenge)
					}
					continue
				}
				result := c.got.body["result"].(map[string]any)
				if result["isError"] != true || result["content"].([]any)[0].(map[string]any)["text"] != sentence {
					t.Errorf("got %s", c.got.raw)
				}
			}
		})
	}
}

func TestCallsPerGrantAreLimited(t *testing.T) {
	t.Parallel()
	_, who, p := open(t, func(c *config.Config) { c.MCP.PerSecond, c.MCP.Burst = 0.5, 2 })
	other := p
	other.token = who.Token()
	for range 2 {
		if got := p.send(whoami); got.status != 200 {
			t.Fatalf("got %d %s", got.status, got.raw)
		}
	}
	got := p.send(whoami)
	if code, _ := got.failure(); got.status != 429 || code != 4290 || got.header.Get("Retry-After") == "" {
		t.Errorf("got %d %s", got.status, got.raw)
	}
	if got := other.send(whoami); got.status != 200 {
		t.Errorf("another connection was limited too: %d", got.status)
	}
}

func TestARepeatedWriteIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	log := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_set","arguments":{"exercise":"Deadlift","weight":225,"reps":5}}}`
	first, again := p.send(log, "Idempotency-Key", "k-1"), p.send(log, "Idempotency-Key", "k-1")
	if first.header.Get("Idempotency-Replayed") != "" || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("got %q and %q", first.header.Get("Idempotency-Replayed"), again.header.Get("Idempotency-Replayed"))
	}
	a, b := first.body["result"].(map[string]any), again.body["result"].(map[string]any)
	if diff := cmp.Diff(a["structuredContent"], b["structuredContent"]); diff != "" || b["_meta"].(map[string]any)["tectonic/replayed"] != true {
		t.Errorf("-first +again\n%s\n%v", diff, b["_meta"])
	}
}
