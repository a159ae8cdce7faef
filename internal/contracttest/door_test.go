package contracttest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// door is one way to the tools of a data folder.
type door struct {
	data  string
	tools []string
	call  func(tool string, args map[string]any) []byte // the structured answer
}

func (d door) offers(tool string) bool { return slices.Contains(d.tools, tool) }

func overStdio(t *testing.T, bin, data string) door {
	t.Helper()
	session := connect(t, bin, data)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := door{data: data}
	for _, tool := range list.Tools {
		d.tools = append(d.tools, tool.Name)
	}
	d.call = func(tool string, args map[string]any) []byte {
		t.Helper()
		got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
		if err != nil {
			t.Fatalf("%s over stdio: %v", tool, err)
		}
		if got.IsError {
			t.Fatalf("%s over stdio refused: %v", tool, got.Content[0])
		}
		return encode(t, got.StructuredContent)
	}
	return d
}

// server is the real binary serving a data folder, with a personal token.
type server struct {
	t     *testing.T
	url   string
	token string
}

func serve(t *testing.T, bin, data string, environ ...string) server {
	t.Helper()
	free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	if err := free.Close(); err != nil {
		t.Fatal(err)
	}
	token := strings.TrimSpace(must(t, bin, data, "", "oauth", "token", "create", "Suite", "--scopes", "read write"))
	cmd := exec.Command(bin, "serve", "--data", data, "--listen", address)
	cmd.Env = append([]string{"HOME=" + data, "TZ=UTC", "MCP_RATE_LIMIT=0"}, environ...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil { // it says when it is ready
		t.Fatal(err)
	}
	return server{t, "http://" + address, token}
}

func (s server) post(path, body string, header map[string]string) (int, []byte) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + s.token}, "Accept": {"application/json, text/event-stream"}}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, bytes.TrimSpace(text)
}

func overAPI(t *testing.T, bin, data string) door {
	t.Helper()
	s := serve(t, bin, data)
	return door{data: data, tools: s.described(), call: func(tool string, args map[string]any) []byte {
		t.Helper()
		status, body := s.post("/api/v1/training/"+tool, string(encode(t, args)), nil)
		if status != http.StatusOK {
			t.Fatalf("%s over the API: %d %s", tool, status, body)
		}
		return body
	}}
}

// described lists the tools of the API's own document.
func (s server) described() (tools []string) {
	s.t.Helper()
	res, err := http.Get(s.url + "/api/openapi.json")
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	var document struct{ Paths map[string]any }
	if err := json.NewDecoder(res.Body).Decode(&document); err != nil {
		s.t.Fatal(err)
	}
	for path := range document.Paths {
		tools = append(tools, strings.TrimPrefix(path, "/api/v1/training/"))
	}
	return tools
}

// rpc writes a call in the manner of one era of MCP.
type rpc func(method, tool string, params map[string]any) (body string, header map[string]string)

func legacyCall(method, _ string, params map[string]any) (string, map[string]string) {
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	return string(body), map[string]string{"MCP-Protocol-Version": "2025-11-25"}
}

func modernCall(method, tool string, params map[string]any) (string, map[string]string) {
	params["_meta"] = map[string]any{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": map[string]any{}}
	body, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	header := map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
	if tool != "" {
		header["Mcp-Name"] = tool
	}
	return string(body), header
}

func overMCP(write rpc, environ ...string) func(t *testing.T, bin, data string) door {
	return func(t *testing.T, bin, data string) door {
		t.Helper()
		s := serve(t, bin, data, environ...)
		ask := func(method, tool string, params map[string]any) json.RawMessage {
			t.Helper()
			body, header := write(method, tool, params)
			status, text := s.post("/mcp", body, header)
			var reply struct{ Result json.RawMessage }
			if err := json.Unmarshal(text, &reply); err != nil || status != http.StatusOK || reply.Result == nil {
				t.Fatalf("%s %s: %d %s", method, tool, status, text)
			}
			return reply.Result
		}
		d := door{data: data}
		var list struct{ Tools []struct{ Name string } }
		if err := json.Unmarshal(ask("tools/list", "", map[string]any{}), &list); err != nil {
			t.Fatal(err)
		}
		for _, tool := range list.Tools {
			d.tools = append(d.tools, tool.Name)
		}
		d.call = func(tool string, args map[string]any) []byte {
			t.Helper()
			var result struct {
				StructuredContent json.RawMessage
				IsError           bool
			}
			raw := ask("tools/call", tool, map[string]any{"name": tool, "arguments": args})
			if err := json.Unmarshal(raw, &result); err != nil || result.IsError {
				t.Fatalf("%s: %v %s", tool, err, raw)
			}
			return result.StructuredContent
		}
		return d
	}
}
