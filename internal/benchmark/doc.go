// Package benchmark measures the hot paths of the whole product, on SQLite
// with every commit flushed and on PostgreSQL: the session page after years of
// training, Done, and the generation of a week.
//
// Figures are read as medians of several runs (`make bench`); no test passes or
// fails by time. The budgets are: the session page 5 ms and Done 15 ms at the
// 95th percentile, for which each benchmark reports p50 and p95 in
// milliseconds beside Go's own mean.
package benchmark
