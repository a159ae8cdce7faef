package cli_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

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

// screen collects what a command writes while a test reads it.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(b)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// process is a command that runs until it ends by itself or is interrupted.
type process struct {
	interrupt func()
	code      chan int
	out, errs screen
}

func start(t *testing.T, command string, environ ...string) *process {
	t.Helper()
	return startWith(t, strings.NewReader(""), command, environ...)
}

func startWith(t *testing.T, stdin io.Reader, command string, environ ...string) *process {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	t.Cleanup(cancel)
	p := &process{interrupt: cancel, code: make(chan int, 1)}
	go func() {
		p.code <- cli.Main(ctx, cli.Process{
			Args: strings.Fields(command), Environ: environ, Stdin: stdin, Stdout: &p.out, Stderr: &p.errs,
		})
	}()
	return p
}

func (p *process) wantCode(t *testing.T, want int) {
	t.Helper()
	select {
	case got := <-p.code:
		if got != want {
			t.Errorf("exit %d, want %d: %s%s", got, want, &p.out, &p.errs)
		}
	case <-time.After(5 * time.Second):
		t.Fatalf("the command still runs: %s%s", &p.out, &p.errs)
	}
}
