package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
)

// plain reports whether the request is a flawless call that wants only its
// result. Everything else goes to the SDK, so that every text about a mistake
// comes from one place.
func (v *visitor) plain() bool {
	m, h := &v.m, v.r.Header
	switch {
	case m.Version != "2.0", m.Method != callTool, !isID(m.ID), m.streams(),
		m.Params.InputResponses != nil, m.Params.RequestState != nil, m.Params.Task != nil,
		!acceptsBoth(h.Values("Accept")):
		return false
	}
	if _, err := v.served().tool(m.Params.Name); err != nil {
		return false
	}
	header, meta := h.Get(versionHeader), m.metaText(metaVersion)
	if !v.modern {
		return header == "" || slices.Contains(legacy, header)
	}
	abilities := bytes.TrimSpace(m.Params.Meta[metaAbilities])
	return header == modern && meta == modern && h.Get("Mcp-Method") == callTool &&
		headerText(h.Get("Mcp-Name")) == m.Params.Name && len(abilities) > 0 && abilities[0] == '{'
}

// isID reports whether a request can have the id: a text or a whole number.
func isID(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' {
		return len(id) > 0
	}
	return (id[0] == '-' || id[0] >= '0' && id[0] <= '9') && !bytes.ContainsAny(id, ".eE")
}

func acceptsBoth(values []string) bool {
	accept := strings.Join(values, ",")
	return strings.Contains(accept, "*/*") || strings.Contains(accept, "application/json") && strings.Contains(accept, "text/event-stream")
}

// result is a CallToolResult as the SDK writes it.
type result struct {
	Meta       map[string]any  `json:"_meta,omitempty"`
	Content    []textContent   `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
	Type       string          `json:"resultType,omitempty"`
}

type textContent struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// run calls the tool and answers without the SDK.
func (v *visitor) run() {
	p := &v.m.Params
	wire, err := v.e.Gate.Call(v.r.Context(), v.who, gate.Request{
		Plate: v.e.Tools.Plate(), Tool: p.Name, Args: p.Arguments, RequestID: cmp.Or(v.r.Header.Get("Idempotency-Key"), v.m.metaText(metaRequestID)),
	})
	out := result{Meta: map[string]any{metaContract: contract.Version}}
	if err != nil {
		r := fault.From(err)
		v.e.logUnavailable(v.r.Context(), p.Name, r)
		out.IsError, out.Meta[metaRefusal], out.Content = true, r.Envelope(), []textContent{{"text", r.Sentence()}}
	} else {
		out.Structured, out.Content = wire.Structured, []textContent{{"text", wire.Text}}
		if wire.Replayed {
			out.Meta[metaReplayed] = true
			v.w.Header().Set("Idempotency-Replayed", "true")
		}
	}
	if v.modern {
		out.Type, out.Meta[metaServer] = "complete", v.e.implementation()
	}
	writeJSON(v.w, http.StatusOK, map[string]any{"jsonrpc": "2.0", "id": v.m.ID, "result": out})
}
