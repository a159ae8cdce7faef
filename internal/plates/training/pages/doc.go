// Package pages is what a lifter sees of the training plate: the session
// screen, the month, the list of workouts, the record of one workout, the
// forms that write a set by hand, and the pages for a desk: movements, blocks,
// equipment and settings.
//
// A GET reads a projection of the store inside one read transaction and hands
// it to a view, which is plain data worked out by plain functions; the templ
// files only draw it. A POST runs one tool through the gate. A refusal is
// drawn on the page it was posted from, with status 422 and what was typed.
// An id that this workspace does not have leads to the list above it.
//
// The session screen is one fragment, #session-body: every action answers with
// all of it, so that head, rows and rating cannot disagree.
//
// Weights are whole pounds, plates hundredths of a pound, days calendar days
// in the zone of the workspace.
//
// Owns no tables. Reason to be a package: the plate's surface for browsers.
package pages
