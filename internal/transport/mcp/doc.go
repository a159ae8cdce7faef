// Package mcp renders the tools of a plate to assistants over the Model
// Context Protocol, with the official Go SDK.
//
// ServeStdio is for an assistant on the same machine: its caller is the local
// operator, there is no OAuth, and nothing but JSON-RPC is written to stdout,
// one message per line. A line that is no message is answered with -32700 or
// -32600, and calls that run when the input ends are answered before it stops.
// Schemas go over the wire exactly as the contract has them; the gate checks
// arguments, so the SDK's own validation is not used.
//
// Reason to be a package: isolates the SDK.
package mcp
