package cli_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Looking at a mistyped folder makes nothing there.
func TestLookingMakesNoDatabase(t *testing.T) {
	t.Parallel()
	for command, code := range map[string]int{"db backup FILE": 4, "db check": 4, "db status": 4, "doctor": 1} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			data := filepath.Join(dir, "mistyped")
			out, errs, got := run(t, "", strings.ReplaceAll(command, "FILE", filepath.Join(dir, "copy.db"))+" --data "+data)
			if got != code || !strings.Contains(out+errs, "No database at "+filepath.Join(data, "tectonic.db")+".") || !strings.Contains(out+errs, "tectonic db migrate") {
				t.Errorf("exit %d: %s%s", got, out, errs)
			}
			if made, err := os.ReadDir(dir); err != nil || len(made) > 0 {
				t.Errorf("it made %v, %v", made, err)
			}
		})
	}
}

func TestBackupOfAnEmptyDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tectonic.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "copy.db")
	_, errs, code := run(t, "", "db backup "+file+" --data "+dir)
	if code != 3 || !strings.Contains(errs, "is empty, so there is nothing to back up") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("the copy: %v", err)
	}
}

func TestServeOnAUsedPortMakesNothing(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	data := filepath.Join(t.TempDir(), "data")
	_, errs, code := run(t, "", "serve --listen "+l.Addr().String()+" --data "+data)
	if code != 3 || !strings.Contains(errs, "Cannot listen on") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if _, err := os.Stat(data); !os.IsNotExist(err) {
		t.Errorf("the data folder: %v", err)
	}
}

func TestADataFolderThatCannotBeWrittenIsNamed(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"serve --listen 127.0.0.1:0", "db migrate"} {
		_, errs, code := run(t, "", command+" --data /proc/tectonic")
		if code == 0 || !strings.Contains(errs, "/proc/tectonic") || !strings.Contains(errs, "no such file or directory") || !strings.Contains(errs, "--data") {
			t.Errorf("tectonic %s: exit %d: %s", command, code, errs)
		}
	}
}

func TestStatusSaysWhen(t *testing.T) {
	t.Parallel()
	data := " --data " + t.TempDir()
	must(t, "", "db migrate"+data)
	out := must(t, "", "db status"+data)
	today := time.Now().UTC().Format(time.DateOnly)
	if n, want := strings.Count(out, " applied "+today+" "), strings.Count(out, "\n")-1; n != want || n == 0 {
		t.Errorf("%d of %d lines say when: %s", n, want, out)
	}
}
