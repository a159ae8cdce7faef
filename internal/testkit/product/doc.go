// Package product gives tests the whole product on a real database: its
// handler, its gate, and people in it who may sign in with a browser's
// cookies. Imported by tests only.
package product
