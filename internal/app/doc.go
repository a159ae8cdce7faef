// Package app puts the product together: it opens the database, makes the
// bedrock services, lists the plates and connects them, and serves.
//
// New builds from the bottom up in one readable function; values are passed
// down, there are no globals. plates.go is the one list of what is in the
// binary. This is the only package that imports every plate.
//
// Reason to be a package: the deployable.
package app
