package web_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/web"
)

func TestUploadsAreOfOnePersonForAnHour(t *testing.T) {
	t.Parallel()
	u := &web.Uploads{Dir: filepath.Join(t.TempDir(), "uploads")}
	mira, kofi := contract.Caller{Workspace: 1, Account: 1}, contract.Caller{Workspace: 1, Account: 2}
	name, err := u.Keep(t.Context(), mira, strings.NewReader("81.64"), 100)
	if err != nil {
		t.Fatal(err)
	}
	file, err := u.Open(mira, name)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(file); err != nil || string(got) != "81.64" {
		t.Errorf("the file holds %q (%v)", got, err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	for _, other := range []struct {
		who  contract.Caller
		name string
	}{{kofi, name}, {mira, "../1-1/" + name}, {mira, ""}, {kofi, "../1-1/" + name}} {
		if _, err := u.Open(other.who, other.name); !missing(err) {
			t.Errorf("%+v opens %q: %v", other.who, other.name, err)
		}
	}
	path := filepath.Join(u.Dir, "1-1", name)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v (%v), want it private", info.Mode(), err)
	}
	late := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(path, late, late); err != nil {
		t.Fatal(err)
	}
	if _, err := u.Open(mira, name); !missing(err) {
		t.Errorf("an expired file opens: %v", err)
	}
	if n, err := u.Sweep(t.Context()); n != 1 || err != nil {
		t.Errorf("swept %d (%v), want 1", n, err)
	}
	if err := u.Drop(mira, name); err != nil {
		t.Error(err)
	}
}

func TestUploadsAreFewAndSmall(t *testing.T) {
	t.Parallel()
	u := &web.Uploads{Dir: filepath.Join(t.TempDir(), "uploads")}
	who := contract.Caller{Workspace: 1, Account: 1}
	if _, err := u.Keep(t.Context(), who, strings.NewReader("too long"), 3); err == nil || fault.From(err).Code != fault.CodeTooLarge {
		t.Errorf("a file over the limit: %v", err)
	}
	for range 5 {
		if _, err := u.Keep(t.Context(), who, strings.NewReader("abc"), 3); err != nil {
			t.Fatal(err)
		}
	}
	left, err := os.ReadDir(filepath.Join(u.Dir, "1-1"))
	if err != nil || len(left) != 3 {
		t.Errorf("%d files wait (%v), want 3", len(left), err)
	}
}

func missing(err error) bool {
	r, ok := errors.AsType[*fault.Refusal](err)
	return ok && r.Kind == fault.NotFound
}
