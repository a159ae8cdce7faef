package resilience

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// converse gives an assistant's lines to the real binary, closes its input at
// once and returns the answers by their id, errors without an id in order.
func converse(t *testing.T, p place, lines ...string) (answers map[string]string, errors []string) {
	t.Helper()
	cmd := exec.Command(binary(t), "mcp", "training", "--data", p.data)
	cmd.Env = p.environment()
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("tectonic mcp: %v: %s", err, &errs)
	}
	answers = map[string]string{}
	for text := range strings.Lines(out.String()) {
		var a struct{ ID json.RawMessage }
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if string(a.ID) == "null" {
			errors = append(errors, text)
			continue
		}
		answers[string(a.ID)] = text
	}
	return answers, errors
}

const greeting = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"suite","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}`

func toolCall(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// A lifter's account, made by a server that has gone again.
func (p place) withLifter(t *testing.T) place {
	t.Helper()
	p.serve(t, "--demo").kill()
	return p
}

func TestALineThatIsNoMessageIsAnswered(t *testing.T) {
	t.Parallel()
	p := place{data: t.TempDir()}.withLifter(t)
	answers, errors := converse(t, p,
		"garbage", greeting, `[{"jsonrpc":"2.0","id":5,"method":"ping"}]`, "", "7", `{"id":6,"method":"ping"}`, `{"jsonrpc":"2.0","id":8,"method":9}`,
		strings.Repeat("x", 9<<20), toolCall(1, "whoami", "{}"), `{"jsonrpc":"2.0","id":2,"method":"pi`)
	if len(errors) != 5 {
		t.Fatalf("%d errors without an id, want 5: %q", len(errors), errors)
	}
	for n, code := range []string{"-32700", "-32600", "-32600", "-32600", "-32700"} {
		if !strings.Contains(errors[n], `"code":`+code) {
			t.Errorf("error %d is %s, want code %s", n, errors[n], code)
		}
	}
	for id, want := range map[string]string{`"hello"`: "protocolVersion", "6": "-32600", "8": "-32600", "1": "demo@tectonic.example"} {
		if !strings.Contains(answers[id], want) {
			t.Errorf("answer %s is %q, want %q in it", id, answers[id], want)
		}
	}
}

// An assistant that sends its calls and closes the pipe gets every answer.
func TestCallsThatRunAtTheEndOfTheInputAreAnswered(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place) {
		p = p.withLifter(t)
		lines := []string{greeting}
		for n := range 20 {
			lines = append(lines, toolCall(n, "create_set", `{"exercise":"Bench Press","weight":135,"reps":5,"date":"2026-01-05"}`))
		}
		answers, _ := converse(t, p, lines...)
		for n := range 20 {
			if a := answers[fmt.Sprint(n)]; !strings.Contains(a, "structuredContent") {
				t.Errorf("call %d is answered with %q", n, a)
			}
		}
		if got := number(t, p.open(t), "SELECT count(*) FROM training_sets AS s JOIN training_workouts AS w ON w.id = s.workout_id WHERE w.date = '2026-01-05'"); got != 20 {
			t.Errorf("%d sets, want 20", got)
		}
	})
}
