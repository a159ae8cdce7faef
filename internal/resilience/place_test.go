package resilience

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
)

var (
	buildOnce sync.Once
	built     string
	buildErr  error
)

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(filepath.Dir(built))
	}
	os.Exit(code)
}

// binary builds the product once per run of the tests.
func binary(t *testing.T) string {
	t.Helper()
	buildOnce.Do(func() {
		dir, err := os.MkdirTemp("", "tectonic-binary-")
		if err != nil {
			buildErr = err
			return
		}
		built = filepath.Join(dir, "tectonic")
		if out, err := exec.Command("go", "build", "-o", built, "../../cmd/tectonic").CombinedOutput(); err != nil {
			buildErr = fmt.Errorf("%w\n%s", err, out)
		}
	})
	if buildErr != nil {
		t.Fatalf("build: %v", buildErr)
	}
	return built
}

// place is where one product keeps its data.
type place struct {
	data     string
	database string // URL of PostgreSQL; "" = SQLite in the data folder
	environ  []string
}

// each runs fn with an empty database on SQLite and, when TEST_DATABASE_URL is
// set, with one on PostgreSQL.
func each(t *testing.T, fn func(*testing.T, place)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		fn(t, place{data: t.TempDir()})
	})
	if os.Getenv("TEST_DATABASE_URL") != "" {
		t.Run("postgres", func(t *testing.T) {
			t.Parallel()
			fn(t, place{data: t.TempDir(), database: freshPostgres(t)})
		})
	}
}

// freshPostgres makes an empty database that is dropped after the test.
func freshPostgres(t *testing.T) string {
	t.Helper()
	name := fmt.Sprintf("tectonic_test_%d_%s", time.Now().Unix(), id.Token(6))
	administer(t, "CREATE DATABASE "+name)
	t.Cleanup(func() { administer(t, "DROP DATABASE "+name+" WITH (FORCE)") })
	u := parse(t, os.Getenv("TEST_DATABASE_URL"))
	u.Path = "/" + name
	return u.String()
}

func parse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// administer runs statements on the server of TEST_DATABASE_URL.
func administer(t *testing.T, statements ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, os.Getenv("TEST_DATABASE_URL"))
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

func (p place) environment() []string {
	env := append([]string{"HOME=" + p.data, "PATH=" + os.Getenv("PATH"), "TZ=UTC"}, p.environ...)
	if p.database != "" {
		env = append(env, "DATABASE_URL="+p.database)
	}
	return env
}

// run executes a command of the real binary and returns what it printed, on
// stdout and stderr together, and its exit code.
func (p place) run(t *testing.T, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(binary(t), append(args, "--data", p.data)...)
	cmd.Env = p.environment()
	out, _ := cmd.CombinedOutput() // the exit code says how it went
	return string(out), cmd.ProcessState.ExitCode()
}

// must is run for a command that is expected to work.
func (p place) must(t *testing.T, args ...string) string {
	t.Helper()
	out, code := p.run(t, args...)
	if code != 0 {
		t.Fatalf("tectonic %s: exit %d: %s", strings.Join(args, " "), code, out)
	}
	return out
}

// open returns a second handle on the database, to look at it.
func (p place) open(t *testing.T) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), db.Options{URL: p.database, Path: filepath.Join(p.data, "tectonic.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

// column returns one column of a query as text, in its order.
func column(t *testing.T, d *db.DB, query string) (values []string) {
	t.Helper()
	rows, err := d.R.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	if err := rows.Err(); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return values
}

// number returns the one figure of a query.
func number(t *testing.T, d *db.DB, query string) (n int) {
	t.Helper()
	if err := d.R.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}
