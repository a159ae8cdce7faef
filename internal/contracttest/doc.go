// Package contracttest holds what is true of every tool and every page, on
// both engines: payloads are equal over all doors, read-only tools leave the
// database as it is, every write has its record row, another workspace's id
// answers as an unknown one, and racing callers lose and double nothing.
//
// It has only tests. A tool or page that is added is covered without a line
// here, or fails until its example is written.
package contracttest
