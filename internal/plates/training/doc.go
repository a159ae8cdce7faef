// Package training is the plate for barbell strength training: sessions that
// are written before they are lifted, every weight loadable on the lifter's
// own rack, what was planned kept beside what was done.
//
// It puts together the tools, the pages, the migrations and the built-in
// movements and hands them in as one plate. Weights are whole pounds, days are
// calendar days in the workspace's time zone.
//
// It owns the tables training_*, through its package store.
//
// Reason to be a package: the one name under which the product knows the
// plate.
package training
