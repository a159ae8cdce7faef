package cli_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Every statement with its values: on stderr under a command, whose stdout is
// its answer.
func TestStatementLogOfACommand(t *testing.T) {
	t.Parallel()
	data := lifter(t)
	out, errs, code := run(t, "", "call training.create_workout --date 2026-01-05"+data, "DB_LOG=1")
	if code != 0 || strings.Contains(out, "INSERT") {
		t.Errorf("exit %d: %s", code, out)
	}
	if !strings.Contains(errs, "INSERT INTO training_workouts") || !strings.Contains(errs, "2026-01-05") {
		t.Errorf("the log is %s", errs)
	}
	if _, errs, _ := run(t, "", "call training.whoami"+data); errs != "" {
		t.Errorf("without DB_LOG there is a log: %s", errs)
	}
}

func TestStatementLogOfTheServer(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	p := start(t, "serve --listen "+address+" --data "+t.TempDir(), "DB_LOG=1")
	waitFor(t, func() bool { return strings.Contains(p.out.String(), "ready") })
	res, err := http.Get("http://" + address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	p.interrupt()
	p.wantCode(t, 0)
	if !strings.Contains(p.out.String(), "FROM sqlite_schema") || strings.Contains(p.errs.String(), "FROM sqlite_schema") {
		t.Errorf("stdout %s\nstderr %s", &p.out, &p.errs)
	}
}

// The operator learns why the database cannot be reached, without its password.
func TestAnUnreachableDatabaseLeavesItsCause(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"call training.whoami", "db check", "doctor", "mcp training", "serve --listen 127.0.0.1:0"} {
		out, errs, code := run(t, "", command+" --data "+t.TempDir(), "DATABASE_URL=postgres://nobody:secret-word@127.0.0.1:1/nothing?sslmode=disable")
		if code == 0 || !strings.Contains(out+errs, "connection refused") || strings.Contains(out+errs, "secret-word") {
			t.Errorf("tectonic %s: exit %d: %s%s", command, code, out, errs)
		}
	}
}

func waitFor(t *testing.T, ready func() bool, said ...fmt.Stringer) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); !ready(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it did not get ready: %s", said)
		}
	}
}
