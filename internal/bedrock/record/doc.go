// Package record is the one append-only record of everything that was done
// or refused: who, over which door, with which tool, what came of it and what
// it cost. It is the sole writer of the table record_rows; the database
// refuses UPDATE, DELETE and TRUNCATE on it.
//
// A row holds no arguments, only their SHA-256 and the handles of the rows
// that were touched. A successful write has its row in the transaction of its
// change, so there is both or neither. Durations are milliseconds, cost is
// micro-dollars, sizes are bytes.
//
// Reason to be a package: authority over the table, with the gate and the
// bedrock services as its consumers.
package record
