// Package store holds the SQL of the training plate: the queries of queries/,
// generated into typed methods, and the few functions that turn rows into the
// values of package strength.
//
// Weights are whole pounds, NULL where there is no external load; package
// strength says 0 for the same, and Number and Optional translate. Days are
// dates, instants are UTC with microseconds. Every query names the workspace.
//
// Reason to be a package: sole access to the tables training_*.
package store
