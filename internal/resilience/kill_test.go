package resilience

import (
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// The server is killed again and again while sets are pressed Done. Whatever
// was acknowledged is there after the restart, once.
func TestAKillLosesNothingThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	acknowledged := map[int]bool{}
	for round := range 4 {
		s := start(t, data)
		l := newLifter(t)
		l.signIn(s)
		if got := l.done(s); got < len(acknowledged) {
			t.Fatalf("round %d: %d sets are there, %d were acknowledged", round, got, len(acknowledged))
		}
		time.AfterFunc(time.Duration(20+15*round)*time.Millisecond, s.kill)
		for set := 1 + 7*round; set <= 7*round+7; set++ {
			status, _, err := l.post(s, fmt.Sprintf("/workouts/1/sets/%d/complete", set), url.Values{"done": {"1"}})
			if err != nil {
				break // the power is gone
			}
			if status == http.StatusSeeOther {
				acknowledged[set] = true
			}
		}
		s.kill()
	}
	checkSets(t, data, acknowledged)
}

func checkSets(t *testing.T, data string, acknowledged map[int]bool) {
	t.Helper()
	out, err := exec.Command(binary(t), "call", "training.get_workout", "--workout_id", "1", "--data", data).CombinedOutput()
	if err != nil {
		t.Fatalf("get_workout: %v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")[1:]
	if len(lines) != 28 {
		t.Fatalf("%d sets, want 28", len(lines))
	}
	for set := range acknowledged {
		if strings.HasSuffix(lines[set-1], "not done") {
			t.Errorf("set %d was acknowledged and is not done: %s", set, lines[set-1])
		}
	}
	if len(acknowledged) == 0 {
		t.Error("no set was acknowledged before the first kill; the test proves nothing")
	}
	if out, err := exec.Command(binary(t), "db", "check", "--data", data).CombinedOutput(); err != nil {
		t.Errorf("db check: %v\n%s", err, out)
	}
}

func TestAStopLetsRequestsFinish(t *testing.T) {
	t.Parallel()
	s := start(t, t.TempDir())
	l := newLifter(t)
	l.signIn(s)
	var wg sync.WaitGroup
	for set := 1; set <= 10; set++ {
		wg.Go(func() {
			status, _, err := l.post(s, fmt.Sprintf("/workouts/1/sets/%d/complete", set), url.Values{"done": {"1"}})
			if err == nil && status != http.StatusSeeOther {
				t.Errorf("set %d: status %d", set, status)
			}
		})
	}
	time.Sleep(5 * time.Millisecond)
	if code := s.stop(); code != 0 {
		t.Errorf("exit code %d, want 0: %s", code, s.log.String())
	}
	wg.Wait()
}

func TestSixNodesMigrateOnce(t *testing.T) {
	t.Parallel()
	for engine, environ := range engines(t) {
		t.Run(engine, func(t *testing.T) {
			data := t.TempDir()
			var wg sync.WaitGroup
			for range 6 {
				wg.Go(func() {
					if out, err := command(t, data, environ, "db", "migrate"); err != nil {
						t.Errorf("migrate: %v\n%s", err, out)
					}
				})
			}
			wg.Wait()
			out, err := command(t, data, environ, "training", "library", "load")
			if err != nil || out != "Library exercises: 0 created, 54 already present\n" {
				t.Errorf("%v: %s", err, out)
			}
			if out, err := command(t, data, environ, "db", "status"); err != nil || strings.Contains(out, "pending") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

func command(t *testing.T, data string, environ []string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(binary(t), append(args, "--data", data)...)
	cmd.Env = append([]string{"HOME=" + data, "TZ=UTC"}, environ...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
