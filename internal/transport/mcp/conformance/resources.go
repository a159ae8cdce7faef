//go:build conformance

package conformance

import (
	"context"
	"encoding/json"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func addResources(s *sdk.Server) {
	s.AddResource(&sdk.Resource{Name: "static-text", Description: "A text", MIMEType: "text/plain", URI: "test://static-text"},
		reads(sdk.ResourceContents{MIMEType: "text/plain", Text: "This is the content of the static text resource."}))
	s.AddResource(&sdk.Resource{Name: "static-binary", Description: "A picture", MIMEType: "image/png", URI: "test://static-binary"},
		reads(sdk.ResourceContents{MIMEType: "image/png", Blob: file(pixel)}))
	s.AddResource(&sdk.Resource{Name: "watched-resource", Description: "One to subscribe to", MIMEType: "text/plain", URI: "test://watched-resource"},
		reads(sdk.ResourceContents{MIMEType: "text/plain", Text: "Watched resource content"}))
	s.AddResourceTemplate(&sdk.ResourceTemplate{Name: "template", Description: "A resource for every id", MIMEType: "application/json", URITemplate: "test://template/{id}/data"}, readTemplate)
}

func reads(content sdk.ResourceContents) sdk.ResourceHandler {
	return func(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		c := content
		c.URI = req.Params.URI
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{&c}}, nil
	}
}

func readTemplate(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
	data, err := json.Marshal(map[string]any{"id": id, "templateTest": true, "data": "Data for ID: " + id})
	if err != nil {
		return nil, err
	}
	return reads(sdk.ResourceContents{MIMEType: "application/json", Text: string(data)})(ctx, req)
}
