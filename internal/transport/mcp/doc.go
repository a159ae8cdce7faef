// Package mcp renders the tools of a plate to assistants over the Model
// Context Protocol, with the official Go SDK.
//
// Serve speaks over stdio, for an assistant on the same machine: its caller is
// the local operator, there is no OAuth, and nothing but JSON-RPC is written
// to stdout. Schemas go over the wire exactly as the contract has them; the
// gate checks arguments, so the SDK's own validation is not used.
//
// Reason to be a package: isolates the SDK.
package mcp
