package db

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// step is one migration file.
type step struct {
	version int64
	name    string // without ".sql"
	objects []object
}

// object is something that a migration leaves behind: a table, an index, or a
// column of a table.
type object struct{ name, column string }

func (o object) String() string {
	if o.column == "" {
		return o.name
	}
	return o.name + "." + o.column
}

// steps reads the migrations of a line in their order.
func (l Line) steps(d Dialect) ([]step, error) {
	files := l.files(d)
	paths, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, err
	}
	steps := make([]step, 0, len(paths))
	for _, path := range paths {
		version, err := goose.NumericComponent(path)
		if err != nil {
			return nil, fmt.Errorf("migration %s: %w", path, err)
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return nil, fmt.Errorf("read migration %s: %w", path, err)
		}
		steps = append(steps, step{version, strings.TrimSuffix(path, ".sql"), objectsOf(string(text))})
	}
	slices.SortFunc(steps, func(a, b step) int { return cmp.Compare(a.version, b.version) })
	return steps, nil
}

var (
	comments   = regexp.MustCompile(`--[^\n]*`)
	created    = regexp.MustCompile(`(?i)\bCREATE\s+(?:UNIQUE\s+)?(?:VIRTUAL\s+)?(?:TABLE|INDEX)\s+(?:CONCURRENTLY\s+)?(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?`)
	columnMade = regexp.MustCompile(`(?i)\bALTER\s+TABLE\s+"?(\w+)"?\s+ADD\s+COLUMN\s+"?(\w+)"?`)
)

// objectsOf returns what the up part of a migration leaves behind.
func objectsOf(text string) []object {
	up, _, _ := strings.Cut(text, "-- +goose Down")
	up = comments.ReplaceAllString(up, "")
	var objects []object
	for _, m := range created.FindAllStringSubmatch(up, -1) {
		objects = append(objects, object{name: m[1]})
	}
	for _, m := range columnMade.FindAllStringSubmatch(up, -1) {
		objects = append(objects, object{name: m[1], column: m[2]})
	}
	return objects
}

// adopt stamps the migrations whose objects are all there, for a database that
// was made without a version table. It stops at the first one that is absent;
// one that is there in part is an error, since nobody knows what it is.
func (d *DB) adopt(ctx context.Context, pool *sql.DB, line Line) error {
	steps, err := line.steps(d.Dialect)
	if err != nil {
		return err
	}
	var there []int64
	err = d.Read(ctx, func(tx *Tx) error {
		there, err = presentVersions(ctx, tx, steps)
		return err
	})
	if err != nil || len(there) == 0 {
		return err
	}
	return stamp(ctx, d, pool, line, there)
}

func presentVersions(ctx context.Context, tx *Tx, steps []step) ([]int64, error) {
	var versions []int64
	for _, s := range steps {
		var found, absent []string
		for _, o := range s.objects {
			ok, err := objectExists(ctx, tx, o)
			if err != nil {
				return nil, err
			}
			if ok {
				found = append(found, o.String())
			} else {
				absent = append(absent, o.String())
			}
		}
		if len(found) == 0 {
			break
		}
		if len(absent) > 0 {
			return nil, fmt.Errorf("cannot adopt migration %s: %s is there but %s is not", s.name, found[0], strings.Join(absent, ", "))
		}
		versions = append(versions, s.version)
	}
	return versions, nil
}

// stamp makes the version table and marks versions as applied, in one
// transaction.
func stamp(ctx context.Context, d *DB, pool *sql.DB, line Line, versions []int64) error {
	store, err := line.store(d.Dialect)
	if err != nil {
		return err
	}
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	there, err := objectExists(ctx, &Tx{sql: tx, db: d}, object{name: line.table()})
	if err != nil {
		return err
	}
	if !there {
		if err := store.CreateVersionTable(ctx, tx); err != nil {
			return err
		}
		versions = append([]int64{0}, versions...)
	}
	for _, v := range versions {
		if err := store.Insert(ctx, tx, database.InsertRequest{Version: v}); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// objectExists reports whether the schema has a table, an index or a column.
func objectExists(ctx context.Context, tx *Tx, o object) (bool, error) {
	query, args := tx.db.Dialect.exists(o)
	var n int
	if err := tx.QueryRowContext(ctx, query, args...).Scan(&n); err != nil {
		return false, fmt.Errorf("look for %s: %w", o, err)
	}
	return n > 0, nil
}
