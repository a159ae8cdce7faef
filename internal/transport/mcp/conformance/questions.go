//go:build conformance

//lint:file-ignore SA1019 the suite calls what the protocol has deprecated, and so must its fixture

package conformance

import (
	"context"
	"encoding/json"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// addQuestions adds the tools that ask the client something while they run, as
// servers with sessions do. Ours has none, so the suite sees them fail.
func addQuestions(s *sdk.Server) {
	add(s, "test_sampling", "Asks the client's model", `{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`, sample)
	add(s, "test_elicitation", "Asks the person for a name", `{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}`,
		ask(`{"type":"object","properties":{"username":{"type":"string","description":"Your preferred username"}},"required":["username"]}`))
	add(s, "test_elicitation_sep1034_defaults", "Asks with values that are filled in", anything, ask(withDefaults))
	add(s, "test_elicitation_sep1330_enums", "Asks with lists to choose from", anything, ask(withChoices))
}

const withDefaults = `{"type":"object","properties":{
	"name": {"type":"string","default":"John Doe"}, "age": {"type":"integer","default":30}, "score": {"type":"number","default":95.5},
	"status": {"type":"string","enum":["active","inactive","pending"],"default":"active"}, "verified": {"type":"boolean","default":true}
}}`

const withChoices = `{"type":"object","properties":{
	"untitledSingle": {"type":"string","enum":["option1","option2","option3"]},
	"titledSingle": {"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"}]},
	"legacyEnum": {"type":"string","enum":["opt1","opt2"],"enumNames":["Option One","Option Two"]},
	"untitledMulti": {"type":"array","items":{"type":"string","enum":["option1","option2"]}},
	"titledMulti": {"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"}]}}
}}`

func sample(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var in struct{ Prompt string }
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
		return failed(err)
	}
	got, err := req.Session.CreateMessage(ctx, &sdk.CreateMessageParams{
		Messages: []*sdk.SamplingMessage{{Role: "user", Content: text("%s", in.Prompt)}}, MaxTokens: 100,
	})
	if err != nil {
		return failed(err)
	}
	return said("LLM response: %v", got.Content)
}

func ask(schema string) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		got, err := req.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Please answer", RequestedSchema: json.RawMessage(schema)})
		if err != nil {
			return failed(err)
		}
		return said("Answered: action=%s, content=%v", got.Action, got.Content)
	}
}
