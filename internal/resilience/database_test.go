package resilience

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/config"
	"tectonic/internal/testkit"
	"tectonic/internal/testkit/product"
)

// engines returns the settings that choose each database: SQLite, and a fresh
// PostgreSQL database when there is a server.
func engines(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{"sqlite": nil}
	if os.Getenv("TEST_DATABASE_URL") != "" {
		all["postgres"] = []string{"DATABASE_URL=" + freshPostgres(t)}
	}
	return all
}

// freshPostgres makes an empty database that is dropped after the test.
func freshPostgres(t *testing.T) string {
	t.Helper()
	server := os.Getenv("TEST_DATABASE_URL")
	name := "tectonic_test_" + fmt.Sprint(time.Now().Unix()) + "_" + id.Token(6)
	administer(t, server, "CREATE DATABASE "+name)
	t.Cleanup(func() { administer(t, server, "DROP DATABASE "+name+" WITH (FORCE)") })
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

func administer(t *testing.T, server string, statements ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// A database that does not let anybody in: the page says so clearly, health
// says so to monitors, and everything works again by itself.
func TestALostDatabaseComesBackByItself(t *testing.T) {
	t.Parallel()
	server := os.Getenv("TEST_DATABASE_URL")
	if server == "" {
		t.Log("there is no PostgreSQL here to lose; make test/pg has one")
		return
	}
	target := freshPostgres(t)
	p := serveOn(t, "DATABASE_URL="+target)
	who := p.Person(t, "lifter@example.com")
	_, workout := who.Week()
	b := who.Browser()
	name := strings.TrimPrefix(mustParse(t, target).Path, "/")

	administer(t, server, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS false",
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"+name+"'")
	a := b.Get(fmt.Sprintf("/workouts/%d/session", workout), http.StatusServiceUnavailable)
	if !strings.Contains(a.Body, "cannot be reached right now") || a.Header.Get("Retry-After") == "" {
		t.Errorf("the page says: %.600s", a.Page(t).Find("main").Text())
	}
	if code := health(t, p); code != http.StatusServiceUnavailable {
		t.Errorf("/healthz: %d", code)
	}

	administer(t, server, "ALTER DATABASE "+name+" ALLOW_CONNECTIONS true")
	b.Get(fmt.Sprintf("/workouts/%d/session", workout), http.StatusOK)
	b.Post(fmt.Sprintf("/workouts/%d/sets/1/complete", workout), url.Values{"done": {"1"}}, http.StatusSeeOther)
	if code := health(t, p); code != http.StatusOK {
		t.Errorf("/healthz after the return: %d", code)
	}
}

func mustParse(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// serveOn returns the product on the database of the settings.
func serveOn(t *testing.T, environ ...string) *product.Product {
	t.Helper()
	c, err := config.Load(config.Inputs{Flags: map[string]string{"env": "test", "data": t.TempDir()}, Environ: environ})
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.New(t.Context(), app.Options{Config: c, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := &product.Product{App: a, Server: httptest.NewServer(a.Handler())}
	t.Cleanup(func() { p.Server.Close(); a.Close() })
	return p
}

func health(t *testing.T, p *product.Product) int {
	t.Helper()
	res, err := http.Get(p.Server.URL + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, res.Body) // only the status matters
	return res.StatusCode
}

// A disk without room: the tap is refused clearly, nothing is half written,
// and the same tap works once there is room again. The room is SQLite's own
// limit of pages, which fails in the same place and with the same code.
func TestAFullDiskRefusesAndRecovers(t *testing.T) {
	t.Parallel()
	catalog := app.Catalog()
	testkit.EachWith(t, app.Lines(catalog), app.Setup(catalog), func(t *testing.T, d *db.DB) {
		if d.Dialect != db.SQLite {
			t.Log("PostgreSQL's disk is its own")
			return
		}
		p := product.New(t, d)
		who := p.Person(t, "lifter@example.com")
		_, workout := who.Week()
		b := who.Browser()
		path := fmt.Sprintf("/workouts/%d/sets/new", workout)
		form := url.Values{"exercise_id": {"1"}, "weight": {"135"}, "reps": {"5"}, "note": {strings.Repeat("chalk ", 300)}}

		limitPages(t, d, 1) // SQLite raises it to what the file has: no page more
		refused, last := false, product.Answer{}
		for range 40 { // the pages that there are fill up first
			form.Set("request_id", id.Token(10))
			if last = b.Post(path, form, 0); last.Status == http.StatusServiceUnavailable {
				refused = true
				break
			}
		}
		if !refused || !strings.Contains(last.Body, "cannot be reached right now") {
			t.Fatalf("status %d: %.400s", last.Status, last.Page(t).Find("main").Text())
		}
		before := count(t, d)
		b.Get(fmt.Sprintf("/workouts/%d/session", workout), http.StatusOK) // reading goes on
		limitPages(t, d, 1_000_000)
		b.Post(path, form, http.StatusSeeOther)
		if got := count(t, d); got != before+1 {
			t.Errorf("%d sets after the retry, want %d", got, before+1)
		}
	})
}

func limitPages(t *testing.T, d *db.DB, pages int) {
	t.Helper()
	if _, err := d.W.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, d *db.DB) (n int) {
	t.Helper()
	if err := d.R.QueryRowContext(t.Context(), "SELECT count(*) FROM training_sets").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
