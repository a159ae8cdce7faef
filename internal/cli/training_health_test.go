package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// aFile writes a file and returns its path.
func aFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestHealthImportAndUndo(t *testing.T) {
	t.Parallel()
	data := lifter(t)
	path := aFile(t, "weights.csv", "Date,\"Weight (kg)\"\n\"2026-03-01 07:11:09\",81.64\n\"2026-02-28 07:11:09\",81.20\n")
	for _, c := range []struct{ command, want string }{
		{"import --source Body+ --dry-run " + path, "withings/Body+: 2 rows, 2 added, 0 already there, 0 conflicting, 0 rejected\n"},
		{"import --source Body+ " + path, "withings/Body+: 2 rows, 2 added, 0 already there, 0 conflicting, 0 rejected\n"},
		{"import --source Body+ " + path, "withings/Body+: 2 rows, 0 added, 2 already there, 0 conflicting, 0 rejected\n"},
		{"import --source Body+ --replace " + aFile(t, "w.csv", "Date,\"Weight (kg)\"\n\"2026-03-01 07:11:09\",82\n"), "withings/Body+: 1 rows, 0 added, 0 already there, 1 conflicting, 0 rejected\n"},
		{"undo 3", "Removed 0 reading(s). Restored the earlier value of 1.\n"},
		{"undo 1", "Removed 2 reading(s).\n"},
	} {
		if got := must(t, "", "training health "+c.command+data); got != c.want {
			t.Errorf("%s said %q, want %q", c.command, got, c.want)
		}
	}
	for _, c := range []struct {
		command string
		code    int
		says    string
	}{
		{"import /nowhere/weights.csv", 2, "Cannot read /nowhere/weights.csv: there is no such file, or it may not be opened."},
		{"import " + t.TempDir(), 2, "there is no such file, or it may not be opened."},
		{"import", 2, "the file to read"},
		{"import --unit stone " + path, 2, `Unit "stone" is not one of kg or lb.`},
		{"import --time-zone Mars/Base " + path, 2, `"Mars/Base" is not a time zone this server knows.`},
		{"import " + aFile(t, "x.csv", ""), 2, "Could not tell what kind of export this is. Choose a format."},
		{"undo 99", 4, "No import with id 99 on this account."},
		{"undo all", 2, `"all" is not the number of an import.`},
	} {
		_, errs, code := run(t, "", "training health "+c.command+data)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit %d, %q; want %d, %q", c.command, code, errs, c.code, c.says)
		}
	}
	must(t, "chalk and steel\n", "account create --email other@example.com --time-zone UTC"+data)
	_, errs, code := run(t, "", "training health import "+path+data)
	if code != 2 && code != 3 || !strings.Contains(errs, "Name one with --workspace") {
		t.Errorf("several workspaces: exit %d, %q", code, errs)
	}
	must(t, "", "training health import --workspace 2 "+path+data)
	if _, _, code := run(t, "", "training health undo --workspace 1 4"+data); code != 4 {
		t.Errorf("undo of another workspace's import: exit %d", code)
	}
}
