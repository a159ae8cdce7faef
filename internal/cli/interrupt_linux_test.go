package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/term"

	"tectonic/internal/cli"
)

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

// newTerminal returns both ends of a pseudo terminal.
func newTerminal(t *testing.T) (keyboard, tty *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { keyboard.Close() })
	var unlock, n int32
	control(t, keyboard, syscall.TIOCSPTLCK, &unlock)
	control(t, keyboard, syscall.TIOCGPTN, &n)
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	return keyboard, tty
}

func control(t *testing.T, f *os.File, request uintptr, value *int32) {
	t.Helper()
	if _, _, code := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(unsafe.Pointer(value))); code != 0 {
		t.Fatal(code)
	}
}

// begin runs a command that reads stdin and returns what ends it, its exit
// code to come and what it says on stderr.
func begin(t *testing.T, stdin io.Reader, command string) (interrupt func(), code chan int, said *screen) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	t.Cleanup(cancel)
	code, said = make(chan int, 1), &screen{}
	go func() {
		code <- cli.Main(ctx, cli.Process{Args: strings.Fields(command), Stdin: stdin, Stdout: said, Stderr: said})
	}()
	return cancel, code, said
}

func wantCode(t *testing.T, code chan int, want int, said *screen) {
	t.Helper()
	select {
	case got := <-code:
		if got != want {
			t.Errorf("exit %d, want %d: %s", got, want, said)
		}
	case <-time.After(5 * time.Second):
		t.Fatalf("the command still waits: %s", said)
	}
}

func waitFor(t *testing.T, ready func() bool) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !ready(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not get ready")
		}
	}
}

func state(t *testing.T, tty *os.File) term.State {
	t.Helper()
	s, err := term.GetState(int(tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return *s
}

func TestTheTerminalDoesNotShowThePassword(t *testing.T) {
	t.Parallel()
	keyboard, tty := newTerminal(t)
	shown := state(t, tty)
	command := "account create --email lifter@example.com --data " + t.TempDir()
	_, code, said := begin(t, tty, command)
	waitFor(t, func() bool { return strings.Contains(said.String(), "Password: ") && state(t, tty) != shown })
	if _, err := keyboard.WriteString("chalk and steel\n"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, code, 0, said)
	if state(t, tty) != shown {
		t.Error("what is typed is not shown afterwards")
	}
}

func TestAnInterruptedPasswordPromptRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	_, tty := newTerminal(t)
	shown := state(t, tty)
	interrupt, code, said := begin(t, tty, "account create --email lifter@example.com --data "+t.TempDir())
	waitFor(t, func() bool { return state(t, tty) != shown })
	interrupt()
	wantCode(t, code, 130, said)
	if state(t, tty) != shown {
		t.Error("what is typed is not shown afterwards")
	}
}

func TestAnInterruptedReadOfStandardInputEndsAtOnce(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"call training.whoami --input -", "account create --email lifter@example.com"} {
		stdin, silent, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
		defer silent.Close()
		interrupt, code, said := begin(t, stdin, command+" --data "+t.TempDir())
		time.Sleep(100 * time.Millisecond)
		interrupt()
		wantCode(t, code, 130, said)
	}
}
