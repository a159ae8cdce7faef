package resilience

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var typed = regexp.MustCompile("\\./bin/tectonic ([^#`\n]*--data \\./data)")

// The commands of the README work as they are typed after make run.
func TestTheCommandsOfTheReadmeWork(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	p := place{data: filepath.Join(t.TempDir(), "data")}
	p.serve(t, "--demo")
	commands := typed.FindAllStringSubmatch(string(text), -1)
	if len(commands) < 4 {
		t.Errorf("the README has only %d commands", len(commands))
	}
	for _, c := range commands {
		cmd := exec.Command(binary(t), strings.Fields(c[1])...)
		cmd.Dir, cmd.Env = filepath.Dir(p.data), p.environment()
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", c[0], err, out)
		}
	}
}
