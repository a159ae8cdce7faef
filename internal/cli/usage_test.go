package cli_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every wrong usage is told in our words, with what was perhaps meant.
func TestWrongUsage(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"srve":                               `tectonic has no command "srve". Did you mean serve? See: tectonic --help`,
		"db statu":                           `tectonic db has no command "statu". Did you mean status? See: tectonic db --help`,
		"db backup":                          `Name the file to write: tectonic db backup FILE [flags]. See: tectonic db backup --help`,
		"db backup a b":                      `tectonic db backup takes one argument, the file to write, and got 2.`,
		"mcp":                                `Name the plate: tectonic mcp PLATE [flags].`,
		"version x":                          `tectonic version takes no arguments, and got "x".`,
		"doctor --dta x":                     `tectonic doctor has no flag --dta. Did you mean --data? See: tectonic doctor --help`,
		"doctor -x":                          `tectonic doctor has no flag -x. See: tectonic doctor --help`,
		"serve --listen":                     `--listen needs a value.`,
		"account create":                     `Name the address of the account with --email`,
		"call training.get_workot":           `There is no tool "training.get_workot". Did you mean training.get_workout?`,
		"call get_workout":                   `There is no tool "get_workout". Did you mean training.get_workout?`,
		"call training.whoami --workspce 2":  `Did you mean --workspace?`,
		"call training.whoami --workspace x": `--workspace takes a whole number, and got "x".`,
		"call training.get_workout --id 3":   `has no flag --id. Did you mean --workout_id? See`,
		"call training.complete_set maybe":   `"maybe" is not a JSON object.`,
		"call training.whoami {} x":          `"x" is not a JSON object.`,
		"serve --data x --listen 127.0.0.1:99999": `the port is a number from 0 to 65535`,
		"call training.complete_set --fly high":   `tectonic call training.complete_set has no flag --fly. See`,
	} {
		out, errs, code := run(t, "", command)
		if code != 2 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("tectonic %s: exit %d: %s%s\nwant %s", command, code, out, errs, want)
		}
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	if out := must(t, "", "version"); !strings.HasPrefix(out, "tectonic 0.") {
		t.Errorf("got %s", out)
	}
}

// A yes-or-no argument may stand alone or have its value after a space.
func TestBooleanArguments(t *testing.T) {
	t.Parallel()
	data := lifter(t)
	must(t, "", "training program generate --week 1"+data)
	for _, c := range []struct{ flag, want string }{
		{"--completed", `"is_completed":true`},
		{"--completed false", `"is_completed":false`},
		{"--completed TRUE", `"is_completed":true`},
		{"--completed=no", `"is_completed":false`},
	} {
		out := must(t, "", "call training.complete_set --set_id 1 "+c.flag+" --json"+data)
		if !strings.Contains(out, c.want) {
			t.Errorf("%s answers %s, want %s", c.flag, out, c.want)
		}
	}
}

// A command on the wrong folder says which one it looked at, and does not
// make it.
func TestACommandWithoutAccountsNamesTheFolder(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"call training.whoami", "training program seed", "mcp training"} {
		data := filepath.Join(t.TempDir(), "mistyped")
		_, errs, code := run(t, "", command+" --data "+data)
		if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("tectonic %s leaves a folder behind: %v", command, err)
		}
		if code != 3 || !strings.Contains(errs, "No accounts yet in the data folder "+data+".") || !strings.Contains(errs, "tectonic account create") {
			t.Errorf("tectonic %s: exit %d: %s", command, code, errs)
		}
	}
}

// A blank text reaches the tool, which says what is wrong with it.
func TestABlankTextIsTheToolsToRefuse(t *testing.T) {
	t.Parallel()
	_, errs, code := run(t, "", "call training.create_exercise --name="+lifter(t))
	if code != 2 || errs != "An exercise needs a non-empty name.\n" {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestSeveralWorkspacesAreListed(t *testing.T) {
	t.Parallel()
	data := lifter(t)
	must(t, "chalk and steel\n", "account create --email other@example.com --workspace-name Barn"+data)
	_, errs, code := run(t, "", "call training.whoami"+data)
	if code != 2 || !strings.Contains(errs, "1 is Personal of lifter@example.com; 2 is Barn of other@example.com. Name one with --workspace, such as --workspace 1.") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
