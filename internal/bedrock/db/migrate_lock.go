package db

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"tectonic/internal/bedrock/fault"
)

const (
	// lockKey is the advisory lock of migrations: "tectonic" in ASCII.
	lockKey = 0x746563746f6e6963
	// lockPoll is how often a waiting node tries again. Waiting is polling:
	// a blocked pg_advisory_lock holds a snapshot, for which CREATE INDEX
	// CONCURRENTLY would wait for ever.
	lockPoll = 100 * time.Millisecond
	// lockPatience is how long a node waits for another's migrations.
	lockPatience = 10 * time.Minute
)

// lockMigrations waits until no other process migrates this database and
// returns what ends that.
func (d *DB) lockMigrations(ctx context.Context) (unlock func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	if d.Dialect == SQLite {
		unlock, err = d.lockFile(ctx)
	} else {
		unlock, err = d.lockAdvisory(ctx)
	}
	if err != nil {
		return nil, translate(ctx, fmt.Errorf("wait for the migration lock: %w", err), opening)
	}
	return unlock, nil
}

// lockFile holds an exclusive transaction on a sibling file, since goose has
// no lock on SQLite and the database itself must stay usable meanwhile.
func (d *DB) lockFile(ctx context.Context) (func(), error) {
	path := d.options.Path + ".migrate"
	if err := createPrivate(path); err != nil {
		return nil, fault.NotReachable(fmt.Errorf("create %s: %w", path, err))
	}
	pool, err := sql.Open("sqlite", sqliteDSN(path, url.Values{"_txlock": {"exclusive"}, "_busy_timeout": {"0"}}))
	if err != nil {
		return nil, err
	}
	var tx *sql.Tx
	err = poll(ctx, func() (bool, error) {
		tx, err = pool.BeginTx(context.WithoutCancel(ctx), nil)
		if retryable(err) {
			return false, nil
		}
		return err == nil, err
	})
	if err != nil {
		pool.Close()
		return nil, err
	}
	return func() { tx.Rollback(); pool.Close() }, nil
}

// lockAdvisory holds a session lock on a connection of its own, which does not
// go through a pooler.
func (d *DB) lockAdvisory(ctx context.Context) (func(), error) {
	conn, err := pgx.Connect(ctx, d.directURL())
	if err != nil {
		return nil, err
	}
	closeConn := func() {
		end, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		conn.Close(end) // ends the session and with it the lock
	}
	err = poll(ctx, func() (held bool, err error) {
		err = conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", int64(lockKey)).Scan(&held)
		return held, err
	})
	if err != nil {
		closeConn()
		return nil, err
	}
	return closeConn, nil
}

func poll(ctx context.Context, try func() (bool, error)) error {
	for {
		done, err := try()
		if done || err != nil {
			return err
		}
		if !sleep(ctx, lockPoll) {
			return ctx.Err()
		}
	}
}

// migrationPool returns the pool that migrations run on: the writer on SQLite,
// connections of their own on PostgreSQL, and what closes it.
func (d *DB) migrationPool() (*sql.DB, func(), error) {
	if d.Dialect == SQLite {
		return d.W, nothing, nil
	}
	config, err := pgx.ParseConfig(d.directURL())
	if err != nil {
		return nil, nil, fmt.Errorf("parse the direct database URL: %w", err)
	}
	config.RuntimeParams["timezone"] = "UTC"
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(2)
	return pool, func() { pool.Close() }, nil
}

func (d *DB) directURL() string { return cmp.Or(d.options.DirectURL, d.options.URL) }
