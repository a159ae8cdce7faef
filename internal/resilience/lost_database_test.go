package resilience

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// A database that goes away: the page says so, health says so to monitors, the
// set stays as it was, and everything works again by itself.
func TestALostDatabaseComesBackByItself(t *testing.T) {
	t.Parallel()
	if os.Getenv("TEST_DATABASE_URL") == "" {
		t.Log("there is no PostgreSQL here to lose; make test/pg has one")
		return
	}
	for name, arrange := range map[string]func(*testing.T) (database string, lose, restore func()){
		"nobody is let in":               closedDatabase,
		"the server is stopped":          stoppedServer,
		"the server refuses connections": func(t *testing.T) (string, func(), func()) { return behindWire(t, (*wire).cut) },
		"the server does not answer":     func(t *testing.T) (string, func(), func()) { return behindWire(t, (*wire).mute) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			database, lose, restore := arrange(t)
			if database == "" {
				return
			}
			p := place{data: t.TempDir(), database: database, environ: []string{"TECTONIC_REQUEST_TIMEOUT=2s"}}
			s := p.serve(t, "--demo")
			l := signIn(t, s)
			l.must(s, "/workouts/1/sets/1/complete", url.Values{"done": {"1"}}, http.StatusSeeOther)
			path, form := tap("/workouts/1/sets/2/complete", url.Values{"done": {"1"}})

			lose()
			a := l.get(s, "/workouts/1/session")
			wantUnavailable(t, "the session page", a, nil)
			a, err := l.post(s, path, form)
			wantUnavailable(t, "Done", a, err)
			for address, want := range map[string]int{"/healthz": 503, "/readyz": 503, "/livez": 200} {
				if a := l.get(s, address); a.status != want {
					t.Errorf("%s without a database: %d, want %d", address, a.status, want)
				}
			}

			restore()
			if !eventually(10*time.Second, func() bool { return l.get(s, "/healthz").status == http.StatusOK }) {
				t.Fatalf("/healthz after the return: %d", l.get(s, "/healthz").status)
			}
			l.must(s, path, form, http.StatusSeeOther)
			if got := number(t, p.open(t), "SELECT count(*) FROM training_sets WHERE workout_id = 1 AND is_completed"); got != 2 {
				t.Errorf("%d sets are done, want 2", got)
			}
		})
	}
}

// closedDatabase is one that its administrator closes for everybody.
func closedDatabase(t *testing.T) (string, func(), func()) {
	t.Helper()
	database := freshPostgres(t)
	name := strings.TrimPrefix(parse(t, database).Path, "/")
	lose := func() {
		administer(t, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS false",
			"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"+name+"'")
	}
	return database, lose, func() { administer(t, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS true") }
}

// stoppedServer is a server of the test's own, which it stops and starts. It
// is "" where PostgreSQL's programs are not installed.
func stoppedServer(t *testing.T) (database string, lose, restore func()) {
	t.Helper()
	dir, err := os.MkdirTemp("", "tectonic-lost-")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	script := func(args ...string) (string, error) {
		cmd := exec.Command("../../scripts/postgres.sh", args...)
		cmd.Env = append(os.Environ(), "FSYNC=off")
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	t.Cleanup(func() {
		_, _ = script("stop", dir) // it may be stopped
		os.RemoveAll(dir)
	})
	if database, err = script("start", dir, port); err != nil {
		t.Logf("no server of our own: %v", err)
		return "", nil, nil
	}
	must := func(args ...string) func() {
		return func() {
			if out, err := script(args...); err != nil {
				t.Fatalf("postgres.sh %s: %v: %s", args[0], err, out)
			}
		}
	}
	return database, must("stop", dir), must("start", dir, port)
}

// behindWire is a fresh database at the other end of a wire that can fail.
func behindWire(t *testing.T, fail func(*wire)) (database string, lose, restore func()) {
	t.Helper()
	u := parse(t, freshPostgres(t))
	w := newWire(t, u.Host)
	u.Host = w.address
	return u.String(), func() { fail(w) }, w.mend
}

// wire forwards TCP connections to a server.
type wire struct {
	address, target string

	mu       sync.Mutex
	listener net.Listener
	muted    bool
	ends     []net.Conn
}

func newWire(t *testing.T, target string) *wire {
	t.Helper()
	w := &wire{address: freeAddress(t), target: target}
	w.mend()
	t.Cleanup(w.cut)
	return w
}

// cut ends every connection and refuses new ones.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.listener != nil {
		w.listener.Close()
		w.listener = nil
	}
	for _, c := range w.ends {
		c.Close()
	}
	w.ends = nil
}

// mute takes everything and forwards nothing, as a network that drops packets.
func (w *wire) mute() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.muted = true
}

// mend starts again with new connections.
func (w *wire) mend() {
	w.cut()
	l, err := net.Listen("tcp", w.address)
	if err != nil {
		return // the tests then see a database that stays away
	}
	w.mu.Lock()
	w.listener, w.muted = l, false
	w.mu.Unlock()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go w.connect(c)
		}
	}()
}

func (w *wire) connect(near net.Conn) {
	far, err := net.Dial("tcp", w.target)
	if err != nil {
		near.Close()
		return
	}
	w.mu.Lock()
	w.ends = append(w.ends, near, far)
	w.mu.Unlock()
	go w.forward(near, far)
	w.forward(far, near)
}

func (w *wire) forward(to, from net.Conn) {
	defer to.Close()
	_, _ = io.Copy(writer(func(b []byte) (int, error) { // it ends with its connection
		w.mu.Lock()
		muted := w.muted
		w.mu.Unlock()
		if muted {
			return len(b), nil
		}
		return to.Write(b)
	}), from)
}

type writer func([]byte) (int, error)

func (f writer) Write(b []byte) (int, error) { return f(b) }
