package mcp

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// The versions of the protocol. The modern ones have no handshake: every
// request says its version.
const modern = "2026-07-28"

var (
	versions = []string{modern, "2025-11-25", "2025-06-18", "2025-03-26"} // newest first
	legacy   = versions[1:]
)

const (
	versionHeader = "MCP-Protocol-Version"
	metaVersion   = "io.modelcontextprotocol/protocolVersion"
	metaAbilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel  = "io.modelcontextprotocol/logLevel"
	metaServer    = "io.modelcontextprotocol/serverInfo"
)

// message is what the front door needs to know of a JSON-RPC message.
type message struct {
	Version string
	ID      json.RawMessage
	Method  string
	Params  params
}

// params are those of a call.
type params struct {
	Name           string
	Arguments      json.RawMessage
	Meta           map[string]json.RawMessage
	InputResponses json.RawMessage
	RequestState   json.RawMessage
	Task           json.RawMessage
}

// errTwice is a key that another one differs from by its case at most. The
// front door and the SDK might each believe another one of the two.
var errTwice = errors.New("a key of the message is there twice")

// parse reads a message by the exact names of its keys. What has another
// shape than a call is left empty, for the SDK to refuse.
func parse(text []byte) (message, error) {
	var m message
	top, err := fields(text)
	if err != nil {
		return m, err
	}
	inner, err := fields(top["params"])
	if err != nil {
		return m, err
	}
	if m.Params.Meta, err = fields(inner["_meta"]); err != nil {
		return m, err
	}
	m.ID, m.Params.Arguments = top["id"], inner["arguments"]
	m.Params.InputResponses, m.Params.RequestState, m.Params.Task = inner["inputResponses"], inner["requestState"], inner["task"]
	for raw, to := range map[string]*string{"jsonrpc": &m.Version, "method": &m.Method} {
		_ = json.Unmarshal(top[raw], to) // absent and not a text are the same
	}
	_ = json.Unmarshal(inner["name"], &m.Params.Name)
	return m, nil
}

// fields returns the members of a JSON object, none when it is something else.
func fields(raw json.RawMessage) (map[string]json.RawMessage, error) {
	if text := bytes.TrimSpace(raw); len(text) == 0 || text[0] != '{' {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	_, _ = d.Token() // the text is valid JSON, and begins an object
	members, seen := map[string]json.RawMessage{}, map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("read the keys of a message: %w", err)
		}
		key, _ := token.(string)
		folded := strings.ToLower(key)
		if seen[folded] {
			return nil, errTwice
		}
		seen[folded] = true
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, fmt.Errorf("read the member %q of a message: %w", key, err)
		}
		members[key] = value
	}
	return members, nil
}

// notification reports whether nobody waits for an answer.
func (m *message) notification() bool { return len(m.ID) == 0 }

// id is the message's id for an answer, null when it has none.
func (m *message) id() json.RawMessage {
	if len(m.ID) == 0 {
		return json.RawMessage("null")
	}
	return m.ID
}

// metaText returns a text of _meta, "" when there is none.
func (m *message) metaText(key string) string {
	var text string
	_ = json.Unmarshal(m.Params.Meta[key], &text) // absent and not a text are the same
	return text
}

// modern reports whether the message follows the rules without a handshake.
func (m *message) modern(h http.Header) bool {
	return h.Get(versionHeader) >= modern || m.metaText(metaVersion) >= modern
}

// streams reports whether the caller asked for more than the result, which
// only an event stream can carry.
func (m *message) streams() bool {
	_, progress := m.Params.Meta["progressToken"]
	_, level := m.Params.Meta[metaLogLevel]
	return m.Method == listen || progress || level
}

const (
	listen   = "subscriptions/listen"
	callTool = "tools/call"
)

var (
	everywhere = []string{"server/discover", "tools/list", callTool, listen}
	handshake  = []string{"initialize", "ping", "logging/setLevel"}
	told       = []string{"notifications/initialized", "notifications/cancelled", "notifications/progress", "notifications/roots/list_changed"}
)

// served reports whether there is such a method in the message's era.
func (m *message) served(isModern bool) bool {
	return slices.Contains(everywhere, m.Method) || slices.Contains(told, m.Method) || !isModern && slices.Contains(handshake, m.Method)
}

// headerText decodes a header value that may be wrapped as =?base64?…?=.
func headerText(v string) string {
	inner, opened := strings.CutPrefix(v, "=?base64?")
	inner, closed := strings.CutSuffix(inner, "?=")
	if !opened || !closed {
		return v
	}
	text, err := base64.StdEncoding.DecodeString(inner)
	if err != nil {
		return v
	}
	return string(text)
}
