package db

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Tx is a transaction. It has the four methods that generated queries call,
// so a store is made with store.New(tx).
type Tx struct {
	sql      *sql.Tx
	db       *DB
	now      time.Time
	readOnly bool
	kept     *statements // nil on PostgreSQL
	after    []func()
}

// Now returns the one timestamp of this transaction: UTC, microseconds.
func (tx *Tx) Now() time.Time { return tx.now }

// ReadOnly reports whether the transaction refuses to write.
func (tx *Tx) ReadOnly() bool { return tx.readOnly }

// SQL returns the transaction for libraries that need it, such as a queue
// that enqueues with the change.
func (tx *Tx) SQL() *sql.Tx { return tx.sql }

// Dialect returns the engine, for the few statements that differ.
func (tx *Tx) Dialect() Dialect { return tx.db.Dialect }

// OnCommit runs fn once after the commit has succeeded, in the order of the
// calls. It does not run when the transaction is rolled back or run again.
func (tx *Tx) OnCommit(fn func()) { tx.after = append(tx.after, fn) }

// ExecContext runs a statement without rows.
func (tx *Tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	defer tx.logStatement(ctx, query, args)()
	if stmt := tx.kept.in(ctx, tx.sql, query); stmt != nil {
		return stmt.ExecContext(ctx, args...)
	}
	return tx.sql.ExecContext(ctx, query, args...)
}

// PrepareContext prepares a statement that lives as long as the transaction.
// Its executions are not in the statement log.
func (tx *Tx) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	return tx.sql.PrepareContext(ctx, query)
}

// QueryContext runs a statement with rows; close them before the next
// statement.
func (tx *Tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	defer tx.logStatement(ctx, query, args)()
	if stmt := tx.kept.in(ctx, tx.sql, query); stmt != nil {
		return stmt.QueryContext(ctx, args...)
	}
	return tx.sql.QueryContext(ctx, query, args...)
}

// QueryRowContext runs a statement with at most one row.
func (tx *Tx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	defer tx.logStatement(ctx, query, args)()
	if stmt := tx.kept.in(ctx, tx.sql, query); stmt != nil {
		return stmt.QueryRowContext(ctx, args...)
	}
	return tx.sql.QueryRowContext(ctx, query, args...)
}

// pauses are the waits before the second to the fifth attempt.
var pauses = []time.Duration{10 * time.Millisecond, 20 * time.Millisecond, 40 * time.Millisecond, 80 * time.Millisecond}

// commitLimit bounds a COMMIT whose answer does not come; the caller's
// deadline does not cut it, since a cut commit is one nobody knows about.
const commitLimit = 15 * time.Second

// Write runs fn in a transaction and commits it; an error or a panic of fn
// rolls it back. It is the only way to write. fn runs again, up to 4 times, on
// a serialization failure, a deadlock or a busy file, so it must have no
// effect outside the database. Never call it inside a transaction.
func (d *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	return d.run(ctx, d.W, nil, fn)
}

// Read runs fn in a transaction that sees one snapshot and refuses to write.
func (d *DB) Read(ctx context.Context, fn func(*Tx) error) error {
	o := &sql.TxOptions{ReadOnly: true}
	if d.Dialect == Postgres {
		o.Isolation = sql.LevelRepeatableRead
	}
	return d.run(ctx, d.R, o, fn)
}

func (d *DB) run(ctx context.Context, pool *sql.DB, o *sql.TxOptions, fn func(*Tx) error) error {
	for attempt := 0; ; attempt++ {
		after, at, err := d.attempt(ctx, pool, o, fn)
		if err == nil {
			for _, f := range after {
				f()
			}
			d.kept[pool].settle(ctx)
			return nil
		}
		again := retryable(err) || at == opening && lost(err)
		if !again || attempt == len(pauses) || !sleep(ctx, pauses[attempt]) {
			return translate(ctx, err, at)
		}
	}
}

// attempt runs fn in one transaction. It returns what is to be done after the
// commit, or the error and the stage that it came from.
func (d *DB) attempt(ctx context.Context, pool *sql.DB, o *sql.TxOptions, fn func(*Tx) error) (after []func(), at stage, err error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, opening, fmt.Errorf("wait for a database connection: %w", err)
	}
	defer conn.Close()
	// The transaction itself outlives ctx, so that rollback and commit are
	// never cut half way; its statements do not.
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	stx, err := begin(ctx, life, end, conn, o)
	if err != nil {
		return nil, opening, fmt.Errorf("begin: %w", err)
	}
	committed := false
	defer func() {
		if !committed { // an error, or a panic on its way up
			d.rollback(context.WithoutCancel(ctx), conn, stx)
		}
	}()
	tx := &Tx{sql: stx, db: d, now: d.Now(), readOnly: o != nil && o.ReadOnly, kept: d.kept[pool]}
	at, err = commit(ctx, tx, end, fn)
	committed = err == nil
	return tx.after, at, err
}

// commit runs fn and commits, unless ctx has ended meanwhile.
func commit(ctx context.Context, tx *Tx, end func(), fn func(*Tx) error) (stage, error) {
	at := writing
	if tx.readOnly {
		at = reading
	}
	if err := fn(tx); err != nil {
		return at, err
	}
	if err := ctx.Err(); err != nil {
		return at, fmt.Errorf("commit: %w", err)
	}
	defer time.AfterFunc(tx.db.commitLimit, end).Stop()
	if err := tx.sql.Commit(); err != nil {
		return committing, fmt.Errorf("commit: %w", err)
	}
	return at, nil
}

// begin starts a transaction that lives as long as life, but waits for its
// lock no longer than ctx: until it has begun, the end of ctx ends life.
func begin(ctx, life context.Context, end func(), conn *sql.Conn, o *sql.TxOptions) (*sql.Tx, error) {
	detach := context.AfterFunc(ctx, end)
	tx, err := conn.BeginTx(life, o)
	if !detach() && err == nil {
		tx.Rollback()
		return nil, ctx.Err()
	}
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return tx, err
}

// rollback ends a transaction whatever became of it. After a commit that
// SQLite refused (a deferred key, a full disk) database/sql believes that the
// transaction is over while the engine may still hold it, so the connection
// is told once more.
func (d *DB) rollback(ctx context.Context, conn *sql.Conn, tx *sql.Tx) {
	tx.Rollback()
	if d.Dialect == SQLite {
		conn.ExecContext(ctx, "ROLLBACK")
	}
}

// sleep waits for pause and reports whether ctx is still alive.
func sleep(ctx context.Context, pause time.Duration) bool {
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
