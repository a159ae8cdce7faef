package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Codes of JSON-RPC errors. Those of our own stay outside the ranges that the
// protocol keeps for itself.
const (
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeNoMethod       = -32601
	codeInvalidParams  = -32602
	codeLaterVersion   = -32022
	codeVersion        = 4000
	codeToken          = 4010
	codeForbidden      = 4030
	codeScope          = 4031
	codeHTTPMethod     = 4050
	codeMediaType      = 4150
	codeRate           = 4290
)

// rpcError answers with a JSON-RPC error under the id, null when it is not
// known yet.
func rpcError(w http.ResponseWriter, status int, id json.RawMessage, code int, text string) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	writeJSON(w, status, map[string]any{
		"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": text},
	})
}

// writeJSON writes the value without escaping < and >, as the SDK does.
func writeJSON(w http.ResponseWriter, status int, v any) {
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		http.Error(w, "The answer could not be written.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(body.Len()-1))
	w.WriteHeader(status)
	_, _ = w.Write(bytes.TrimSuffix(body.Bytes(), []byte("\n"))) // the reader may be gone
}

// challenge is a WWW-Authenticate header with quoted values.
type challenge struct{ parts []string }

func newChallenge() *challenge { return &challenge{} }

func (c *challenge) with(name, value string) *challenge {
	value = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, value)
	value = strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value)
	c.parts = append(c.parts, fmt.Sprintf(`%s="%s"`, name, value))
	return c
}

func (c *challenge) send(w http.ResponseWriter) {
	w.Header().Set("WWW-Authenticate", "Bearer "+strings.Join(c.parts, ", "))
}
