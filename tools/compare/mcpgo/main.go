// Command mcpgo serves the two tools on mark3labs/mcp-go, stateless and
// without authentication.
//
//	mcpgo ADDRESS ANSWERS
package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"tectonic/compare"
)

func main() {
	answers, err := compare.Read(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	s := server.NewMCPServer("mcpgo", "1")
	for name, payload := range answers {
		s.AddTool(mcp.NewTool(name), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultStructured(payload, "ok"), nil
		})
	}
	log.Fatal(http.ListenAndServe(os.Args[1], server.NewStreamableHTTPServer(s, server.WithStateLess(true))))
}
