package cli_test

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/term"
)

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
	p := startWith(t, tty, command)
	waitFor(t, func() bool { return strings.Contains(p.errs.String(), "Password: ") && state(t, tty) != shown })
	if _, err := keyboard.WriteString("chalk and steel\n"); err != nil {
		t.Fatal(err)
	}
	p.wantCode(t, 0)
	if state(t, tty) != shown {
		t.Error("what is typed is not shown afterwards")
	}
}

func TestAnInterruptedPasswordPromptRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	_, tty := newTerminal(t)
	shown := state(t, tty)
	p := startWith(t, tty, "account create --email lifter@example.com --data "+t.TempDir())
	waitFor(t, func() bool { return state(t, tty) != shown })
	p.interrupt()
	p.wantCode(t, 130)
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
		p := startWith(t, stdin, command+" --data "+t.TempDir())
		time.Sleep(100 * time.Millisecond)
		p.interrupt()
		p.wantCode(t, 130)
	}
}
