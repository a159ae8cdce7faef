// Package history reads training out of the files that other apps export:
// Strong, Hevy, FitNotes, and any table whose columns somebody names.
//
// # Units
//
// A weight becomes whole pounds: kilograms go to the nearest pound, halves up,
// and so do fractions of a pound; Set.Changed says when a number is not the one
// that was written. A duration is seconds. A time without a zone is a wall
// clock's in the File's zone.
//
// # The rules
//
// A file is read line by line and never held in memory. A line that cannot be
// a set is rejected with its number and a reason, and the next one is read.
// Pauses ("Rest Timer") are skipped. Set.Key names a set by its session, its
// movement and its place among the sets of that movement, so that the same
// file, or a longer one, brings the same keys.
//
// The package owns no tables. It exists apart from strength because it knows
// the habits of other apps, which change without asking.
package history
