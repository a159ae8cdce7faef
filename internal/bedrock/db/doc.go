// Package db is the only door to the database: SQLite in one file, or
// PostgreSQL, behind one API and one text of SQL.
//
// Everything that changes data runs inside DB.Write, everything else inside
// DB.Read. Both hand the function a *Tx, which has the methods that generated
// queries want, one timestamp, and a list of things to do after the commit.
// Write runs its function again when the engines ask for it (serialization
// failure, deadlock, busy file), so the function must have no effect outside
// the database; what follows a success goes through Tx.OnCommit.
//
// On SQLite a writer pool of exactly one connection begins every transaction
// immediate, and a pool of readers is query_only, so a statement that writes
// in Read fails instead of passing unnoticed. On PostgreSQL Read begins READ
// ONLY at REPEATABLE READ: a tool sees one snapshot. Never call Write, nor use
// DB.W, inside a transaction: on SQLite the one writer is already yours.
//
// Errors are translated here, once, by code: a lost or full database becomes
// the refusal db_unavailable, a deadline inside a statement becomes timeout,
// and IsUnique tells a unique violation. Inside a transaction write
// ON CONFLICT DO NOTHING RETURNING instead, because a violation aborts the
// whole transaction on PostgreSQL and not on SQLite.
//
// Migrations are lines: bedrock's, then one per plate, each with its folder
// per dialect and its version table schema_<line>. DB.Migrate holds a lock
// that other processes wait for, so any number of nodes may start at once.
//
// Units: instants are UTC with microseconds. Owns the bedrock migrations
// (accounts, workspaces, members, sessions, clients, grants, tokens, request_keys,
// record_rows); the rows belong to the packages that read and write them.
package db
