package resilience

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestASecondStartFindsWhatTheFirstLeft(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place) {
		first := p.serve(t, "--demo")
		l := signIn(t, first)
		l.must(first, "/workouts/1/sets/1/complete", url.Values{"done": {"1"}}, http.StatusSeeOther)
		first.terminate()
		if code := first.exitCode(5 * time.Second); code != 0 {
			t.Errorf("exit code %d: %s", code, &first.log)
		}
		second := p.serve(t, "--demo")
		if a := l.get(second, "/workouts/1/session"); a.status != http.StatusOK {
			t.Errorf("the session page after the restart: %d", a.status)
		}
		d := p.open(t)
		for query, want := range map[string]int{
			"SELECT count(*) FROM accounts":                                            1,
			"SELECT count(*) FROM training_sets WHERE workout_id = 1":                  28,
			"SELECT count(*) FROM training_sets WHERE workout_id = 1 AND is_completed": 1,
			"SELECT count(*) FROM training_exercises WHERE workspace_id IS NULL":       54,
		} {
			if got := number(t, d, query); got != want {
				t.Errorf("%s: %d, want %d", query, got, want)
			}
		}
	})
}

// An older program may go on working on the tables of a newer one, such as in
// the middle of an upgrade of several nodes, but it says so.
func TestADatabaseOfANewerProgramIsReported(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place) {
		p.must(t, "db", "migrate")
		d := p.open(t)
		if _, err := d.W.ExecContext(context.WithoutCancel(t.Context()), "INSERT INTO schema_training (version_id, is_applied) VALUES (99, TRUE)"); err != nil {
			t.Fatal(err)
		}
		s := p.serve(t)
		if log := s.log.String(); !strings.Contains(log, "newer program") || !strings.Contains(log, "99") {
			t.Errorf("the start does not say that the database is newer: %s", log)
		}
		if out := p.must(t, "db", "status"); !strings.Contains(out, "00099") || !strings.Contains(out, "applied by a newer program") {
			t.Errorf("db status: %s", out)
		}
		if out, code := p.run(t, "db", "check"); code != 1 || !strings.Contains(out, "training has version 99 of a newer program") {
			t.Errorf("db check: exit %d: %s", code, out)
		}
	})
}

func TestWithoutMigratingAStartNamesTheCommand(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place) {
		p.environ = []string{"TECTONIC_MIGRATE=off"}
		out, code := p.run(t, "serve", "--listen", freeAddress(t))
		if code != 3 || !strings.Contains(out, "The database is behind") || !strings.Contains(out, "Run: tectonic db migrate") {
			t.Errorf("exit %d: %s", code, out)
		}
		p.must(t, "db", "migrate")
		p.serve(t)
	})
}

func TestAPortInUseIsRefusedWithItsCure(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	out, code := place{data: t.TempDir()}.run(t, "serve", "--listen", l.Addr().String())
	if code != 3 || !strings.Contains(out, "Cannot listen on "+l.Addr().String()) || !strings.Contains(out, "--listen HOST:PORT") {
		t.Errorf("exit %d: %s", code, out)
	}
}

func TestAnAbsentDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	p := place{data: t.TempDir(), database: "postgres://nobody:secret-word@127.0.0.1:1/nothing?sslmode=disable"}
	out, code := p.run(t, "serve", "--listen", freeAddress(t))
	if code != 7 || !strings.Contains(out, "The database cannot be reached right now") || strings.Contains(out, "secret-word") {
		t.Errorf("exit %d: %s", code, out)
	}
}
