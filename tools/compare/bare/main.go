// Command bare serves the two tools on the official SDK, stateless and without
// authentication: the least that a server on it can do.
//
//	bare ADDRESS ANSWERS
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"tectonic/compare"
)

func main() {
	answers, err := compare.Read(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	for name, payload := range answers {
		tool := &mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}
		server.AddTool(tool, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ok"}}, StructuredContent: payload}, nil
		})
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	log.Fatal(http.ListenAndServe(os.Args[1], handler))
}
