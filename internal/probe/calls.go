package probe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// calls are the checks of what an assistant does once it has a token.
var calls = []check{
	{"initialize", "P4", "the token is accepted, and a version agreed on", aToken, (*visit).initialize},
	{"unknown-version", "", "whoever asks for an unknown version is offered one", aSession, (*visit).unknownVersion},
	{"capabilities", "P31", "what is declared is served", aSession, (*visit).capabilities},
	{"tool-names", "P34", "the names of the tools suit every model", aSession, (*visit).toolNames},
	{"tool-hints", "P33", "every tool says whether it reads, destroys, repeats and reaches outside", aSession, (*visit).toolHints},
	{"tool-schemas", "P29 P32", "no schema makes a client drop the list", aSession, (*visit).toolSchemas},
	{"call", "P30", "a call of whoami has structured content", aSession, (*visit).call},
	{"progress", "P35", "a call that asks for progress has its result too", aSession, (*visit).progress},
	{"discover", "", "clients without a handshake are served (2026-07-28)", aSession, (*visit).discover},
	{"stream", "", "events come at once, and not when the stream ends", aSession, (*visit).stream},
	{"get", "P35", "GET is told 405", aSession, (*visit).getTold},
	{"batch", "", "a batch is told 400", aSession, (*visit).batch},
	{"version", "", "a later version is told which ones are served", aSession, (*visit).laterVersion},
}

const readLog = "Read the log of the server."

const (
	handshake = "2025-11-25" // the newest version with a handshake
	modern    = "2026-07-28"
)

// tool is what a client reads of a tool.
type tool struct {
	Name        string                     `json:"name"`
	Input       map[string]json.RawMessage `json:"inputSchema"`
	Output      map[string]json.RawMessage `json:"outputSchema"`
	Annotations map[string]any             `json:"annotations"`
}

// reply is a JSON-RPC response.
type reply struct {
	ID     any             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// said describes what came in a few words.
func (r reply) said(a answer) string {
	if r.Error != nil {
		return fmt.Sprintf("%d, error %d: %s", a.status, r.Error.Code, clip(r.Error.Message))
	}
	return a.said()
}

func (v *visit) post(ctx context.Context, body any, header ...string) answer {
	text, ok := body.(string)
	if !ok {
		encoded, err := json.Marshal(body)
		if err != nil {
			return answer{err: err}
		}
		text = string(encoded)
	}
	return v.send(ctx, http.MethodPost, v.endpoint(), []byte(text), append(v.credentials(), header...)...)
}

func (v *visit) credentials() []string {
	list := []string{"Authorization", "Bearer " + v.o.Token, "Content-Type", "application/json", "Accept", "application/json, text/event-stream"}
	if v.session != "" {
		list = append(list, "Mcp-Session-Id", v.session)
	}
	if v.version != "" {
		list = append(list, "MCP-Protocol-Version", v.version)
	}
	return list
}

// rpc makes a call in the manner of the version that was agreed on.
func (v *visit) rpc(ctx context.Context, method string, params any) (reply, answer) {
	a := v.post(ctx, map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	return replyIn(a), a
}

// replyIn finds the response in an answer, which may be a stream of events.
func replyIn(a answer) reply {
	if a.err != nil {
		return reply{}
	}
	for _, text := range append([][]byte{a.body}, events(a.body)...) {
		var r reply
		if json.Unmarshal(text, &r) == nil && (r.Result != nil || r.Error != nil) {
			return r
		}
	}
	return reply{}
}

// events returns the data of the events in a stream.
func events(body []byte) (list [][]byte) {
	for line := range bytes.Lines(body) {
		if data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:")); ok {
			list = append(list, bytes.TrimSpace(data))
		}
	}
	return list
}

// welcome is what a server says in the handshake.
type welcome struct {
	Version      string                     `json:"protocolVersion"`
	Capabilities map[string]json.RawMessage `json:"capabilities"`
}

func (v *visit) greet(ctx context.Context, version string) (welcome, reply, answer) {
	r, a := v.rpc(ctx, "initialize", map[string]any{
		"protocolVersion": version, "capabilities": map[string]any{}, "clientInfo": map[string]string{"name": "tectonic-doctor", "version": "1"},
	})
	var w welcome
	_ = json.Unmarshal(r.Result, &w) // without a version it counts as refused
	return w, r, a
}

func (v *visit) initialize(ctx context.Context) finding {
	w, r, a := v.greet(ctx, handshake)
	if a.status == http.StatusUnauthorized {
		return fail("401 "+challengeOf(a.header)["error_description"], "Take a token that has not ended and is for "+v.endpoint()+". With a fresh one: "+v.publicAddress())
	}
	if w.Version == "" {
		return fail("it answers "+r.said(a), readLog)
	}
	v.version, v.session, v.declared = w.Version, a.header.Get("Mcp-Session-Id"), w.Capabilities
	v.post(ctx, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return pass("version " + w.Version)
}

// unknownVersion asks for a version that nobody knows: the server must name
// one of its own instead of failing.
func (v *visit) unknownVersion(ctx context.Context) finding {
	fresh := *v
	fresh.version, fresh.session = "", ""
	w, r, a := fresh.greet(ctx, "9999")
	if w.Version == "" || w.Version == "9999" {
		return fail("it answers "+r.said(a)+" "+w.Version, "Name a version that is served.")
	}
	return pass(w.Version)
}

// lists is the method that shows that a capability is served.
var lists = map[string]string{"tools": "tools/list", "prompts": "prompts/list", "resources": "resources/list"}

func (v *visit) capabilities(ctx context.Context) finding {
	if v.declared["tools"] == nil {
		return fail("tools are not declared", "Declare them.")
	}
	for name, method := range lists {
		if v.declared[name] == nil {
			continue
		}
		if r, a := v.rpc(ctx, method, map[string]any{}); r.Result == nil {
			return fail(name+" is declared, and "+method+" answers "+r.said(a), "Declare only what is served.")
		}
	}
	return pass("")
}

// pagesMax bounds a list of tools whose cursor never ends.
const pagesMax = 50

// listed reads the tools once, all pages of them.
func (v *visit) listed(ctx context.Context) (wrong string) {
	if v.tools != nil {
		return ""
	}
	var tools []tool
	params := map[string]any{}
	for range pagesMax {
		r, a := v.rpc(ctx, "tools/list", params)
		var page struct {
			Tools []tool `json:"tools"`
			Next  string `json:"nextCursor"`
		}
		if err := json.Unmarshal(r.Result, &page); err != nil || len(page.Tools) == 0 && page.Next == "" {
			return "tools/list answers " + r.said(a)
		}
		tools = append(tools, page.Tools...)
		if params["cursor"] = page.Next; page.Next == "" {
			break
		}
	}
	v.tools = tools
	return ""
}

// each returns what is wrong with the first tool with which anything is.
func (v *visit) each(ctx context.Context, fix string, look func(tool) string) finding {
	if wrong := v.listed(ctx); wrong != "" {
		return fail(wrong, readLog)
	}
	for _, t := range v.tools {
		if wrong := look(t); wrong != "" {
			return fail(fmt.Sprintf("%q: %s", t.Name, wrong), fix)
		}
	}
	return pass(fmt.Sprintf("%d tools", len(v.tools)))
}

var toolName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func (v *visit) toolNames(ctx context.Context) finding {
	return v.each(ctx, "Use letters, digits, _ and -, at most 64.", func(t tool) string {
		if !toolName.MatchString(t.Name) {
			return "is refused by models"
		}
		return ""
	})
}

func (v *visit) toolHints(ctx context.Context) finding {
	return v.each(ctx, "Write all four hints; a missing one reads as the worst.", func(t tool) string {
		for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
			if _, written := t.Annotations[hint].(bool); !written {
				return hint + " is missing"
			}
		}
		return ""
	})
}

func (v *visit) toolSchemas(ctx context.Context) finding {
	return v.each(ctx, "Give a plain object of JSON Schema 2020-12.", func(t tool) string {
		if wrong := schemaTrouble("inputSchema", t.Input); wrong != "" || t.Output == nil {
			return wrong
		}
		return schemaTrouble("outputSchema", t.Output)
	})
}

// schemaTrouble says what of a schema makes clients drop a tool or the list.
func schemaTrouble(name string, schema map[string]json.RawMessage) string {
	if string(schema["type"]) != `"object"` {
		return name + " is not of type object"
	}
	if dialect := string(schema["$schema"]); dialect != "" && !strings.Contains(dialect, "2020-12") {
		return name + " is of another dialect: " + dialect
	}
	for _, choice := range []string{"oneOf", "anyOf", "allOf"} {
		if schema[choice] != nil {
			return name + " has " + choice + " at its top"
		}
	}
	return ""
}

// result is what comes of a tool.
type result struct {
	IsError    bool                       `json:"isError"`
	Content    []json.RawMessage          `json:"content"`
	Structured map[string]json.RawMessage `json:"structuredContent"`
}

func (v *visit) offersWhoami(ctx context.Context) bool {
	return v.listed(ctx) == "" && slices.ContainsFunc(v.tools, func(t tool) bool { return t.Name == "whoami" })
}

const whoami = "whoami"

func (v *visit) whoami(ctx context.Context, meta map[string]any) finding {
	if !v.offersWhoami(ctx) {
		return skip("the server has no tool whoami")
	}
	params := map[string]any{"name": whoami, "arguments": map[string]any{}}
	if meta != nil {
		params["_meta"] = meta
	}
	r, a := v.rpc(ctx, "tools/call", params)
	var got result
	switch {
	case json.Unmarshal(r.Result, &got) != nil:
		return fail("it answers "+r.said(a), readLog)
	case got.IsError:
		return fail("it is refused: "+clip(string(bytes.Join(rawBytes(got.Content), nil))), "See Connections for what the token may do.")
	case got.Structured == nil:
		return fail("structuredContent is missing", "A tool with an outputSchema always has it.")
	case len(got.Content) == 0:
		return fail("content is empty", "Say the same as text, for clients that read no structured content.")
	}
	return pass("")
}

func rawBytes(list []json.RawMessage) (out [][]byte) {
	for _, m := range list {
		out = append(out, m)
	}
	return out
}

func (v *visit) call(ctx context.Context) finding { return v.whoami(ctx, nil) }

func (v *visit) progress(ctx context.Context) finding {
	return v.whoami(ctx, map[string]any{"progressToken": "doctor"})
}

// without makes a call of the version that has no handshake.
func (v *visit) without(method string, params map[string]any) (body []byte, header []string) {
	params["_meta"] = map[string]any{"io.modelcontextprotocol/protocolVersion": modern, "io.modelcontextprotocol/clientCapabilities": map[string]any{}}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": "d1", "method": method, "params": params})
	if err != nil {
		panic(err) // only texts and maps are in it
	}
	return body, append(v.credentials(), "MCP-Protocol-Version", modern, "Mcp-Method", method)
}

func (v *visit) discover(ctx context.Context) finding {
	body, header := v.without("server/discover", map[string]any{})
	a := v.send(ctx, http.MethodPost, v.endpoint(), body, header...)
	r := replyIn(a)
	if r.Result == nil {
		return skip("the server answers " + r.said(a) + "; clients fall back to the handshake")
	}
	var result struct {
		Versions []string `json:"supportedVersions"`
	}
	if json.Unmarshal(r.Result, &result) != nil || !slices.Contains(result.Versions, modern) {
		return fail(fmt.Sprintf("server/discover names the versions %q", result.Versions), "Name "+modern+" among them.")
	}
	return pass("")
}

// stream opens a stream that stays open, and waits for its first event: a
// proxy that collects an answer before it passes it on never shows it.
func (v *visit) stream(ctx context.Context) finding {
	body, header := v.without("subscriptions/listen", map[string]any{"notifications": map[string]any{"toolsListChanged": true}})
	res, err := v.open(ctx, http.MethodPost, v.endpoint(), body, header...)
	if err != nil {
		return fail(err.Error(), "Let the proxy pass streams on at once: proxy_buffering off in nginx, flush_interval -1 in Caddy.")
	}
	defer res.Body.Close()
	kind := res.Header.Get("Content-Type")
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(kind, "text/event-stream") {
		return skip(fmt.Sprintf("the server opens no stream: %d %s", res.StatusCode, kind))
	}
	lines := bufio.NewReader(io.LimitReader(res.Body, bodyMax))
	for {
		line, err := lines.ReadString('\n')
		if strings.HasPrefix(line, "data:") {
			return pass("")
		}
		if err != nil {
			return fail("no event came: "+err.Error(), "Let the proxy pass streams on at once: proxy_buffering off in nginx, flush_interval -1 in Caddy.")
		}
	}
}

func (v *visit) getTold(ctx context.Context) finding {
	a := v.send(ctx, http.MethodGet, v.endpoint(), nil, append(v.credentials(), "Accept", "text/event-stream")...)
	if a.status != http.StatusMethodNotAllowed {
		return fail("it answers "+a.said(), "Answer 405, since there is no stream to open this way.")
	}
	return pass("")
}

func (v *visit) batch(ctx context.Context) finding {
	a := v.post(ctx, "["+ping+"]")
	if a.status != http.StatusBadRequest {
		return fail("it answers "+a.said(), "Batches left the protocol in 2025-06-18: answer 400.")
	}
	return pass("")
}

func (v *visit) laterVersion(ctx context.Context) finding {
	a := v.post(ctx, ping, "MCP-Protocol-Version", "2099-01-01")
	r := replyIn(a)
	if a.status != http.StatusBadRequest {
		return fail("it answers "+r.said(a), "Answer 400 and name the versions that are served.")
	}
	if r.Error == nil || !strings.Contains(string(r.Error.Data)+r.Error.Message, handshake) {
		return fail("it answers 400 without the versions that are served", "Name them in the error's data.")
	}
	return pass("")
}
