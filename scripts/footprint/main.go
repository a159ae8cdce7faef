// Command footprint measures the built binary from outside: its size, the
// time from start to the first answer on a new and on an existing database,
// and its resident memory, idle and while another process loads it.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	connections = 16
	loadTime    = 10 * time.Second
	starts      = 5
)

func main() {
	if err := measure(); err != nil {
		fmt.Fprintln(os.Stderr, "footprint:", err)
		os.Exit(1)
	}
}

func measure() error {
	dir, err := os.MkdirTemp("", "tectonic-footprint-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "tectonic")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, "./cmd/tectonic").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	info, err := os.Stat(binary)
	if err != nil {
		return err
	}
	fmt.Printf("binary, stripped        %.1f MiB\n", float64(info.Size())/(1<<20))

	var fresh, existing []time.Duration
	for i := range starts {
		data := filepath.Join(dir, fmt.Sprint("data", i))
		for _, list := range []*[]time.Duration{&fresh, &existing} {
			s, took, err := start(binary, data, false)
			if err != nil {
				return err
			}
			*list = append(*list, took)
			s.stop()
		}
	}
	fmt.Printf("first answer, new       %d ms (median of %d)\n", median(fresh).Milliseconds(), starts)
	fmt.Printf("first answer, existing  %d ms (median of %d)\n", median(existing).Milliseconds(), starts)
	return underLoad(binary, filepath.Join(dir, "load"))
}

func median(list []time.Duration) time.Duration {
	slices.Sort(list)
	return list[len(list)/2]
}

type server struct {
	cmd  *exec.Cmd
	base string
}

func (s *server) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may be gone already
	_ = s.cmd.Wait()
}

// start runs the server until it answers for the first time.
func start(binary, data string, demo bool) (*server, time.Duration, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, 0, err
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, 0, err
	}
	args := []string{"serve", "--data", data, "--listen", address}
	if demo {
		args = append(args, "--demo")
	}
	s := &server{cmd: exec.Command(binary, args...), base: "http://" + address}
	s.cmd.Env = []string{"HOME=" + data}
	began := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, 0, err
	}
	for deadline := began.Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if res, err := http.Get(s.base + "/welcome"); err == nil {
			_, _ = io.Copy(io.Discard, res.Body)
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return s, time.Since(began), nil
			}
		}
	}
	s.stop()
	return nil, 0, fmt.Errorf("no answer from %s", address)
}

// resident returns the memory of the process in MiB, from the kernel.
func (s *server) resident() string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return "unknown"
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(text)
	if m == nil {
		return "unknown"
	}
	var kb float64
	fmt.Sscan(string(m[1]), &kb)
	return fmt.Sprintf("%.1f MiB", kb/1024)
}

func underLoad(binary, data string) error {
	first, _, err := start(binary, data, true) // makes the demo account
	if err != nil {
		return err
	}
	first.stop()
	s, _, err := start(binary, data, false)
	if err != nil {
		return err
	}
	defer s.stop()
	time.Sleep(2 * time.Second)
	fmt.Printf("resident, idle          %s\n", s.resident())
	// One password is 64 MiB of argon2id, so the sign-in comes after the idle figure.
	session, err := signIn(s.base)
	if err != nil {
		return err
	}
	took, peak := load(s, session)
	slices.Sort(took)
	if len(took) == 0 {
		return fmt.Errorf("the load made no request")
	}
	at := func(q float64) float64 {
		return float64(took[int(q*float64(len(took)-1))]) / float64(time.Millisecond)
	}
	fmt.Printf("resident, loaded        %s (%d connections on the session page)\n", peak, connections)
	fmt.Printf("session page            %.0f requests/s, p50 %.1f ms, p99 %.1f ms\n", float64(len(took))/loadTime.Seconds(), at(0.5), at(0.99))
	return nil
}

type session struct {
	client *http.Client
	path   string
}

var sessionLink = regexp.MustCompile(`/workouts/\d+/session`)

func signIn(base string) (session, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return session{}, err
	}
	client := &http.Client{Jar: jar, Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
	res, err := client.PostForm(base+"/login", url.Values{"email": {"demo@tectonic.example"}, "password": {"lift the bar"}})
	if err != nil {
		return session{}, err
	}
	defer res.Body.Close()
	home, err := io.ReadAll(res.Body)
	if err != nil {
		return session{}, err
	}
	path := sessionLink.Find(home)
	if path == nil {
		return session{}, fmt.Errorf("the home page of the demo account has no session: %.200s", strings.TrimSpace(string(home)))
	}
	return session{client, string(path)}, nil
}

func load(s *server, with session) (took []time.Duration, peak string) {
	ctx, cancel := context.WithTimeout(context.Background(), loadTime)
	defer cancel()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range connections {
		wg.Go(func() {
			for ctx.Err() == nil {
				began := time.Now()
				res, err := with.client.Get(s.base + with.path)
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, res.Body)
				res.Body.Close()
				mu.Lock()
				took = append(took, time.Since(began))
				mu.Unlock()
			}
		})
	}
	time.Sleep(loadTime - time.Second)
	peak = s.resident()
	wg.Wait()
	return took, peak
}
