package cli_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"tectonic/internal/cli"
)

// run calls the program as main does, with the arguments split at spaces.
func run(t *testing.T, stdin, command string, environ ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Main(context.WithoutCancel(t.Context()), cli.Process{
		Args: strings.Fields(command), Environ: environ, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs,
	})
	return out.String(), errs.String(), code
}

// must is run for a command that is expected to work; it returns stdout.
func must(t *testing.T, stdin, command string) string {
	t.Helper()
	out, errs, code := run(t, stdin, command)
	if code != 0 {
		t.Fatalf("tectonic %s: exit %d: %s%s", command, code, out, errs)
	}
	return out
}

// lifter makes an account with Block 0 in a new data folder and returns the
// flag that names it.
func lifter(t *testing.T) (data string) {
	t.Helper()
	data = " --data " + t.TempDir()
	must(t, "chalk and steel\n", "account create --email lifter@example.com --time-zone UTC"+data)
	must(t, "", "training program seed --start 2026-03-02"+data)
	return data
}
