package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"tectonic/internal/bedrock/fault"
)

// IsUnique reports whether err is a violation of a unique constraint, by code:
// 23505 of PostgreSQL, 2067 and 1555 of SQLite. It is for the error that Write
// returned; inside a transaction use ON CONFLICT.
func IsUnique(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == "23505"
	}
	code := sqliteCode(err)
	return code == sqlite3.SQLITE_CONSTRAINT_UNIQUE || code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
}

// IsReadOnly reports whether err is the engines' refusal to write inside Read:
// 25006 of PostgreSQL, 8 of SQLite.
func IsReadOnly(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == "25006"
	}
	return sqliteCode(err)&0xff == sqlite3.SQLITE_READONLY
}

// retryable reports whether the same transaction may succeed when it is run
// again at once: serialization failure, deadlock, busy file.
func retryable(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == "40001" || pg.Code == "40P01"
	}
	return sqliteCode(err)&0xff == sqlite3.SQLITE_BUSY
}

// stage says where in a transaction an error came up, since the same code
// means different things there.
type stage int

const (
	opening    stage = iota // waiting for a connection, BEGIN
	reading                 // a statement of Read
	writing                 // a statement of Write
	committing              // COMMIT was sent; its answer is missing or an error
)

// translate turns an error of the drivers into the refusal that it means, and
// leaves every other error as it is.
func translate(ctx context.Context, err error, at stage) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*fault.Refusal](err); ok {
		return err
	}
	switch {
	case at == committing && (lost(err) || ended(err)):
		return uncertain(err)
	case errors.Is(err, context.Canceled):
		return err
	case at != opening && timedOut(ctx, err):
		return fault.TookTooLong(err)
	case at == reading && IsReadOnly(err):
		return err // a statement that writes in Read is a mistake of ours
	case full(err):
		return fault.DiskFull(err)
	case lost(err), unusable(err), retryable(err), at == opening && timedOut(ctx, err):
		return fault.NotReachable(err)
	}
	return err
}

// ended reports whether a context cut the statement off.
func ended(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// uncertain is the one case in which nobody knows whether the change was made:
// COMMIT was sent and its answer did not come.
func uncertain(cause error) *fault.Refusal {
	r := fault.NotReachable(cause)
	r.Message = "The database did not answer while the change was being stored, so it may or may not have been made."
	r.Remedy = "Look before you repeat it; repeating it with the same request id is safe."
	return r
}

// timedOut reports whether err is the end of ctx's deadline, or the server's
// own limit for a statement.
func timedOut(ctx context.Context, err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == "57014" && !errors.Is(ctx.Err(), context.Canceled)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	return errors.Is(ctx.Err(), context.DeadlineExceeded) &&
		(sqliteCode(err)&0xff == sqlite3.SQLITE_INTERRUPT || lost(err))
}

// lost reports whether the database went away or was never there.
func lost(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return lostState(pg.Code)
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return true
	}
	for _, end := range []error{driver.ErrBadConn, sql.ErrConnDone, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed} {
		if errors.Is(err, end) {
			return true
		}
	}
	return pgconn.SafeToRetry(err) && sqliteCode(err) == 0
}

// lostState holds the SQLSTATEs of a server that is going, coming or full of
// connections: class 08, 57P01 to 57P05, 53300.
func lostState(code string) bool {
	return strings.HasPrefix(code, "08") || strings.HasPrefix(code, "57P0") || code == "53300"
}

// full reports whether the store has no room.
func full(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		return pg.Code == "53100"
	}
	return sqliteCode(err)&0xff == sqlite3.SQLITE_FULL
}

// unusable reports whether the store cannot be read or cannot be written; all
// of it can pass.
func unusable(err error) bool {
	if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch pg.Code {
		case "53200", "53000", "58030", "25006": // out of memory, I/O error, a standby
			return true
		}
		return false
	}
	switch sqliteCode(err) & 0xff {
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_LOCKED:
		return true
	}
	return false
}

// sqliteCode returns the extended result code, or 0 when err is not SQLite's.
func sqliteCode(err error) int {
	if s, ok := errors.AsType[*sqlite.Error](err); ok {
		return s.Code()
	}
	return 0
}
