package contract

import (
	"context"
	"strings"
	"testing"

	"tectonic/internal/bedrock/db"
)

func TestInputSchema(t *testing.T) {
	t.Parallel()
	wantSameJSON(t, setTool().Input, `{
		"type": "object", "additionalProperties": false, "required": ["weight", "reps"],
		"properties": {
			"weight": {"type": "integer", "description": "Weight in pounds."},
			"reps": {"type": "integer", "minimum": 1, "maximum": 5000},
			"measure": {"type": "string", "enum": ["reps", "time"]},
			"day": {"type": "string", "format": "date"},
			"done_at": {"type": "string", "format": "date-time"},
			"note": {"type": ["string", "null"], "maxLength": 1200, "description": "Free text; null clears it."},
			"side": {"type": ["string", "null"], "enum": ["left", "right", null]},
			"tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
			"share": {"type": "number"},
			"done": {"type": "boolean"},
			"places": {"type": "array", "items": {
				"type": "object", "additionalProperties": false, "required": ["position"],
				"properties": {"position": {"type": "integer"}, "name": {"type": "string"}}}},
			"extra": {
				"type": ["object", "null"], "additionalProperties": false, "required": ["position"],
				"properties": {"position": {"type": "integer"}, "name": {"type": "string"}}}
		}}`)
	t.Run("keeps the properties in the order of the Go type", func(t *testing.T) {
		t.Parallel()
		text := string(setTool().Input)
		if strings.Index(text, `"weight"`) > strings.Index(text, `"reps"`) {
			t.Errorf("got %s", text)
		}
	})
}

func TestOutputSchema(t *testing.T) {
	t.Parallel()
	tool := New(honest("x"), func(context.Context, *db.Tx, Caller, struct{}) (Answer[setOut], error) { return Answer[setOut]{}, nil })
	wantSameJSON(t, tool.Output, `{
		"type": "object", "additionalProperties": false,
		"required": ["id", "note", "measure", "place", "other", "places", "done_at", "changed", "inline"],
		"properties": {
			"id": {"type": "integer"},
			"note": {"type": ["string", "null"]},
			"measure": {"type": "string", "enum": ["reps", "time"]},
			"place": {"$ref": "#/$defs/setPlace"},
			"other": {"anyOf": [{"$ref": "#/$defs/setPlace"}, {"type": "null"}]},
			"places": {"type": "array", "items": {"$ref": "#/$defs/setPlace"}},
			"done_at": {"type": "string", "format": "date-time"},
			"changed": {"$ref": "#/$defs/Changed"},
			"inline": {"type": "object", "additionalProperties": false, "required": ["x"], "properties": {"x": {"type": "integer"}}}
		},
		"$defs": {
			"setPlace": {"type": "object", "additionalProperties": false, "required": ["position", "name"],
				"properties": {"position": {"type": "integer"}, "name": {"type": ["string", "null"]}}},
			"Changed": {"type": "object", "additionalProperties": {
				"type": "object", "additionalProperties": false, "required": ["from", "to"],
				"properties": {"from": {}, "to": {}}}}
		}}`)
}

func TestOutputSchemaOfAnEmptyAnswer(t *testing.T) {
	t.Parallel()
	tool := smallTool(honest("x"))
	wantSameJSON(t, tool.Output, `{"type": "object", "properties": {}, "required": [], "additionalProperties": false}`)
	if err := tool.CheckOutput([]byte(`{"more": 1}`)); err == nil {
		t.Error("an answer with an undeclared property was taken")
	}
}

// Mistakes in a Go type stop the program with a sentence about the type.
func TestMistakesInTypes(t *testing.T) {
	t.Parallel()
	mistakes := map[string]struct {
		make func()
		want string
	}{
		"a field without a json name": {func() { describe[struct{ A int }, struct{}](honest("x")) }, "has no json name"},
		"a type that JSON Schema lacks": {func() {
			describe[struct {
				A chan int `json:"a"`
			}, struct{}](honest("x"))
		}, "no schema for the Go type"},
		"a bound that is no number": {func() {
			describe[struct {
				A int `json:"a" min:"one"`
			}, struct{}](honest("x"))
		}, "tag min of A"},
	}
	for name, c := range mistakes {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, c.want) {
					t.Errorf("got %q, want %q", got, c.want)
				}
			}()
			c.make()
			t.Error("nothing stopped the program")
		})
	}
}

func TestTwoTypesOfOneName(t *testing.T) {
	t.Parallel()
	type first struct {
		A setPlace `json:"a"`
	}
	outer := func() any {
		type setPlace struct {
			B int `json:"b"`
		}
		type both struct {
			First  first    `json:"first"`
			Second setPlace `json:"second"`
		}
		return func() { describe[struct{}, both](honest("x")) }
	}
	defer func() {
		if got, _ := recover().(string); !strings.Contains(got, "would share one definition") {
			t.Errorf("got %q", got)
		}
	}()
	outer().(func())()
	t.Error("two types shared one definition")
}

func TestAMapIsAnyObject(t *testing.T) {
	t.Parallel()
	type out struct {
		Metadata map[string]any `json:"metadata"`
	}
	tool := New(honest("x"), func(context.Context, *db.Tx, Caller, struct{}) (Answer[out], error) { return Answer[out]{}, nil })
	wantSameJSON(t, tool.Output, `{"type": "object", "additionalProperties": false, "required": ["metadata"], "properties": {"metadata": {"type": "object"}}}`)
}
