//go:build conformance

//lint:file-ignore SA1019 the suite calls what the protocol has deprecated, and so must its fixture

package conformance

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// anything is the schema of tools that take no arguments.
const anything = `{"type":"object","additionalProperties":true}`

func add(s *sdk.Server, name, says, schema string, run sdk.ToolHandler) {
	s.AddTool(&sdk.Tool{Name: name, Description: says, InputSchema: json.RawMessage(schema)}, run)
}

// always answers with the same content.
func always(content ...sdk.Content) sdk.ToolHandler {
	return func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: content}, nil
	}
}

func text(format string, args ...any) *sdk.TextContent {
	return &sdk.TextContent{Text: fmt.Sprintf(format, args...)}
}

func said(format string, args ...any) (*sdk.CallToolResult, error) {
	return &sdk.CallToolResult{Content: []sdk.Content{text(format, args...)}}, nil
}

// failed is a failure of the tool that the model is to read.
func failed(err error) (*sdk.CallToolResult, error) {
	return &sdk.CallToolResult{Content: []sdk.Content{text("%v", err)}, IsError: true}, nil
}

// The smallest files of their types: a red pixel and no sound.
const (
	pixel   = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
	silence = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
)

func file(in string) []byte {
	data, err := base64.StdEncoding.DecodeString(in)
	if err != nil {
		panic(err) // one of the constants above
	}
	return data
}

func image() *sdk.ImageContent {
	return &sdk.ImageContent{Data: file(pixel), MIMEType: "image/png"}
}

func embedded(uri, content string) *sdk.EmbeddedResource {
	return &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: uri, MIMEType: "text/plain", Text: content}}
}

// addContents adds the tools that show each kind of content, schema and
// notification.
func addContents(s *sdk.Server) {
	add(s, "test_simple_text", "Answers with a text", anything, always(text("This is a simple text response for testing.")))
	add(s, "test_image_content", "Answers with a picture", anything, always(image()))
	add(s, "test_audio_content", "Answers with a sound", anything, always(&sdk.AudioContent{Data: file(silence), MIMEType: "audio/wav"}))
	add(s, "test_embedded_resource", "Answers with a resource", anything, always(embedded("test://embedded-resource", "This is an embedded resource content.")))
	add(s, "test_multiple_content_types", "Answers with a text, a picture and a resource", anything, always(
		text("Multiple content types test:"), image(), embedded("test://mixed-content-resource", "A resource among others")))
	add(s, "test_error_handling", "Fails", anything, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return failed(fmt.Errorf("this tool intentionally returns an error for testing"))
	})
	add(s, "test_tool_with_logging", "Logs three lines while it runs", anything, logs("Tool execution started", "Tool processing data", "Tool execution completed"))
	add(s, "test_logging_tool", "Logs a line when the caller asked for lines", anything, logs("test_logging_tool executed"))
	add(s, "test_tool_with_progress", "Tells its progress three times", anything, progress)
	add(s, "test_reconnection", "Closes the stream before it answers", anything, reconnect)
	add(s, "test_streaming_elicitation", "Answers with nothing but a result", anything, always(text("Only the result is on this stream.")))
	add(s, "test_missing_capability", "Needs a client that can sample", anything, needsSampling)
	add(s, "json_schema_2020_12_tool", "Has a schema with words of draft 2020-12", schema2020, echo)
	add(s, "test_x_mcp_header", "Has an argument that is repeated in a header", headerSchema, echo)
}

const schema2020 = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
	"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {
		"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]}, "phone": {"type": "string"}, "email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]}, "else": {"required": ["email"]}, "additionalProperties": false
}`

const headerSchema = `{"type": "object", "properties": {
	"region": {"type": "string", "description": "repeated in Mcp-Param-Region", "x-mcp-header": "Region"},
	"level": {"type": "integer", "description": "not repeated"}
}}`

func echo(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	return said("called with %s", req.Params.Arguments)
}

// pause is long enough for one notification to leave before the next.
const pause = 50 * time.Millisecond

func logs(lines ...string) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		for i, line := range lines {
			if i > 0 {
				time.Sleep(pause)
			}
			if err := req.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "info", Data: line}); err != nil {
				return failed(err)
			}
		}
		return said("Logged %d lines.", len(lines))
	}
}

func progress(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	token := req.Params.GetProgressToken()
	for _, done := range []float64{0, 50, 100} {
		err := req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
			ProgressToken: token, Progress: done, Total: 100, Message: fmt.Sprintf("Completed step %.0f of 100", done),
		})
		if err != nil {
			return failed(err)
		}
		time.Sleep(pause)
	}
	return said("%v", token)
}

func reconnect(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if req.Extra != nil && req.Extra.CloseSSEStream != nil {
		req.Extra.CloseSSEStream(sdk.CloseSSEStreamArgs{RetryAfter: 10 * time.Millisecond})
	}
	time.Sleep(2 * pause)
	return said("The client came back after its stream was closed.")
}

func needsSampling(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if can := req.ClientCapabilities(); can != nil && can.Sampling != nil {
		return said("The client can sample.")
	}
	data, err := json.Marshal(sdk.MissingRequiredClientCapabilityData{RequiredCapabilities: &sdk.ClientCapabilities{Sampling: &sdk.SamplingCapabilities{}}})
	if err != nil {
		return nil, err
	}
	return nil, &jsonrpc.Error{Code: sdk.CodeMissingRequiredClientCapabilities, Message: "The client must be able to sample.", Data: data}
}
