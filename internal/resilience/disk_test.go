package resilience

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/testkit"
	"tectonic/internal/testkit/product"
)

// rows counts what a tap writes: sets, request ids and the record. A refused
// tap leaves all of it as it was.
const rows = `SELECT (SELECT count(*) FROM training_sets) + (SELECT count(*) FROM training_sets WHERE is_completed)
	+ (SELECT count(*) FROM request_keys) + (SELECT count(*) FROM record_rows) + (SELECT sum(revision) FROM training_workouts)`

// SQLite's own limit of pages fails in the same place and with the same code
// as a full disk, and works on every machine.
func TestADatabaseWithoutRoomRefusesAndRecovers(t *testing.T) {
	t.Parallel()
	catalog := app.Catalog()
	testkit.Lines, testkit.Standing = app.Lines(catalog), app.Setup(catalog)
	d := testkit.DB(t)
	p := product.New(t, d)
	who := p.Person(t, "lifter@example.com")
	_, workout := who.Week()
	b := who.Browser()

	limitPages(t, d, 1) // SQLite raises it to what the file has: no page more
	path := fmt.Sprintf("/workouts/%d/sets/1/complete", workout)
	var form url.Values
	for n := range 400 { // the pages that there are fill up first
		before := number(t, d, rows)
		form = url.Values{"done": {fmt.Sprint((n + 1) % 2)}, "request_id": {id.Token(10)}}
		a := b.Post(path, form, 0)
		if a.Status == http.StatusSeeOther {
			continue
		}
		wantRefusedWrite(t, "Done", answer{a.Status, a.Header, a.Body}, nil, diskFull)
		if got := number(t, d, rows); got != before {
			t.Errorf("the refused tap left %d rows", got-before)
		}
		b.Get(fmt.Sprintf("/workouts/%d/session", workout), http.StatusOK) // reading goes on
		limitPages(t, d, 1_000_000)
		b.Post(path, form, http.StatusSeeOther)
		return
	}
	t.Error("the database never filled up")
}

func limitPages(t *testing.T, d *db.DB, pages int) {
	t.Helper()
	if _, err := d.W.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
		t.Fatal(err)
	}
}

// diskFull is what whoever taps reads.
const diskFull = "The disk is full, so nothing was changed. Whoever runs this server has to make room. Then try again."

// The real thing, where the machine lets us mount a small file system.
func TestAFullDiskRefusesAndRecovers(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	if disk == "" {
		t.Log("this machine lets us mount nothing; as root on Linux it does")
		return
	}
	p := place{data: filepath.Join(disk, "data")}
	s := p.serve(t, "--demo")
	l, d := signIn(t, s), p.open(t)
	l.must(s, "/workouts/1/sets/1/complete", url.Values{"done": {"1"}}, http.StatusSeeOther)

	filler := filepath.Join(disk, "filler")
	fill(t, filler)
	for n := range 2000 { // the log of SQLite may have room left from before
		before := number(t, d, rows)
		path, form := tap(fmt.Sprintf("/workouts/1/sets/%d/complete", n%28+1), url.Values{"weight": {fmt.Sprint(135 + n/28)}, "reps": {"4"}})
		a, err := l.post(s, path, form)
		if err == nil && a.status == http.StatusSeeOther {
			continue
		}
		wantRefusedWrite(t, "Done", a, err, diskFull)
		if got := number(t, d, rows); got != before {
			t.Errorf("the refused tap left %d rows", got-before)
		}
		if a := l.get(s, "/workouts/1/session"); a.status != http.StatusOK {
			t.Errorf("the session page: status %d", a.status)
		}
		if err := os.Remove(filler); err != nil {
			t.Fatal(err)
		}
		l.must(s, path, form, http.StatusSeeOther)
		p.must(t, "db", "check")
		return
	}
	t.Error("the disk never filled up")
}

// smallDisk mounts a file system of 8 MB in memory, or returns "".
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", "size=8m", "tectonic-test", dir).Run(); err != nil {
		return ""
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "--lazy", dir).CombinedOutput(); err != nil {
			t.Errorf("unmount: %v: %s", err, out)
		}
	})
	return dir
}

// fill writes until there is no room.
func fill(t *testing.T, file string) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := strings.Repeat("x", 4096); err == nil; {
		_, err = f.WriteString(block)
	}
}
