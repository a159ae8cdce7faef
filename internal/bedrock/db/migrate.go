package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// Line is one sequence of migrations with its own version table,
// schema_<Name>. Both folders hold *.sql files in goose's format at their
// root, under equal names. A file that has shipped is never edited.
type Line struct {
	Name     string // lower-case letters and underscores
	Postgres fs.FS
	SQLite   fs.FS
}

func (l Line) table() string { return "schema_" + l.Name }

func (l Line) files(d Dialect) fs.FS {
	if d == SQLite {
		return l.SQLite
	}
	return l.Postgres
}

// LineStatus says where the database stands in one line. The names are those
// of the files without ".sql", in their order.
type LineStatus struct {
	Line    string
	Applied []string
	When    []time.Time // Applied was; UTC, whole seconds
	Pending []string
	Unknown []int64 // versions that this program does not have: a newer one was here
}

// Migrate brings every line up to date, in the order given, and then runs
// setup in one write transaction. All of it happens under a lock that other
// processes wait for, so any number of nodes may start at once. Tables that
// are there without a version table are adopted, never rebuilt. setup may be
// nil, and must do nothing the second time.
func (d *DB) Migrate(ctx context.Context, lines []Line, setup func(context.Context, *Tx) error) error {
	unlock, err := d.lockMigrations(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	pool, closePool, err := d.migrationPool()
	if err != nil {
		return err
	}
	defer closePool()
	for _, line := range lines {
		if err := d.migrateLine(ctx, pool, line); err != nil {
			return translate(ctx, fmt.Errorf("migrate %s: %w", line.Name, err), writing)
		}
	}
	return d.Write(ctx, func(tx *Tx) error {
		if err := plainStatistics(ctx, tx); err != nil || setup == nil {
			return err
		}
		return setup(ctx, tx)
	})
}

func (d *DB) migrateLine(ctx context.Context, pool *sql.DB, line Line) error {
	status, err := d.lineStatus(ctx, line)
	if err != nil || len(status.Pending) == 0 {
		return err
	}
	if len(status.Applied)+len(status.Unknown) == 0 {
		if err := d.adopt(ctx, pool, line); err != nil {
			return err
		}
	}
	store, err := line.store(d.Dialect)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider("", pool, line.files(d.Dialect), goose.WithStore(store),
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	if part, ok := errors.AsType[*goose.PartialError](err); ok && part.Failed != nil && part.Failed.Source != nil {
		return fmt.Errorf("apply %s: %w", part.Failed.Source.Path, part.Err)
	}
	return err
}

func (l Line) store(d Dialect) (database.Store, error) {
	dialect := database.DialectPostgres
	if d == SQLite {
		dialect = database.DialectSQLite3
	}
	return database.NewStore(dialect, l.table())
}

// Behind returns the pending migrations as "line file", in order. It changes
// nothing.
func (d *DB) Behind(ctx context.Context, lines []Line) ([]string, error) {
	all, err := d.Status(ctx, lines)
	if err != nil {
		return nil, err
	}
	var behind []string
	for _, s := range all {
		for _, name := range s.Pending {
			behind = append(behind, s.Line+" "+name)
		}
	}
	return behind, nil
}

// Status returns where the database stands in each line. It changes nothing.
func (d *DB) Status(ctx context.Context, lines []Line) ([]LineStatus, error) {
	all := make([]LineStatus, 0, len(lines))
	for _, line := range lines {
		s, err := d.lineStatus(ctx, line)
		if err != nil {
			return nil, fmt.Errorf("read the migrations of %s: %w", line.Name, err)
		}
		all = append(all, s)
	}
	return all, nil
}

func (d *DB) lineStatus(ctx context.Context, line Line) (LineStatus, error) {
	steps, err := line.steps(d.Dialect)
	if err != nil {
		return LineStatus{}, err
	}
	var applied map[int64]time.Time
	err = d.Read(ctx, func(tx *Tx) error {
		applied, err = appliedVersions(ctx, tx, line)
		return err
	})
	if err != nil {
		return LineStatus{}, err
	}
	s := LineStatus{Line: line.Name}
	for _, step := range steps {
		if at, ok := applied[step.version]; ok {
			s.Applied, s.When = append(s.Applied, step.name), append(s.When, at)
		} else {
			s.Pending = append(s.Pending, step.name)
		}
		delete(applied, step.version)
	}
	for version := range applied {
		s.Unknown = append(s.Unknown, version)
	}
	return s, nil
}

// appliedVersions reads the version table, with the time of each; a database
// without one has none.
func appliedVersions(ctx context.Context, tx *Tx, line Line) (map[int64]time.Time, error) {
	applied := map[int64]time.Time{}
	there, err := objectExists(ctx, tx, object{name: line.table()})
	if err != nil || !there {
		return applied, err
	}
	rows, err := tx.QueryContext(ctx, "SELECT version_id, CAST(tstamp AS TEXT) FROM "+quote(line.table())+" WHERE version_id > 0 ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			version int64
			at      string
		)
		if err := rows.Scan(&version, &at); err != nil {
			return nil, err
		}
		if applied[version], err = time.Parse(time.DateTime, at[:min(len(at), len(time.DateTime))]); err != nil {
			return nil, fmt.Errorf("read when version %d was applied: %w", version, err)
		}
	}
	return applied, errors.Join(rows.Err(), rows.Close())
}
