// Package contract describes the product's tools as data: what a tool is
// called, what it takes and answers, who may call it, and what it promises.
//
// A tool is made by New from a Spec and a typed handler. Its input and output
// schemas are derived from the Go types, so schema, decoding, command-line
// flags and form fields cannot disagree. A Registry holds the tools of one
// plate and refuses to be built when a promise is missing: a hint that was
// not written down, a scope that nobody knows, an input that names a
// workspace.
//
// This package is data and validation. The pipeline that runs a tool (grant,
// scope, arguments, transaction, record) is bedrock/gate.
//
// Reason to be a package: a stable contract with five consumers (pages, the
// command line, MCP, the JSON API and the record).
package contract
