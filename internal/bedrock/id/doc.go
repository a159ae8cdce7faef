// Package id holds the typed identifiers that cross package borders, and the
// two generators for opaque handles.
//
// Rows that people and models name have integer ids; a distinct Go type per
// kind keeps an account id out of a workspace parameter. Handles that leave
// the system (record references, workspace uids) are random text.
//
// A leaf package: imported by everyone, imports nothing of ours.
package id
