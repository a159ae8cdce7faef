package mcp_test

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/config"
)

// The pitfalls are what real clients were seen to stumble over, by the number
// of docs/reference/pitfalls.md; those of the authorization server are tested there.

// tools returns what tools/list answers.
func (p peer) tools() []map[string]any {
	p.t.Helper()
	result, _ := p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).body["result"].(map[string]any)
	list, _ := result["tools"].([]any)
	tools := make([]map[string]any, len(list))
	for i, tool := range list {
		tools[i] = tool.(map[string]any)
	}
	if len(tools) == 0 {
		p.t.Fatal("no tools are listed")
	}
	return tools
}

func TestP19AMissingScopeIsReadableByOldClients(t *testing.T) {
	t.Parallel()
	_, who, p := open(t)
	p.token = who.Token("read")
	got := p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_workout","arguments":{"date":"today"}}}`)
	result, _ := got.body["result"].(map[string]any)
	if got.status != http.StatusOK || result["isError"] != true || !strings.Contains(got.raw, "needs the 'write' scope") {
		t.Errorf("got %d %s", got.status, got.raw)
	}
}

func TestP21BrowsersCanReadTheChallenge(t *testing.T) {
	t.Parallel()
	_, _, p := open(t, func(c *config.Config) { c.MCP.Origins = []string{"http://localhost:6274"} })
	got := p.send(whoami, "Origin", "http://localhost:6274", "Authorization", "")
	if got.status != 401 || !strings.Contains(got.header.Get("Access-Control-Expose-Headers"), "WWW-Authenticate") {
		t.Errorf("got %d %v", got.status, got.header)
	}
}

func TestP24ThePublicHostIsImpliedAndOthersAreNamed(t *testing.T) {
	t.Parallel()
	app, _, p := open(t, func(c *config.Config) { c.PublicURL = "https://log.example" })
	if got := p.send(whoami, "Host", "log.example"); got.status != 200 {
		t.Errorf("the public host: %d %s", got.status, got.raw)
	}
	if got := p.send(whoami, "Host", "internal:10000"); got.status != 403 {
		t.Errorf("another host: %d", got.status)
	}
	trouble := app.Troubles.Latest()
	if len(trouble) != 1 || trouble[0].Setting != "MCP_ALLOWED_HOSTS" || trouble[0].What != "internal:10000" {
		t.Errorf("the owner is told %+v", trouble)
	}
}

func TestP26TheSlashAtTheEndDoesNotMatter(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	p.url += "/"
	if got := p.send(whoami); got.status != 200 || got.body["result"] == nil {
		t.Errorf("got %d %s", got.status, got.raw)
	}
}

func TestP29OutputSchemasAreObjects(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	for _, tool := range p.tools() {
		for _, name := range []string{"inputSchema", "outputSchema"} {
			if schema, _ := tool[name].(map[string]any); schema["type"] != "object" {
				t.Errorf("%v: %s is %v", tool["name"], name, schema["type"])
			}
		}
	}
}

func TestP30ASuccessHasStructuredContent(t *testing.T) {
	t.Parallel()
	_, who, p := open(t)
	who.Week()
	for _, call := range []string{`"whoami","arguments":{}`, `"list_workouts","arguments":{}`, `"create_workout","arguments":{"date":"today"}`} {
		got := p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":` + call + `}}`)
		result, _ := got.body["result"].(map[string]any)
		if _, is := result["structuredContent"].(map[string]any); !is || result["isError"] == true {
			t.Errorf("%s: %s", call, got.raw)
		}
	}
}

func TestP31EveryDeclaredCapabilityIsServed(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	got := p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	result, _ := got.body["result"].(map[string]any)
	for capability := range result["capabilities"].(map[string]any) {
		if listed := p.send(`{"jsonrpc":"2.0","id":1,"method":"` + capability + `/list"}`); listed.body["result"] == nil {
			t.Errorf("%s is declared and answers %s", capability, listed.raw)
		}
	}
}

func TestP32SchemasAreOfNoOtherDialect(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	for _, tool := range p.tools() {
		for _, name := range []string{"inputSchema", "outputSchema"} {
			schema, _ := tool[name].(map[string]any)
			for _, word := range []string{"$schema", "oneOf", "anyOf", "allOf", "not"} {
				if _, there := schema[word]; there {
					t.Errorf("%v: %s has %s at its top", tool["name"], name, word)
				}
			}
			if text, _ := json.Marshal(schema); regexp.MustCompile(`"\$ref":"[^#]`).Match(text) {
				t.Errorf("%v: %s refers to another document", tool["name"], name)
			}
		}
	}
}

func TestP33AllHintsAreWritten(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	for _, tool := range p.tools() {
		hints, _ := tool["annotations"].(map[string]any)
		for _, name := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if _, is := hints[name].(bool); !is {
				t.Errorf("%v has no %s", tool["name"], name)
			}
		}
		if tool["title"] == "" || hints["title"] != tool["title"] {
			t.Errorf("%v: titles %v and %v", tool["name"], tool["title"], hints["title"])
		}
	}
}

func TestP34NamesAreThoseThatModelsTake(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	allowed := regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)
	for _, tool := range p.tools() {
		if name, _ := tool["name"].(string); !allowed.MatchString(name) {
			t.Errorf("%q", name)
		}
	}
	if _, err := contract.NewRegistry("p", []string{"read"}, contract.Tool{Spec: contract.Spec{Name: "a.b"}}); err == nil {
		t.Error("a name with a dot was taken")
	}
}

func TestP35WhoAsksForProgressGetsTheResultToo(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	got := p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{},"_meta":{"progressToken":1}}}`)
	if !strings.HasPrefix(got.header.Get("Content-Type"), "text/event-stream") || !strings.Contains(got.raw, `"result"`) {
		t.Errorf("got %v %s", got.header, got.raw)
	}
}

func TestP37ThereIsAlwaysAFlowForPeople(t *testing.T) {
	t.Parallel()
	app, _, _ := open(t)
	res, err := http.Get(app.Server.URL + "/.well-known/oauth-authorization-server")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Grants []string `json:"grant_types_supported"`
	}
	if err := json.Unmarshal(text, &document); err != nil || !slices.Contains(document.Grants, "authorization_code") || !slices.Contains(document.Grants, "client_credentials") {
		t.Errorf("got %s, %v", text, err)
	}
}
