// Package peers lets the real binary meet programs that others wrote: the MCP
// conformance suite, the Inspector, and the clients that assistants are built
// with, each through sign-in and consent where it knows how.
//
// Its tests need the npm packages of peers/ (npm ci there), so they have the
// build tag peers; `make test/peers` and `make test` run them. The binary is
// built with the tag conformance, which adds the fixture that the suite calls.
package peers
