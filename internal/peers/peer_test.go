//go:build peers

package peers

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// limit is how long a peer may take; the longest needs half a minute.
const limit = 3 * time.Minute

// folder is where the peers live.
const folder = "../../peers"

// bin returns an installed program of peers/, or ends the test with how to
// install it.
func bin(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(folder, "node_modules", ".bin", name))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the npm packages of peers/ are missing (%s); run: cd peers && npm ci --no-audit --no-fund", name)
	}
	return path
}

// finished is what is left of a peer that ran to its end.
type finished struct {
	printed string // stdout
	out     string // stdout and stderr, line by line as they came
	code    int
}

// run starts a program of peers/ in its own home and waits for it. When it
// says where to sign in, somebody does and presses Allow.
func run(t *testing.T, name string, args ...string) finished {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	home := t.TempDir()
	cmd := exec.CommandContext(ctx, bin(t, name), args...)
	cmd.Dir, cmd.Env = folder, append(environment(home), "MCP_REMOTE_CONFIG_DIR="+home)
	cmd.WaitDelay = 5 * time.Second // for what it has started itself
	var printed output
	lines, w := io.Pipe()
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&printed, w), w
	var said string
	var reading sync.WaitGroup
	reading.Go(func() { said = attend(t, lines) })
	_ = cmd.Run() // the exit code says how it went
	w.Close()
	reading.Wait()
	return finished{printed.String(), said, cmd.ProcessState.ExitCode()}
}

// attend reads what a peer says and presses Allow at each address that it
// wants opened.
func attend(t *testing.T, lines io.Reader) (said string) {
	var text strings.Builder
	var person sync.WaitGroup
	opened := map[string]bool{}
	in := bufio.NewScanner(lines)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		fmt.Fprintln(&text, in.Text())
		if where := authorizeURL.FindString(in.Text()); where != "" && !opened[where] {
			opened[where] = true
			person.Go(func() { allow(t, where) })
		}
	}
	person.Wait()
	return text.String()
}

// authorizeURL is the address that a peer wants opened in a browser.
var authorizeURL = regexp.MustCompile(`http://[^\s"']+/authorize\?[^\s"']+`)
