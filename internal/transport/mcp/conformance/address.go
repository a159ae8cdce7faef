package conformance

// Path is where the endpoint stands in a build for the suite.
const Path = "/conformance/mcp"

// Token lets into the endpoint, and nowhere else. The suite has no option for
// one, so its harness adds it to every request.
const Token = "conformance-suite-only"
