package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"tectonic/internal/bedrock/fault"
)

// Backup writes a complete copy of a SQLite database into file, which must not
// exist, and checks the copy. It may run while others write. PostgreSQL is
// refused with the line to run instead. To restore, stop the program, remove
// the database file with its -wal and -shm companions and put the copy there.
func (d *DB) Backup(ctx context.Context, file string) error {
	if d.Dialect == Postgres {
		return fault.BadArgument("PostgreSQL is backed up by its own tool.").
			Next("Run: pg_dump -Fc --file=" + shellQuote(file) + ` "$DATABASE_URL"`)
	}
	if err := claimFile(file); err != nil {
		return err
	}
	if err := d.vacuumInto(ctx, file); err != nil {
		os.Remove(file)
		return translate(ctx, fmt.Errorf("back up into %s: %w", file, err), writing)
	}
	if err := checkCopy(ctx, file); err != nil {
		os.Remove(file)
		return fmt.Errorf("check the backup %s: %w", file, err)
	}
	return nil
}

// claimFile makes the file, empty and readable by its owner only, or refuses
// when there is one: two backups never write into the same file.
func claimFile(file string) error {
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if err == nil {
		var f *os.File
		if f, err = os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			return f.Close()
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return fault.BadArgument("The file %s already exists, and a backup does not overwrite.", file)
	}
	return fault.BadArgument("The backup %s cannot be written: %s.", file, innermost(err)).Because(err)
}

// vacuumInto copies on a fresh connection: readers refuse VACUUM, and the
// writer stays free.
func (d *DB) vacuumInto(ctx context.Context, file string) error {
	fresh, err := sql.Open("sqlite", sqliteDSN(d.options.Path, nil))
	if err != nil {
		return err
	}
	defer fresh.Close()
	_, err = fresh.ExecContext(ctx, "VACUUM INTO $1", file) // an empty file is a valid target
	return err
}

func checkCopy(ctx context.Context, file string) error {
	copied, err := sql.Open("sqlite", sqliteDSN(file, url.Values{"mode": {"ro"}}))
	if err != nil {
		return err
	}
	defer copied.Close()
	problems, err := texts(ctx, copied, "PRAGMA integrity_check")
	if err != nil {
		return err
	}
	if len(problems) != 1 || problems[0] != "ok" {
		return errors.New(strings.Join(problems, "; "))
	}
	return nil
}

func shellQuote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// querier is a pool or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// texts returns the first column of every row.
func texts(ctx context.Context, q querier, query string, args ...any) ([]string, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out []string
	for rows.Next() {
		var text sql.NullString
		into := make([]any, len(columns))
		into[0] = &text
		for i := 1; i < len(into); i++ {
			into[i] = new(any)
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		out = append(out, text.String)
	}
	return out, errors.Join(rows.Err(), rows.Close())
}
