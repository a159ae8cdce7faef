//go:build peers

package peers

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tectonic/internal/transport/mcp/conformance"
)

const (
	email    = "demo@tectonic.example"
	password = "lift the bar"
)

// product is the one server that all peers meet.
var product struct {
	binary, data, base string
}

func TestMain(m *testing.M) {
	code, err := serve(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// serve builds the binary for the suite, starts it with a demo account and
// runs the tests beside it.
func serve(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "tectonic-peers-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	product.binary, product.data = filepath.Join(dir, "tectonic"), filepath.Join(dir, "data")
	if out, err := exec.Command("go", "build", "-tags", "conformance", "-o", product.binary, "../../cmd/tectonic").CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build: %w\n%s", err, out)
	}
	address, err := freeAddress()
	if err != nil {
		return 0, err
	}
	product.base = "http://" + address
	cmd := exec.Command(product.binary, "serve", "--demo", "--data", product.data, "--listen", address)
	cmd.Env = append(environment(dir), "MCP_RATE_LIMIT=0")
	var log output
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = cmd.Process.Kill() // the tests are over
		_ = cmd.Wait()
	}()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(log.String(), "Tectonic is ready"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return 0, fmt.Errorf("the server did not start: %s", &log)
		}
	}
	code := m.Run()
	if code != 0 {
		fmt.Fprintf(os.Stderr, "the server said:\n%s", &log)
	}
	return code, nil
}

func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// environment is that of a process which must not find the settings of the
// person who runs the tests. Its Node is the one of peers/, since the suite
// and the Inspector need a newer one than Debian's.
func environment(home string) []string {
	node, err := filepath.Abs("../../peers/node_modules/node/bin")
	if err != nil {
		panic(err) // there is no working directory
	}
	return []string{"HOME=" + home, "PATH=" + node + ":" + os.Getenv("PATH"), "TZ=UTC", "CI=1", "NO_COLOR=1", "NO_UPDATE_NOTIFIER=1", "BROWSER=none"}
}

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

// fixture returns an address of the suite's endpoint that needs no token: on
// the way each request gets it, and nothing else about it is changed.
func fixture(t *testing.T) string {
	t.Helper()
	to, err := url.Parse(product.base)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host
			// The whole body first: net/http cuts the connection when the answer
			// begins while its proxy still looks for the end of the body.
			body, err := io.ReadAll(r.In.Body)
			if err == nil {
				r.Out.Body = io.NopCloser(bytes.NewReader(body))
			}
			r.Out.Header.Set("Authorization", "Bearer "+conformance.Token)
		},
		FlushInterval: -1,
		ErrorHandler:  func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }, // the suite hangs up on streams
	})
	t.Cleanup(proxy.Close)
	return proxy.URL + conformance.Path
}
