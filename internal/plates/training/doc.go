// Package training is the plate for barbell strength training: workouts and
// their sets, blocks that are written ahead and generated into sessions, the
// library of movements and the lifter's equipment.
//
// A planned session is an ordinary workout whose sets are not completed yet.
// Lifting a set completes it; what was planned stays beside what was done.
// Weights are whole pounds; "no external load" is NULL, never 0. A training
// workspace is one lifter's log.
//
// The drawers: strength holds the rules, store the SQL, tools what can be
// done, pages what is seen. This package is the plate's public face: New,
// what its commands need, and nothing else. It owns the tables training_*.
package training
