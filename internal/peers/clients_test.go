//go:build peers

package peers

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/contract"
)

// found is what a script of peers/ reports when it is through.
type found struct {
	Version   string `json:"version"`
	Tools     int    `json:"tools"`
	Email     string `json:"email"`
	Refused   bool   `json:"refused"`   // a refusal came as a result that the model reads
	Refreshed bool   `json:"refreshed"` // a token that had run out was replaced on the way
}

// offered is how many tools the flagship has for assistants.
func offered() (n int) {
	for _, tool := range app.Catalog()[0].Tools {
		if tool.Offered(contract.OverMCPHTTP) {
			n++
		}
	}
	return n
}

// tectonic runs a command of the binary beside the running server.
func tectonic(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(product.binary, append(args, "--data", product.data)...)
	cmd.Env = environment(t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tectonic %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

var foundLine = regexp.MustCompile(`(?m)^found (\{.*\})$`)

// script runs a script of peers/ against the flagship's endpoint.
func script(t *testing.T, name string, args ...string) found {
	t.Helper()
	out := run(t, "node", append([]string{name, product.base + "/mcp"}, args...)...)
	line := foundLine.FindStringSubmatch(out.out)
	if line == nil {
		t.Fatalf("%s: exit %d:\n%s", name, out.code, out.out)
	}
	var got found
	if err := json.Unmarshal([]byte(line[1]), &got); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s %s: %s", name, strings.Join(args, " "), line[1])
	return got
}

// Every client starts with nothing but the address: it finds the
// authorization server, registers, sends the person there, comes back with a
// code, lists, calls, and goes on when its token has run out.
func TestClientsFindTheirWay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		script  []string
		version string
	}{
		"@modelcontextprotocol/sdk":                  {[]string{"sdk.mjs"}, "2025-11-25"},
		"@modelcontextprotocol/client":               {[]string{"client.mjs"}, "2025-11-25"},
		"@modelcontextprotocol/client, auto version": {[]string{"client.mjs", "auto"}, "2026-07-28"},
		"@ai-sdk/mcp":                                {[]string{"ai-sdk.mjs"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := script(t, c.script[0], c.script[1:]...)
			if diff := cmp.Diff(found{c.version, offered(), email, true, true}, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// mcp-remote is how programs that know only stdio reach a server elsewhere.
func TestMCPRemote(t *testing.T) {
	t.Parallel()
	address, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(address, ":")
	got := script(t, "mcp-remote.mjs", port)
	if diff := cmp.Diff(found{Tools: offered(), Email: email, Refused: true}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// The Inspector gets a personal token over HTTP, and over stdio starts the
// binary itself; --strict turns a schema that clients cannot take into an error.
func TestInspector(t *testing.T) {
	t.Parallel()
	token := strings.TrimSpace(tectonic(t, "oauth", "token", "create", "Inspector", "--scopes", "read write"))
	for name, where := range map[string][]string{
		"stdio": {product.binary, "mcp", "training", "--data", product.data},
		"http":  {product.base + "/mcp", "--header", "Authorization: Bearer " + token},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var list struct{ Tools []struct{ Name string } }
			said := inspect(t, 0, &list, where, "--method", "tools/list", "--strict")
			var whoami struct{ StructuredContent struct{ Email string } }
			inspect(t, 0, &whoami, where, "--method", "tools/call", "--tool-name", "whoami")
			var refused struct{ IsError bool }
			inspect(t, exitToolError, &refused, where, "--method", "tools/call", "--tool-name", "get_workout", "--tool-arg", "workout_id=987654321")

			t.Logf("inspector over %s: %d tools, %s", name, len(list.Tools), strictLine.FindString(said))
			got := found{Tools: len(list.Tools), Email: whoami.StructuredContent.Email, Refused: refused.IsError}
			if diff := cmp.Diff(found{Tools: offered(), Email: email, Refused: true}, got); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// exitToolError is how the Inspector ends when a result has isError.
const exitToolError = 5

var strictLine = regexp.MustCompile(`\d+ errors, \d+ warnings`)

// inspect runs one method, decodes what is printed and returns what was said
// beside it.
func inspect(t *testing.T, exit int, into any, where []string, args ...string) (said string) {
	t.Helper()
	got := run(t, "mcp-inspector", append(append([]string{"--cli"}, where...), args...)...)
	if got.code != exit {
		t.Fatalf("%v: exit %d, want %d:\n%s", args, got.code, exit, got.out)
	}
	if err := json.Unmarshal([]byte(got.printed), into); err != nil {
		t.Fatalf("%v: %v:\n%s", args, err, got.out)
	}
	return got.out
}
