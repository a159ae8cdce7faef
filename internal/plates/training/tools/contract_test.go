package tools_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/plates/training/tools"
)

// published is a tool as the contract of the plate describes it.
type published struct {
	Name        string         `json:"name"`
	Title       string         `json:"title"`
	Scope       string         `json:"scope"`
	Description string         `json:"description"`
	Reason      string         `json:"annotation_reason"`
	Annotations map[string]any `json:"annotations"`
	Input       any            `json:"inputSchema"`
	Output      any            `json:"outputSchema"`
}

func TestToolsAreThePublishedOnes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../testdata/training-tools.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []published
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	by := map[string]published{}
	for _, p := range all {
		by[p.Name] = p
	}
	seen := 0
	for _, tool := range tools.All("") {
		want, ok := by[tool.Name]
		if onMCP := tool.Surfaces&contract.OnMCP != 0; ok != onMCP {
			t.Errorf("%s: published %v, offered to assistants %v", tool.Name, ok, onMCP)
		}
		if !ok {
			continue
		}
		seen++
		t.Run(tool.Name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(unordered(want), unordered(described(t, tool))); diff != "" {
				t.Errorf("published and built differ (-published +built):\n%s", diff)
			}
		})
	}
	if seen != len(all) {
		t.Errorf("%d of the %d published tools are built", seen, len(all))
	}
}

func described(t *testing.T, tool contract.Tool) published {
	t.Helper()
	p := published{
		Name: tool.Name, Title: tool.Title, Scope: tool.Scope, Description: tool.Says, Reason: tool.Why,
		Annotations: map[string]any{
			"title": tool.Title, "readOnlyHint": tool.ReadOnly.True(), "destructiveHint": tool.Destructive.True(),
			"idempotentHint": tool.Idempotent.True(), "openWorldHint": tool.OpenWorld.True(),
		},
	}
	for raw, into := range map[*json.RawMessage]*any{&tool.Input: &p.Input, &tool.Output: &p.Output} {
		if err := json.Unmarshal(*raw, into); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// unordered sorts the lists of required properties, whose order means nothing.
func unordered(p published) published {
	p.Input, p.Output = sorted(p.Input), sorted(p.Output)
	return p
}

func sorted(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if names, ok := e.([]any); ok && k == "required" {
				slices.SortFunc(names, func(a, b any) int { return cmpText(a, b) })
			}
			v[k] = sorted(e)
		}
	case []any:
		for i, e := range v {
			v[i] = sorted(e)
		}
	}
	return v
}

func cmpText(a, b any) int {
	x, _ := a.(string)
	y, _ := b.(string)
	return slices.Compare([]byte(x), []byte(y))
}
