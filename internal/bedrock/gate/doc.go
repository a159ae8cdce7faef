// Package gate is the one door to the tools: pages, the command line, MCP and
// the JSON API all run a tool through Call, and nothing else changes the data
// of a plate.
//
// Call finds the tool, checks the scope, the kill switch and the arguments,
// opens the transaction that the tool's hints allow, runs the handler, checks
// the size of the answer and writes the record, in this order. A successful
// write and its record row commit together.
//
// It owns the table request_keys: a write that carries a request id is
// answered once, however often it is sent. The claim is the first statement of
// the write's transaction, so two senders at once wait for each other.
//
// Reason to be a package: authority over the order of these steps.
package gate
