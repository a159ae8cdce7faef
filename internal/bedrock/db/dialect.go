package db

import (
	"strconv"
	"strings"
)

// Dialect names the engine behind a DB. SQL of the product is one text for
// both; the few real differences are methods of this type and the migrations.
type Dialect string

// The two engines.
const (
	SQLite   Dialect = "sqlite"
	Postgres Dialect = "postgres"
)

// placeholder returns the n-th parameter (from 1) of a statement that is built
// at run time. SQLite gets "?": its driver looks "$n" up by name, which is
// quadratic in the number of parameters.
func (d Dialect) placeholder(n int) string {
	if d == SQLite {
		return "?"
	}
	return "$" + strconv.Itoa(n)
}

// tables returns the query that lists the tables of the schema by name.
func (d Dialect) tables() string {
	if d == SQLite {
		return `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`
	}
	return `SELECT table_name FROM information_schema.tables
		WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`
}

// columns returns the query that lists (table, column, nullable) of the schema.
func (d Dialect) columns() string {
	if d == SQLite {
		return `SELECT t.name, c.name, c."notnull" = 0 AND c.pk = 0
			FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
			WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY t.name, c.name`
	}
	return `SELECT c.table_name, c.column_name, c.is_nullable = 'YES'
		FROM information_schema.columns AS c
		JOIN information_schema.tables AS t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
		WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
		ORDER BY c.table_name COLLATE "C", c.column_name COLLATE "C"`
}

// exists returns the query that counts the tables, indexes or columns that an
// object names, with its arguments.
func (d Dialect) exists(o object) (string, []any) {
	switch {
	case d == SQLite && o.column == "":
		return `SELECT count(*) FROM sqlite_schema WHERE name = $1`, []any{o.name}
	case d == SQLite:
		return `SELECT count(*) FROM pragma_table_info($1) WHERE name = $2`, []any{o.name, o.column}
	case o.column == "":
		return `SELECT count(*) FROM pg_class WHERE relname = $1 AND relnamespace = current_schema()::regnamespace`, []any{o.name}
	default:
		return `SELECT count(*) FROM information_schema.columns
			WHERE table_schema = current_schema() AND table_name = $1 AND column_name = $2`, []any{o.name, o.column}
	}
}

// quote returns an identifier in double quotes, which both engines read alike.
func quote(name string) string {
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}
