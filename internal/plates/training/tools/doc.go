// Package tools holds the tools of the training plate, one file each: what
// assistants, the command line and the pages can do with a lifter's log.
//
// A tool checks its numbers in its own words (a refusal names the bound),
// applies the rules of package strength and calls the store. Weights are whole
// pounds, days are YYYY-MM-DD in the workspace's time zone. Names, schemas,
// descriptions and hints are a published contract; tools_test.go compares them
// with it.
//
// Reason to be a package: a stable contract with five consumers.
package tools
