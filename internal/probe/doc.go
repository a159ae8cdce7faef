// Package probe walks up to an MCP server as an assistant does and says what
// would stop one: discovery, the challenge, registration with the redirects of
// known assistants, the way to sign-in, the answers to what has ended, and,
// with a token, the handshake, the list of tools and a call.
//
// It knows the server by its address only, so that it can be pointed at any
// host. Pitfalls are numbered as in docs/reference/pitfalls.md. Standards: RFC
// 6749, 7517, 7591, 8414, 9207, 9728 and the Model Context Protocol.
//
// A probe leaves a few registrations behind, named ClientName, since RFC 7591
// has no way to take one back; nobody can consent to them by accident, because
// they lead only to the visitor's own machine or to known assistants.
package probe
