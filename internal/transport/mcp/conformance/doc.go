// Package conformance is the fixture of the MCP conformance suite: an
// endpoint with the tools, resources and prompts that the suite calls by name
// (https://github.com/modelcontextprotocol/conformance), behind the same front
// door as the plates. It stands on no gate and no database.
//
// It is compiled only with the build tag conformance, which internal/peers
// builds the product with; without it the package is two constants.
//
// Reason to be a package: keeps what exists for a test out of the product.
package conformance
