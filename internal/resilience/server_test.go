package resilience

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

var (
	buildOnce sync.Once
	built     string
	buildErr  error
)

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(filepath.Dir(built))
	}
	os.Exit(code)
}

// binary builds the product once per run of the tests.
func binary(t *testing.T) string {
	t.Helper()
	buildOnce.Do(func() {
		dir, err := os.MkdirTemp("", "tectonic-binary-")
		if err != nil {
			buildErr = err
			return
		}
		built = filepath.Join(dir, "tectonic")
		var out []byte
		if out, buildErr = exec.Command("go", "build", "-o", built, "../../cmd/tectonic").CombinedOutput(); buildErr != nil {
			t.Logf("%s", out)
		}
	})
	if buildErr != nil {
		t.Fatalf("build: %v", buildErr)
	}
	return built
}

// server is one run of the real binary.
type server struct {
	t    *testing.T
	cmd  *exec.Cmd
	base string
	log  bytes.Buffer
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

// start serves the data folder with the demo account until it says that it is
// ready.
func start(t *testing.T, data string, environ ...string) *server {
	t.Helper()
	address := freeAddress(t)
	s := &server{t: t, base: "http://" + address, cmd: exec.Command(binary(t), "serve", "--demo", "--data", data, "--listen", address)}
	s.cmd.Env = append([]string{"HOME=" + data, "TZ=UTC"}, environ...)
	s.cmd.Stderr = &s.log
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.kill() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "Tectonic is ready") {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return s
		}
	}
	t.Fatalf("the server did not start: %s", s.log.String())
	return nil
}

// kill ends the process as a power cut would.
func (s *server) kill() {
	_ = s.cmd.Process.Kill() // it may be gone already
	_ = s.cmd.Wait()
}

// stop asks the process to end and returns its exit code.
func (s *server) stop() int {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	_ = s.cmd.Wait() // the code says how it went
	return s.cmd.ProcessState.ExitCode()
}

// lifter is a browser without script, signed in to the demo account.
type lifter struct {
	t      *testing.T
	client *http.Client
}

func newLifter(t *testing.T) *lifter {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &lifter{t: t, client: &http.Client{Jar: jar, Timeout: 20 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

func (l *lifter) signIn(s *server) {
	l.t.Helper()
	status, _, err := l.post(s, "/login", url.Values{"email": {"demo@tectonic.example"}, "password": {"lift the bar"}})
	if err != nil || status != http.StatusSeeOther {
		l.t.Fatalf("sign in: %d %v %s", status, err, s.log.String())
	}
}

func (l *lifter) post(s *server, path string, form url.Values) (status int, body string, err error) {
	return l.send(s, http.MethodPost, path, form)
}

func (l *lifter) get(s *server, path string) (status int, body string, err error) {
	return l.send(s, http.MethodGet, path, nil)
}

func (l *lifter) send(s *server, method, path string, form url.Values) (int, string, error) {
	r, err := http.NewRequestWithContext(context.WithoutCancel(l.t.Context()), method, s.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		return 0, "", err
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := l.client.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res.StatusCode, string(body), err
}

var progress = regexp.MustCompile(`aria-valuenow="(\d+)"`)

// done returns how many sets the session page counts as lifted.
func (l *lifter) done(s *server) int {
	l.t.Helper()
	status, body, err := l.get(s, "/workouts/1/session")
	if err != nil || status != http.StatusOK {
		l.t.Fatalf("session page: %d %v", status, err)
	}
	m := progress.FindStringSubmatch(body)
	if m == nil {
		l.t.Fatalf("the session page has no progress: %.300s", body)
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		l.t.Fatal(err)
	}
	return n
}
