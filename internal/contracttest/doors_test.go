package contracttest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// binary builds the product once per run of the tests.
func binary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tectonic")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", path, "../../cmd/tectonic")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

// run executes a command of the real binary on a data folder and returns its
// standard output.
func run(t *testing.T, binary, data, stdin string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, append(args, "--data", data)...)
	cmd.Env = []string{"HOME=" + data, "TZ=UTC"}
	cmd.Stdin = strings.NewReader(stdin)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("%w: %s", err, errs.String())
	}
	return out.String(), nil
}

func must(t *testing.T, binary, data, stdin string, args ...string) string {
	t.Helper()
	out, err := run(t, binary, data, stdin, args...)
	if err != nil {
		t.Fatalf("tectonic %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// lifterData is a data folder with an account, Block 0 and its first week,
// made by the commands alone.
func lifterData(t *testing.T, binary string) string {
	t.Helper()
	data := t.TempDir()
	must(t, binary, data, "chalk and steel\n", "account", "create", "--email", "lifter@example.com", "--time-zone", "UTC")
	for _, want := range []struct {
		args []string
		says string
	}{
		{[]string{"training", "library", "load"}, "Library exercises: 0 created, 54 already present\n"},
		{[]string{"training", "program", "seed", "--start", "2026-03-02"}, "Program 1: Block 0, 4 week(s) from 2026-03-02\n"},
		{[]string{"training", "program", "seed", "--start", "2026-03-02"}, "Program 1: Block 0, 4 week(s) from 2026-03-02\n"},
		{[]string{"training", "program", "generate", "--week", "1"}, "Monday Mar 2: workout 1, 28 sets\n"},
	} {
		if got := must(t, binary, data, "", want.args...); got != want.says {
			t.Errorf("tectonic %s said %q, want %q", strings.Join(want.args, " "), got, want.says)
		}
	}
	return data
}

// twin copies a data folder of a stopped program.
func twin(t *testing.T, data string) string {
	t.Helper()
	other := t.TempDir()
	if err := os.CopyFS(other, os.DirFS(data)); err != nil {
		t.Fatal(err)
	}
	return other
}

// The same calls over every door, each on its own copy of one database, answer
// deeply equal payloads.
func TestDoorsAnswerAlike(t *testing.T) {
	t.Parallel()
	bin := binary(t)
	data := lifterData(t, bin)
	doors := map[string]door{}
	for name, open := range map[string]func(t *testing.T, bin, data string) door{
		"stdio": overStdio, "the API": overAPI,
		"MCP": overMCP(legacyCall), "MCP without a handshake": overMCP(modernCall),
		"MCP in the SDK": overMCP(legacyCall, "MCP_FAST_PATH=off"), "MCP in the SDK without a handshake": overMCP(modernCall, "MCP_FAST_PATH=off"),
	} {
		doors[name] = open(t, bin, twin(t, data))
	}
	for _, s := range steps {
		args := s.args
		if args == nil {
			args = map[string]any{}
		}
		want := call(t, bin, data, s.tool, args)
		for name, d := range doors {
			if !d.offers(s.tool) { // a tool of pages and commands: all copies stay twins
				call(t, bin, d.data, s.tool, args)
				continue
			}
			if diff := cmp.Diff(masked(t, want), masked(t, d.call(s.tool, args))); diff != "" {
				t.Errorf("%s differs (-command line +%s):\n%s", s.tool, name, diff)
			}
		}
	}
}

func connect(t *testing.T, binary, data string) *sdk.ClientSession {
	t.Helper()
	cmd := exec.Command(binary, "mcp", "training", "--data", data)
	cmd.Env = []string{"HOME=" + data, "TZ=UTC"}
	cmd.Stderr = os.Stderr
	client := sdk.NewClient(&sdk.Implementation{Name: "suite", Version: "1"}, nil)
	session, err := client.Connect(context.WithoutCancel(t.Context()), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatalf("connect over stdio: %v", err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func call(t *testing.T, binary, data, tool string, args map[string]any) []byte {
	t.Helper()
	command := []string{"call", "training." + tool, "--input", "-", "--json"}
	if file, ok := args["file"].(string); ok { // stands beside the arguments
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		command = append(command, "--file", path)
		args = maps.Clone(args)
		delete(args, "file")
	}
	return []byte(must(t, binary, data, string(encode(t, args)), command...))
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// masked decodes a payload and hides when and through what a row was made.
func masked(t *testing.T, payload []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(payload, &v); err != nil {
		t.Fatalf("payload %.200s: %v", payload, err)
	}
	return mask(v)
}

func mask(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if k == "created_at" || k == "created_by" || k == "url" { // two runs and two doors never share them
				v[k] = "masked"
				continue
			}
			v[k] = mask(e)
		}
	case []any:
		for i, e := range v {
			v[i] = mask(e)
		}
	}
	return v
}

// What assistants see of a refusal and of an unknown tool.
func TestStdioRefuses(t *testing.T) {
	t.Parallel()
	bin := binary(t)
	session := connect(t, bin, lifterData(t, bin))
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != 30 {
		t.Errorf("%d tools over stdio, want 30", len(list.Tools))
	}
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "complete_set", Arguments: map[string]any{"set_id": 999}})
	if err != nil {
		t.Fatal(err)
	}
	if text := got.Content[0].(*sdk.TextContent).Text; !got.IsError || text != "No set with id 999 on this account." {
		t.Errorf("refusal: error %v, %q", got.IsError, text)
	}
	if got.StructuredContent != nil || got.Meta["tectonic/refusal"] == nil {
		t.Errorf("a refusal is in the metadata and not in the payload: %v, %v", got.StructuredContent, got.Meta)
	}
	_, err = session.CallTool(t.Context(), &sdk.CallToolParams{Name: "fly"})
	if err == nil || !strings.Contains(err.Error(), `There is no tool "fly" here. The tools are: add_program_day, `) {
		t.Errorf("unknown tool: %v", err)
	}
}

// The exit codes of the one table, and where the words go.
func TestCommandsRefuse(t *testing.T) {
	t.Parallel()
	bin := binary(t)
	data := lifterData(t, bin)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"call", "training.complete_set", "--set_id", "999"}, 4, "No set with id 999 on this account."},
		{[]string{"call", "training.create_workout", "--date", "someday"}, 2, "Couldn't read \"someday\" as a date"},
		{[]string{"call", "training.rate_workout", "--rpe", "eleven"}, 2, "is not a whole number"},
		{[]string{"call", "training.fly"}, 2, "There is no tool"},
		{[]string{"call", "training.whoami", "--workspace", "7"}, 4, "No workspace with id 7"},
		{[]string{"training", "program", "generate", "--week", "9"}, 4, "Program 1 has no week 9; it has 4."},
		{[]string{"srve"}, 2, "serve"},
		{[]string{"mcp", "cooking"}, 2, "The plates are: training."},
		{[]string{"serve", "--listen", ":9292"}, 2, "name the host and the port"},
	} {
		cmd := exec.CommandContext(t.Context(), bin, append(c.args, "--data", data)...)
		cmd.Env = []string{"HOME=" + data, "TZ=UTC"}
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		err := cmd.Run()
		if err == nil || cmd.ProcessState.ExitCode() != c.code || !strings.Contains(errs.String(), c.says) || out.Len() > 0 {
			t.Errorf("tectonic %s: exit %d, stdout %q, stderr %q; want exit %d saying %q", strings.Join(c.args, " "), cmd.ProcessState.ExitCode(), out.String(), errs.String(), c.code, c.says)
		}
	}
}
