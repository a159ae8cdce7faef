package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tectonic/internal/cli"
)

// One signal reaches every server of this process; each says what it read.
func TestAServerReadsItsSettingsAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, ".env")
	save := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	save("SESSION_SECRET=quietquietquietquietquietquietquietquietquietquietquietquietquiet\n")
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	defer cancel()
	p := &process{interrupt: cancel, code: make(chan int, 1)}
	go func() {
		p.code <- cli.Main(ctx, cli.Process{
			Args: []string{"serve", "--listen", "127.0.0.1:0", "--data", dir}, EnvFile: file,
			Stdin: strings.NewReader(""), Stdout: &p.out, Stderr: &p.errs,
		})
	}()
	waitFor(t, func() bool { return strings.Contains(p.out.String(), "ready") })
	for _, step := range []struct{ file, says string }{
		{"MCP_WRITES_ENABLED=false\nSESSION_SECRET=hushhushhushhushhushhushhushhushhushhushhushhushhushhushhushhush\n", `changed="[MCP_WRITES_ENABLED=false]" after_a_restart=[SESSION_SECRET]`},
		{"TECTONIC_SIGNUP=perhaps\n", `the settings stay as they are`},
		{"SESSION_SECRET=hushhushhushhushhushhushhushhushhushhushhushhushhushhushhushhush\n", `changed="[MCP_WRITES_ENABLED=true]" after_a_restart=[]`},
	} {
		save(step.file)
		if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		waitFor(t, func() bool { return strings.Contains(p.errs.String(), step.says) }, &p.errs)
	}
	if strings.Contains(p.errs.String(), "hush") {
		t.Errorf("a secret is in the log: %s", &p.errs)
	}
	p.interrupt()
	p.wantCode(t, 0)
}
