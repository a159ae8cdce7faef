package testkit

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
)

// Databases of tests are named prefix, Unix seconds, random text. What a
// killed run left behind is dropped after an hour.
const (
	prefix = "tectonic_test_"
	stale  = time.Hour
)

func postgresFrom(t testing.TB, server string, lines []db.Line, setup Setup, adjust []Adjust) *db.DB {
	t.Helper()
	template, err := postgresTemplates.get(key(lines, setup), func() (string, error) {
		return makePostgresTemplate(server, lines, setup)
	})
	if err != nil {
		t.Fatalf("make the PostgreSQL template: %v", err)
	}
	return open(t, db.Options{URL: createDatabase(t, server, template)}, adjust)
}

func makePostgresTemplate(server string, lines []db.Line, setup Setup) (string, error) {
	ctx := context.Background()
	if err := dropStale(ctx, server); err != nil {
		return "", err
	}
	name := newName()
	if err := run(ctx, server, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	d, err := db.Open(ctx, db.Options{URL: withDatabase(server, name)})
	if err != nil {
		return "", err
	}
	defer d.Close() // a template must have no connections
	return name, d.Migrate(ctx, lines, setup)
}

// createDatabase makes a database for one test, from a template unless that is
// "", and returns its URL.
func createDatabase(t testing.TB, server, template string) string {
	t.Helper()
	name, ctx := newName(), context.Background()
	statement := "CREATE DATABASE " + name
	if template != "" {
		statement += " TEMPLATE " + template
	}
	if err := run(ctx, server, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	t.Cleanup(func() {
		if err := run(ctx, server, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("drop the test database: %v", err)
		}
	})
	return withDatabase(server, name)
}

func newName() string {
	return prefix + strconv.FormatInt(time.Now().Unix(), 10) + "_" + id.Token(6)
}

// dropStale drops the databases of runs that ended without cleaning up.
func dropStale(ctx context.Context, server string) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return fmt.Errorf("connect to TEST_DATABASE_URL: %w", err)
	}
	defer conn.Close(ctx)
	rows, err := conn.Query(ctx, "SELECT datname FROM pg_database WHERE datname LIKE $1", prefix+"%")
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		if isStale(name, time.Now()) {
			conn.Exec(ctx, "DROP DATABASE IF EXISTS "+name) // another run may be faster
		}
	}
	return nil
}

func isStale(name string, now time.Time) bool {
	seconds, _, _ := strings.Cut(strings.TrimPrefix(name, prefix), "_")
	made, err := strconv.ParseInt(seconds, 10, 64)
	return err == nil && now.Sub(time.Unix(made, 0)) > stale
}

func run(ctx context.Context, server, statement string) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return fmt.Errorf("connect to TEST_DATABASE_URL: %w", err)
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}

func withDatabase(server, name string) string {
	u, err := url.Parse(server)
	if err != nil {
		fmt.Fprintln(os.Stderr, "TEST_DATABASE_URL is not a URL")
		return server
	}
	u.Path = "/" + name
	return u.String()
}
