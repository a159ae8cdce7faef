package resilience

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"tectonic/internal/bedrock/db"
)

// hold keeps the first workout from being written to until release is called.
func hold(t *testing.T, d *db.DB) (release func()) {
	t.Helper()
	held, end, ended := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	ctx := context.WithoutCancel(t.Context())
	go func() {
		ended <- d.Write(ctx, func(tx *db.Tx) error {
			_, err := tx.ExecContext(ctx, "UPDATE training_workouts SET revision = revision WHERE id = 1")
			close(held)
			<-end
			return err
		})
	}()
	<-held
	release = sync.OnceFunc(func() {
		close(end)
		if err := <-ended; err != nil {
			t.Errorf("hold the workout: %v", err)
		}
	})
	t.Cleanup(release) // a database that is held cannot be closed
	return release
}

type outcome struct {
	answer
	err error
}

// slowTap sends Done while the workout is held and returns once the request
// has had time to reach the database.
func slowTap(l *lifter, s *server) chan outcome {
	done := make(chan outcome, 1)
	go func() {
		a, err := l.post(s, "/workouts/1/sets/1/complete", url.Values{"done": {"1"}})
		done <- outcome{a, err}
	}()
	time.Sleep(300 * time.Millisecond)
	return done
}

// refuses reports whether nobody listens at the server's address any more.
func refuses(s *server) bool {
	c, err := net.DialTimeout("tcp", s.address, time.Second)
	if err == nil {
		c.Close()
	}
	return err != nil
}

func TestAStopLetsRequestsFinishAndTakesNoNewOnes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place) {
		s := p.serve(t, "--demo")
		l, d := signIn(t, s), p.open(t)
		release := hold(t, d)
		slow := slowTap(l, s)
		s.terminate()
		if !eventually(2*time.Second, func() bool { return refuses(s) }) {
			t.Error("the server still takes new connections")
		}
		if s.ended() {
			t.Fatal("the server ended before its request")
		}
		release()
		if got := <-slow; got.err != nil || got.status != http.StatusSeeOther {
			t.Errorf("the running request: %d, %v", got.status, got.err)
		}
		if code := s.exitCode(5 * time.Second); code != 0 {
			t.Errorf("exit code %d, want 0: %s", code, &s.log)
		}
		if got := number(t, d, "SELECT count(*) FROM training_sets WHERE workout_id = 1 AND is_completed"); got != 1 {
			t.Errorf("%d sets are done, want 1", got)
		}
	})
}

// A server for real people says that it stops before it stops, so that a load
// balancer can turn away from it, and answers as usual until then.
func TestAStoppingServerIsNotReady(t *testing.T) {
	t.Parallel()
	p := place{data: t.TempDir(), environ: []string{"TECTONIC_ENV=staging", "MCP_PUBLIC_BASE_URL=http://127.0.0.1:9292"}}
	s := p.serve(t)
	l := &lifter{t: t, client: http.DefaultClient}
	if a := l.get(s, "/readyz"); a.status != http.StatusOK {
		t.Fatalf("/readyz: %d %s", a.status, a.body)
	}
	s.terminate()
	time.Sleep(500 * time.Millisecond)
	if a := l.get(s, "/readyz"); a.status != http.StatusServiceUnavailable || !strings.Contains(a.body, `"draining":"yes"`) {
		t.Errorf("/readyz of a stopping server: %d %s", a.status, a.body)
	}
	if a := l.get(s, "/login"); a.status != http.StatusOK {
		t.Errorf("/login of a stopping server: %d", a.status)
	}
	if code := s.exitCode(5 * time.Second); code != 0 {
		t.Errorf("exit code %d, want 0: %s", code, &s.log)
	}
}

// A request that does not end is cut after the limit, and the process ends
// with it: whoever stops a server does not wait for a hung database.
func TestAStopCutsARequestThatDoesNotEnd(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place) {
		s := p.serve(t, "--demo")
		l, d := signIn(t, s), p.open(t)
		hold(t, d)
		slow := slowTap(l, s)
		s.terminate()
		if code := s.exitCode(13 * time.Second); code != 1 {
			t.Errorf("exit code %d, want 1: %s", code, &s.log)
		}
		if got := <-slow; got.err == nil && got.status < 500 {
			t.Errorf("the cut request was answered with %d", got.status)
		}
		if got := number(t, d, "SELECT count(*) FROM training_sets WHERE workout_id = 1 AND is_completed"); got != 0 {
			t.Errorf("%d sets are done, want none", got)
		}
	})
}

// Whoever presses Ctrl-C twice does not want to wait.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	p := place{data: t.TempDir()}
	s := p.serve(t, "--demo")
	l := signIn(t, s)
	hold(t, p.open(t))
	slowTap(l, s)
	s.terminate()
	if !eventually(2*time.Second, func() bool { return refuses(s) }) {
		t.Error("the server still takes new connections")
	}
	s.terminate()
	s.exitCode(2 * time.Second)
}
