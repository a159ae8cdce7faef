// Package testkit gives tests a real, migrated database in milliseconds.
//
// SQLite is always there: each test gets a file copied from a template that is
// migrated once per test binary. With TEST_DATABASE_URL set, tests written
// with Each run on PostgreSQL too, each in a database of its own made from a
// migrated template and dropped afterwards. The URL names a server on which
// tests may make databases; nothing else of the environment is read, so no
// test run can touch a development database.
//
// Imported by tests only.
package testkit
