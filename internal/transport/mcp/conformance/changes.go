//go:build conformance

package conformance

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// addChanges adds the tools that change a list, so that those who listen are
// told. Adding what is there already counts as a change to the SDK.
func addChanges(s *sdk.Server) {
	add(s, "test_trigger_tool_change", "Changes the list of tools", anything, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		add(s, "passing_tool", "Is there since the list was changed", anything, always(text("Here.")))
		return said("The list of tools is changed.")
	})
	add(s, "test_trigger_prompt_change", "Changes the list of prompts", anything, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		s.AddPrompt(&sdk.Prompt{Name: "passing_prompt", Description: "Is there since the list was changed"}, words("Here."))
		return said("The list of prompts is changed.")
	})
}
