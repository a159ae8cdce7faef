// Package fault holds the one shape in which Tectonic says no.
//
// A handler that cannot do what it was asked returns a *Refusal: a kind, a
// code, a sentence for the reader, an optional next step, and a cause that
// never leaves the server. Every other error is a fault of ours and is shown
// as one fixed sentence; From makes that translation. The table that maps a
// kind to an HTTP status and to an exit code of the command line lives here,
// so that pages, MCP, the JSON API and the commands cannot disagree.
//
// A leaf package: imported by everyone, imports nothing of ours.
package fault
