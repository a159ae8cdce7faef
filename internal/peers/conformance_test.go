//go:build peers

package peers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What a server without sessions cannot do before 2026-07-28: ask the client
// something while a call runs.
var withoutSessions = []string{"elicitation-sep1034-defaults", "elicitation-sep1330-enums", "tools-call-elicitation", "tools-call-sampling"}

// The parts of the suite's summary.
var (
	scenarioLine = regexp.MustCompile(`(?m)^(✓|✗) ([a-z0-9-]+): (\d+) passed, (\d+) failed`)
	totalLine    = regexp.MustCompile(`(?m)^Total: \d+ passed, \d+ failed`)
	unscoredLine = regexp.MustCompile(`(?m)^  [✓✗] ([a-z0-9-]+) \((extension|pending|added-after-release)\)`)
)

// verdict is what the suite says about its scenarios.
type verdict struct {
	total          string
	passed, failed []string // names of scenarios
	aside          []string // failed, and not required by the revision
}

func judge(out string) verdict {
	v := verdict{total: totalLine.FindString(out)}
	var unscored []string
	for _, m := range unscoredLine.FindAllStringSubmatch(out, -1) {
		unscored = append(unscored, m[1])
	}
	for _, m := range scenarioLine.FindAllStringSubmatch(out, -1) {
		switch failed := m[1] == "✗" || m[4] != "0"; {
		case !failed:
			v.passed = append(v.passed, m[2])
		case slices.Contains(unscored, m[2]):
			v.aside = append(v.aside, m[2])
		default:
			v.failed = append(v.failed, m[2])
		}
	}
	slices.Sort(v.failed)
	return v
}

func (v verdict) String() string {
	return fmt.Sprintf("checks %s; scenarios %d passed, %d failed %v; failed but not required: %d %v",
		strings.TrimPrefix(v.total, "Total: "), len(v.passed), len(v.failed), v.failed, len(v.aside), v.aside)
}

func TestConformanceOfTheServer(t *testing.T) {
	t.Parallel()
	for revision, c := range map[string]struct {
		options   []string
		scenarios int // that run, so that a shorter run is seen
		failed    []string
	}{
		"2026-07-28": {scenarios: 50},
		"2025-11-25": {options: []string{"--expected-failures", "conformance-2025-11-25.yml"}, scenarios: 33, failed: withoutSessions},
	} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"server", "--url", fixture(t), "--requirements", revision, "--output-dir", t.TempDir()}, c.options...)
			got := run(t, "conformance", args...)
			v := judge(got.out)
			t.Logf("conformance %s: %s", revision, v)
			if diff := cmp.Diff(c.failed, v.failed); diff != "" || got.code != 0 {
				t.Errorf("exit %d, scored scenarios that failed, -want +got:\n%s\n%s", got.code, diff, got.out)
			}
			if n := len(v.passed) + len(v.failed) + len(v.aside); n != c.scenarios {
				t.Errorf("%d scenarios ran, want %d", n, c.scenarios)
			}
			for _, name := range v.aside {
				if !strings.HasPrefix(name, "tasks-") {
					t.Errorf("%s failed: of those that are not scored only the tasks, which are not served, may", name)
				}
			}
		})
	}
}

// The suite signs in as a registered public client and walks the whole code
// grant; the person presses Allow at the address that it prints.
func TestConformanceOfTheAuthorizationServer(t *testing.T) {
	t.Parallel()
	address, err := freeAddress()
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(address, ":")
	got := run(t, "conformance", "authorization", "--url", product.base, "--client-id", register(t, "http://127.0.0.1:"+port+"/callback"),
		"--resource", product.base+"/mcp", "--port", port, "--output-dir", t.TempDir())
	v := judge(got.out)
	t.Logf("conformance authorization: %s", v)
	if got.code != 0 || len(v.failed) > 0 || v.total != "Total: 3 passed, 0 failed" {
		t.Errorf("exit %d, want three checks to pass:\n%s", got.code, got.out)
	}
}

// register adds a public client, as any program may.
func register(t *testing.T, redirect string) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"client_name": "conformance suite", "redirect_uris": []string{redirect}, "token_endpoint_auth_method": "none"})
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(product.base+"/register", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var made struct {
		ID string `json:"client_id"`
	}
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil || res.StatusCode != http.StatusCreated {
		t.Fatalf("register: %d, %v", res.StatusCode, err)
	}
	return made.ID
}
