package resilience

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tectonic/internal/bedrock/id"
)

// output collects what a process writes while a test reads it.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// server is one run of the real binary.
type server struct {
	t       *testing.T
	cmd     *exec.Cmd
	address string
	base    string
	said    output // stdout
	log     output // stderr
	gone    chan struct{}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// serve runs the server until it says that it is ready.
func (p place) serve(t *testing.T, flags ...string) *server {
	t.Helper()
	s := &server{t: t, address: freeAddress(t), gone: make(chan struct{})}
	s.base = "http://" + s.address
	s.cmd = exec.Command(binary(t), append([]string{"serve", "--data", p.data, "--listen", s.address}, flags...)...)
	s.cmd.Env = p.environment()
	s.cmd.Stdout, s.cmd.Stderr = &s.said, &s.log
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = s.cmd.Wait() // the tests read the exit code
		close(s.gone)
	}()
	t.Cleanup(s.kill)
	if !eventually(20*time.Second, func() bool { return s.ended() || strings.Contains(s.said.String(), "Tectonic is ready") }) || s.ended() {
		t.Fatalf("the server did not start: %s", &s.log)
	}
	return s
}

func (s *server) ended() bool {
	select {
	case <-s.gone:
		return true
	default:
		return false
	}
}

// kill ends the process without a chance to clean up.
func (s *server) kill() {
	_ = s.cmd.Process.Kill() // it may be gone already
	<-s.gone
}

func (s *server) terminate() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
}

// exitCode waits for the end of the process.
func (s *server) exitCode(limit time.Duration) int {
	s.t.Helper()
	select {
	case <-s.gone:
	case <-time.After(limit):
		s.t.Fatalf("the server still runs after %s: %s", limit, &s.log)
	}
	return s.cmd.ProcessState.ExitCode()
}

// eventually asks again until the answer is yes or the time is over.
func eventually(limit time.Duration, ask func() bool) bool {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ask() {
			return true
		}
	}
	return false
}

// lifter is a browser without script, signed in to the demo account. It keeps
// its cookie when the server starts again at another address.
type lifter struct {
	t      *testing.T
	client *http.Client
}

// answer is a response whose body has been read.
type answer struct {
	status int
	header http.Header
	body   string
}

func signIn(t *testing.T, s *server) *lifter {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	l := &lifter{t: t, client: &http.Client{
		Jar: jar, Timeout: 20 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	a, err := l.post(s, "/login", url.Values{"email": {"demo@tectonic.example"}, "password": {"lift the bar"}})
	if err != nil || a.status != http.StatusSeeOther {
		t.Fatalf("sign in: %d, %v: %s", a.status, err, &s.log)
	}
	return l
}

// tap is a form as a page holds it: sent again, it is the same request.
func tap(path string, form url.Values) (string, url.Values) {
	form.Set("request_id", id.Token(10))
	return path, form
}

func (l *lifter) post(s *server, path string, form url.Values) (answer, error) {
	return l.send(s, http.MethodPost, path, form)
}

// get asks for a page; no answer at all ends the test.
func (l *lifter) get(s *server, path string) answer {
	l.t.Helper()
	a, err := l.send(s, http.MethodGet, path, nil)
	if err != nil {
		l.t.Fatalf("%s: %v", path, err)
	}
	return a
}

// must posts a form and expects the status.
func (l *lifter) must(s *server, path string, form url.Values, status int) answer {
	l.t.Helper()
	a, err := l.post(s, path, form)
	if err != nil || a.status != status {
		l.t.Fatalf("%s: status %d, %v, want %d\n%.1500s", path, a.status, err, status, a.body)
	}
	return a
}

func (l *lifter) send(s *server, method, path string, form url.Values) (answer, error) {
	r, err := http.NewRequestWithContext(context.WithoutCancel(l.t.Context()), method, s.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return answer{}, err
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := l.client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, string(body)}, err
}

// wantUnavailable checks the page of a database that cannot be reached.
func wantUnavailable(t *testing.T, what string, a answer, err error) {
	t.Helper()
	wantRefusedWrite(t, what, a, err, "The database cannot be reached right now, so nothing was changed. Try again in a moment.")
}

// wantRefusedWrite expects a tap that was not stored to be told why.
func wantRefusedWrite(t *testing.T, what string, a answer, err error, says string) {
	t.Helper()
	if err != nil || a.status != http.StatusServiceUnavailable {
		t.Fatalf("%s: status %d, %v, want 503\n%.1500s", what, a.status, err, a.body)
	}
	if !strings.Contains(a.body, says) {
		t.Errorf("%s does not say what is wrong: %.1500s", what, a.body)
	}
	if a.header.Get("Retry-After") == "" {
		t.Errorf("%s has no Retry-After", what)
	}
}
