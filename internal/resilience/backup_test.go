package resilience

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// write logs sets until stop is called; logged counts those acknowledged.
func write(t *testing.T, l *lifter, s *server) (logged *atomic.Int64, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	logged = &atomic.Int64{}
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			a, err := l.post(s, "/workouts/1/sets/new", url.Values{"exercise_id": {"1"}, "weight": {"135"}, "reps": {"5"}})
			if err != nil || a.status != http.StatusSeeOther {
				t.Errorf("log a set: %d, %v", a.status, err)
				return
			}
			logged.Add(1)
		}
	})
	return logged, func() { cancel(); wg.Wait() }
}

// The steps of the guide, with a lifter who logs sets meanwhile: the copy has
// everything that was acknowledged before it began, and nothing half.
func TestBackUpAndRestoreWhileSetsAreLogged(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place) {
		s := p.serve(t, "--demo")
		l := signIn(t, s)
		logged, stop := write(t, l, s)
		defer stop()
		if !eventually(5*time.Second, func() bool { return logged.Load() >= 5 }) {
			t.Fatal("no sets were logged")
		}
		backUp, restore := backUpSQLite, restoreSQLite
		if p.database != "" {
			if _, err := exec.LookPath("pg_dump"); err != nil {
				t.Logf("PostgreSQL's tools are not here: %v", err)
				return
			}
			backUp, restore = backUpPostgres, restorePostgres
		}
		before := logged.Load()
		file := filepath.Join(t.TempDir(), "monday copy.db")
		backUp(t, p, file)
		after := logged.Load() + 1 // one may be under way
		stop()
		s.terminate()
		if code := s.exitCode(5 * time.Second); code != 0 {
			t.Fatalf("exit code %d: %s", code, &s.log)
		}

		p = restore(t, p, file)
		p.must(t, "db", "check")
		d := p.open(t)
		sets := int64(number(t, d, "SELECT count(*) FROM training_sets WHERE workout_id = 1") - 28)
		if sets < before || sets > after {
			t.Errorf("the copy has %d new sets, want %d to %d", sets, before, after)
		}
		if got := int64(number(t, d, "SELECT count(*) FROM record_rows WHERE tool = 'create_set' AND outcome = 'ok'")); got != sets {
			t.Errorf("the copy has %d rows in the record for %d sets", got, sets)
		}
		s = p.serve(t)
		l.must(s, "/workouts/1/sets/new", url.Values{"exercise_id": {"1"}, "weight": {"135"}, "reps": {"5"}}, http.StatusSeeOther)
	})
}

func backUpSQLite(t *testing.T, p place, file string) {
	t.Helper()
	p.must(t, "db", "backup", file)
	if out, code := p.run(t, "db", "backup", file); code != 2 {
		t.Errorf("a backup over another one: exit %d: %s", code, out)
	}
}

func restoreSQLite(t *testing.T, p place, file string) place {
	t.Helper()
	aside := t.TempDir()
	for _, name := range []string{"tectonic.db", "tectonic.db-wal", "tectonic.db-shm"} {
		err := os.Rename(filepath.Join(p.data, name), filepath.Join(aside, name))
		if err != nil && !os.IsNotExist(err) { // a server that was stopped leaves no companions
			t.Fatal(err)
		}
	}
	if err := os.Rename(file, filepath.Join(p.data, "tectonic.db")); err != nil {
		t.Fatal(err)
	}
	return p
}

var dumpLine = regexp.MustCompile(`pg_dump .*`)

// backUpPostgres runs the line that the command prints.
func backUpPostgres(t *testing.T, p place, file string) {
	t.Helper()
	out, code := p.run(t, "db", "backup", file)
	line := dumpLine.FindString(out)
	if code != 2 || line == "" {
		t.Fatalf("db backup on PostgreSQL: exit %d: %s", code, out)
	}
	shell(t, p, line)
}

func restorePostgres(t *testing.T, p place, file string) place {
	t.Helper()
	p.database = freshPostgres(t)
	shell(t, p, `pg_restore --dbname="$DATABASE_URL" '`+file+`'`)
	return p
}

func shell(t *testing.T, p place, line string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Env = p.environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
}
