package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // registers the driver "sqlite"

	"tectonic/internal/bedrock/fault"
)

// Options say which database to open and how.
type Options struct {
	URL          string           // postgres://…; empty means SQLite
	Path         string           // the SQLite file; made when absent, unless MustExist
	MustExist    bool             // SQLite: refuse a file that is not there
	Sync         string           // SQLite: "full" (default: a commit survives power loss) or "normal"
	Pool         int              // connections; 0 means max(4, cores), or pool_max_conns of URL
	DirectURL    string           // PostgreSQL without a pooler, for migrations; empty means URL
	StatementLog *slog.Logger     // logs every statement of a transaction with its values; nil is off
	Now          func() time.Time // the clock; nil means time.Now
}

// DB is an open database. W and R are one pool on PostgreSQL; on SQLite they
// are the one writer and the readers.
type DB struct {
	Dialect Dialect
	W, R    *sql.DB
	Pool    *pgxpool.Pool // nil on SQLite

	options     Options
	commitLimit time.Duration
	kept        map[*sql.DB]*statements // per pool; nil on PostgreSQL
}

// Open connects, and on SQLite creates the file with its folder, unless it
// must exist: then a file that is not there is a not_found refusal. A database
// that cannot be reached is a db_unavailable refusal. Close it when done.
func Open(ctx context.Context, o Options) (*DB, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	open := openSQLite
	if o.URL != "" {
		open = openPostgres
	}
	d, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	d.commitLimit = commitLimit
	if err := d.Ping(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func openPostgres(ctx context.Context, o Options) (*DB, error) {
	config, err := pgxpool.ParseConfig(o.URL)
	if err != nil {
		return nil, fmt.Errorf("parse the database URL: %w", err)
	}
	if o.Pool > 0 {
		config.MaxConns = int32(o.Pool)
	}
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("make the database pool: %w", err)
	}
	both := stdlib.OpenDBFromPool(pool)
	return &DB{Dialect: Postgres, W: both, R: both, Pool: pool, options: o}, nil
}

func openSQLite(ctx context.Context, o Options) (*DB, error) {
	if o.Path == "" {
		return nil, fmt.Errorf("open database: neither a URL nor a file is named")
	}
	if err := o.ensureFile(); err != nil {
		return nil, err
	}
	writer, err := sql.Open("sqlite", writerDSN(o))
	if err != nil {
		return nil, fmt.Errorf("open %s for writing: %w", o.Path, err)
	}
	// One connection: a second would turn waiting into SQLITE_BUSY.
	writer.SetMaxOpenConns(1)
	writer.SetMaxIdleConns(1)
	// The writer comes first: it turns on WAL, which readers then find.
	if err := turnOnWAL(ctx, writer); err != nil {
		writer.Close()
		return nil, named(o.Path, translate(ctx, fmt.Errorf("open %s: %w", o.Path, err), opening))
	}
	readers, err := sql.Open("sqlite", readerDSN(o))
	if err != nil {
		writer.Close()
		return nil, fmt.Errorf("open %s for reading: %w", o.Path, err)
	}
	n := o.Pool
	if n <= 0 {
		n = max(4, runtime.NumCPU())
	}
	readers.SetMaxOpenConns(n)
	readers.SetMaxIdleConns(n)
	kept := map[*sql.DB]*statements{writer: newStatements(writer), readers: newStatements(readers)}
	return &DB{Dialect: SQLite, W: writer, R: readers, kept: kept, options: o}, nil
}

// turnOnWAL opens the writer's connection. Several processes that turn WAL on
// at once do not wait for each other as writers do, so each tries again.
func turnOnWAL(ctx context.Context, writer *sql.DB) error {
	for attempt := 0; ; attempt++ {
		err := writer.PingContext(ctx)
		if err == nil || !retryable(err) || attempt == 20 || !sleep(ctx, 50*time.Millisecond) {
			return err
		}
	}
}

// ensureFile makes the file, or refuses when it must be there and is not.
func (o Options) ensureFile() error {
	if o.MustExist {
		if _, err := os.Stat(o.Path); errors.Is(err, fs.ErrNotExist) {
			return fault.Missing("No database at %s.", o.Path).
				Next("Name another data folder with --data, or make a database there with: tectonic db migrate").Because(err)
		}
	}
	if err := createPrivate(o.Path); err != nil {
		return named(o.Path, fault.NotReachable(fmt.Errorf("create %s: %w", o.Path, err)))
	}
	return nil
}

// named puts the file and the cause into the refusal of a database that
// cannot be opened: whoever starts a program must know which file it is.
func named(path string, err error) error {
	r, ok := errors.AsType[*fault.Refusal](err)
	if !ok || r.Code != fault.CodeDBUnavailable || r.Cause == nil || retryable(r.Cause) {
		return err
	}
	r.Message = fmt.Sprintf("The database %s cannot be opened: %s.", path, innermost(r.Cause))
	r.Remedy = "Make its folder one that you can write in, or name another data folder with --data."
	return r
}

// innermost returns the last error of a chain, which says why in few words.
func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// createPrivate makes the file readable by its owner only; SQLite gives its
// companions the same mode.
func createPrivate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// Settings of every SQLite connection. Times are written as integers, a
// misspelt column in double quotes is an error and not a text, and a parent
// row with children cannot go.
func sqliteDSN(path string, more url.Values) string {
	q := url.Values{
		"_time_integer_format": {"unix_micro"},
		"_dqs":                 {"0"},
		"_busy_timeout":        {"10000"},
		"_foreign_keys":        {"1"},
		"_pragma":              {"cache_size(-32000)", "mmap_size(268435456)", "temp_store(memory)"},
	}
	for k, v := range more {
		q[k] = v
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

func writerDSN(o Options) string {
	sync := "FULL"
	if o.Sync == "normal" {
		sync = "NORMAL"
	}
	return sqliteDSN(o.Path, url.Values{"_txlock": {"immediate"}, "_journal_mode": {"WAL"}, "_synchronous": {sync}})
}

func readerDSN(o Options) string {
	return sqliteDSN(o.Path, url.Values{"_txlock": {"deferred"}, "_query_only": {"1"}})
}

// Now returns the clock's time: UTC, cut to microseconds.
func (d *DB) Now() time.Time { return d.options.Now().UTC().Truncate(time.Microsecond) }

// Ping reads from the database, past connections that died while they were
// idle. A database that does not answer is a db_unavailable refusal.
func (d *DB) Ping(ctx context.Context) error {
	query := "SELECT 1"
	if d.Dialect == SQLite {
		query = "SELECT count(*) FROM sqlite_schema" // reads the file, not only the parser
	}
	err := d.Read(ctx, func(tx *Tx) error {
		var n int
		return tx.QueryRowContext(ctx, query).Scan(&n)
	})
	if err != nil {
		return fmt.Errorf("ping the database: %w", err)
	}
	return nil
}

// Close closes every connection; it waits for those in use.
func (d *DB) Close() {
	d.R.Close()
	if d.W != d.R {
		d.W.Close()
	}
	if d.Pool != nil {
		d.Pool.Close()
	}
}
