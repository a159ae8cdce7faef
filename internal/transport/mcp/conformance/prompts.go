//go:build conformance

package conformance

import (
	"context"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func addPrompts(s *sdk.Server) {
	s.AddPrompt(&sdk.Prompt{Name: "test_simple_prompt", Description: "Takes nothing"}, words("This is a simple prompt for testing."))
	s.AddPrompt(&sdk.Prompt{Name: "test_prompt_with_arguments", Description: "Takes two words", Arguments: []*sdk.PromptArgument{
		{Name: "arg1", Description: "The first", Required: true}, {Name: "arg2", Description: "The second", Required: true},
	}}, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return messages(text("Prompt with arguments: arg1='%s', arg2='%s'", req.Params.Arguments["arg1"], req.Params.Arguments["arg2"]))
	})
	s.AddPrompt(&sdk.Prompt{Name: "test_prompt_with_embedded_resource", Description: "Holds a resource", Arguments: []*sdk.PromptArgument{
		{Name: "resourceUri", Description: "Of the resource", Required: true},
	}}, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return messages(embedded(req.Params.Arguments["resourceUri"], "Embedded resource content for testing."), text("Please process the embedded resource above."))
	})
	s.AddPrompt(&sdk.Prompt{Name: "test_prompt_with_image", Description: "Holds a picture"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return messages(image(), text("Please analyze the image above."))
	})
	s.AddPrompt(&sdk.Prompt{Name: "test_input_required_result_prompt", Description: "Asks before it answers"}, promptInRounds)
}

func messages(contents ...sdk.Content) (*sdk.GetPromptResult, error) {
	var list []*sdk.PromptMessage
	for _, c := range contents {
		list = append(list, &sdk.PromptMessage{Role: "user", Content: c})
	}
	return &sdk.GetPromptResult{Messages: list}, nil
}

func words(content string) sdk.PromptHandler {
	return func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return messages(text("%s", content))
	}
}

func promptInRounds(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
	if accepted(req.Params.InputResponses, "user_context") != nil {
		return messages(text("Context: %s", field(req.Params.InputResponses, "user_context", "context")))
	}
	return &sdk.GetPromptResult{InputRequests: sdk.InputRequestMap{"user_context": question("Please provide context for the prompt", "context", "string")}}, nil
}
