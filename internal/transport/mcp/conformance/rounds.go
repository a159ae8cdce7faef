//go:build conformance

//lint:file-ignore SA1019 the suite calls what the protocol has deprecated, and so must its fixture

package conformance

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// addRounds adds the tools that need answers before they can end, and ask for
// them in their result (SEP-2322): the client calls again with the answers and
// with the state that it was given.
func addRounds(s *sdk.Server) {
	const prefix = "test_input_required_result_"
	add(s, prefix+"elicitation", "Asks for a name", anything, roundElicitation)
	add(s, prefix+"sampling", "Asks the client's model", anything, roundSampling)
	add(s, prefix+"list_roots", "Asks for the client's roots", anything, roundRoots)
	add(s, prefix+"request_state", "Asks for a yes and gives a state to bring back", anything, roundState)
	add(s, prefix+"multiple_inputs", "Asks three things at once", anything, roundAll)
	add(s, prefix+"multi_round", "Asks twice", anything, roundTwice)
	add(s, prefix+"tampered_state", "Refuses a state that was changed", anything, roundState)
	add(s, prefix+"capabilities", "Asks only what the client can answer", anything, roundAble)
}

func question(message, field, kind string) *sdk.ElicitParams {
	schema := map[string]any{"type": "object", "properties": map[string]any{field: map[string]any{"type": kind}}, "required": []string{field}}
	return &sdk.ElicitParams{Message: message, RequestedSchema: schema}
}

func prompt(words string) *sdk.CreateMessageParams {
	return &sdk.CreateMessageParams{Messages: []*sdk.SamplingMessage{{Role: "user", Content: text("%s", words)}}, MaxTokens: 100}
}

func needs(state string, asked sdk.InputRequestMap) (*sdk.CallToolResult, error) {
	return &sdk.CallToolResult{InputRequests: asked, RequestState: state}, nil
}

// accepted returns what a person answered, nil when there is no such answer
// or it was declined.
func accepted(answers sdk.InputResponseMap, key string) map[string]any {
	got, ok := answers[key].(*sdk.ElicitResult)
	if !ok || got == nil || got.Action != "accept" {
		return nil
	}
	return got.Content
}

func field(answers sdk.InputResponseMap, key, name string) string {
	value, _ := accepted(answers, key)[name].(string)
	return value
}

func sampled(answers sdk.InputResponseMap, key string) (string, bool) {
	got, ok := answers[key].(*sdk.CreateMessageWithToolsResult)
	if !ok || got == nil {
		return "", false
	}
	for _, c := range got.Content {
		if words, ok := c.(*sdk.TextContent); ok {
			return words.Text, true
		}
	}
	return "", true
}

func roundElicitation(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if name := field(req.Params.InputResponses, "user_name", "name"); name != "" {
		return said("Hello, %s!", name)
	}
	return needs("", sdk.InputRequestMap{"user_name": question("What is your name?", "name", "string")})
}

func roundSampling(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if words, ok := sampled(req.Params.InputResponses, "capital_question"); ok {
		return said("Sampling response: %s", words)
	}
	return needs("", sdk.InputRequestMap{"capital_question": prompt("What is the capital of France?")})
}

func roundRoots(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if got, ok := req.Params.InputResponses["client_roots"].(*sdk.ListRootsResult); ok && got != nil {
		return said("The client has %d roots.", len(got.Roots))
	}
	return needs("", sdk.InputRequestMap{"client_roots": &sdk.ListRootsParams{}})
}

// sealed is the state of a round that waits for a yes.
const sealed = "waits-for-confirmation"

func roundState(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	switch req.Params.RequestState {
	case "":
	case sealed:
		if accepted(req.Params.InputResponses, "confirm") != nil {
			return said("state-ok: the state came back with a confirmation")
		}
	default:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "The requestState is not one of ours."}
	}
	return needs(sealed, sdk.InputRequestMap{"confirm": question("Please confirm", "ok", "boolean")})
}

func roundAll(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	answers := req.Params.InputResponses
	name := field(answers, "user_name", "name")
	words, greeted := sampled(answers, "greeting")
	roots, rooted := answers["client_roots"].(*sdk.ListRootsResult)
	if name != "" && greeted && rooted && roots != nil {
		return said("%s %s, %d roots", words, name, len(roots.Roots))
	}
	return needs("all", sdk.InputRequestMap{
		"user_name": question("What is your name?", "name", "string"), "greeting": prompt("Generate a greeting"), "client_roots": &sdk.ListRootsParams{},
	})
}

// round is the state between the rounds of roundTwice.
type round struct {
	N    int
	Name string
}

func (r round) String() string {
	state, err := json.Marshal(r)
	if err != nil {
		panic(err) // a number and a text
	}
	return string(state)
}

func roundTwice(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var r round
	if req.Params.RequestState != "" {
		if err := json.NewDecoder(strings.NewReader(req.Params.RequestState)).Decode(&r); err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "The requestState is not one of ours."}
		}
	}
	switch r.N {
	case 0:
		return needs(round{N: 1}.String(), sdk.InputRequestMap{"step1": question("Step 1: What is your name?", "name", "string")})
	case 1:
		name := field(req.Params.InputResponses, "step1", "name")
		return needs(round{2, name}.String(), sdk.InputRequestMap{"step2": question("Step 2: What is your favorite color?", "color", "string")})
	}
	return said("%s likes %s", r.Name, field(req.Params.InputResponses, "step2", "color"))
}

func roundAble(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if len(req.Params.InputResponses) > 0 {
		return said("All is answered.")
	}
	asked := sdk.InputRequestMap{}
	can := req.ClientCapabilities()
	if can != nil && can.Elicitation != nil {
		asked["user_name"] = question("What is your name?", "name", "string")
	}
	if can != nil && can.Sampling != nil {
		asked["greeting"] = prompt("Generate a short greeting")
	}
	if can != nil && can.RootsV2 != nil {
		asked["client_roots"] = &sdk.ListRootsParams{}
	}
	if len(asked) == 0 {
		return said("This client can answer nothing.")
	}
	return needs("", asked)
}
