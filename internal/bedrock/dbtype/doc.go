// Package dbtype holds the three column types that SQLite and PostgreSQL
// store differently and Go code must not notice.
//
//	type     PostgreSQL    SQLite                    nothing
//	Time     TIMESTAMPTZ   INTEGER, microseconds     zero value = NULL
//	Date     DATE          TEXT, YYYY-MM-DD          ""         = NULL
//	JSON[T]  JSONB         TEXT CHECK json_valid     null       = NULL
//
// Instants are UTC with microseconds, since that is what both engines keep;
// they leave the server as RFC 3339 with always six fractional digits and Z,
// so that equal instants are equal text. A calendar day is not an instant: a
// workout belongs to a day wherever its lifter is.
//
// A leaf package: imported by everyone, imports nothing of ours.
package dbtype
