// Package api serves the tools of all plates as a JSON API, for scripts:
//
//	POST /api/v1/<plate>/<tool>   arguments as a JSON object
//	GET  /api/v1/<plate>/<tool>   reads only; scalars by name, arrays and objects as JSON text
//	GET  /api/openapi.json        OpenAPI 3.1, made from the registries
//
// A bearer token says who calls; no cookie is read. Answers are the structured
// answer of the tool, byte for byte as over MCP; refusals are
// {"error": {code, message, remedy, fields, details, ref}} with the status of
// their kind. An Idempotency-Key makes a write safe to repeat.
//
// Reason to be a package: one of the doors, beside MCP.
package api
