package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"tectonic/internal/bedrock/contract"
)

type object = map[string]any

// openAPI describes every tool as an operation (OpenAPI 3.1, whose schemas
// are JSON Schema 2020-12, as ours are).
func openAPI(o Options) ([]byte, error) {
	paths := object{}
	var tags []object
	for _, p := range o.Plates {
		tags = append(tags, object{"name": p.Tools.Plate(), "description": p.Title})
		for _, t := range p.Tools.Tools() {
			if !t.Offered(contract.OverAPI) {
				continue
			}
			operations, err := operations(p.Tools.Plate(), t)
			if err != nil {
				return nil, fmt.Errorf("describe %s.%s: %w", p.Tools.Plate(), t.Name, err)
			}
			paths["/api/v1/"+p.Tools.Plate()+"/"+t.Name] = operations
		}
	}
	return json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Tectonic", "version": o.Version,
			"description": "Every tool that assistants have, for scripts. A token is made under Settings. Instants are RFC 3339 in UTC; days are YYYY-MM-DD.",
		},
		"servers":    []object{{"url": o.BaseURL}},
		"security":   []object{{"token": []string{}}},
		"tags":       tags,
		"paths":      paths,
		"components": components(),
	}, "", "  ")
}

func operations(plate string, t *contract.Tool) (object, error) {
	var in, out object
	if err := json.Unmarshal(t.Input, &in); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(t.Output, &out); err != nil {
		return nil, err
	}
	rebase(out, "#/$defs/", "#/paths/"+escape("/api/v1/"+plate+"/"+t.Name)+"/post/responses/200/content/application~1json/schema/$defs/")
	shared := object{
		"tags": []string{plate}, "summary": t.Title, "description": t.Description(), "responses": responses(out),
		"x-tectonic-scope": t.Scope,
	}
	post := maps.Clone(shared)
	post["operationId"] = plate + "_" + t.Name
	post["requestBody"] = object{"required": len(required(in)) > 0, "content": object{"application/json": object{"schema": in}}}
	if !t.ReadOnly.True() {
		post["parameters"] = []object{{"$ref": "#/components/parameters/IdempotencyKey"}}
		return object{"post": post}, nil
	}
	get := maps.Clone(shared)
	get["operationId"] = plate + "_" + t.Name + "_get"
	get["parameters"] = parameters(t, in)
	return object{"post": post, "get": get}, nil
}

// parameters are the arguments of a read, as the query carries them.
func parameters(t *contract.Tool, in object) []object {
	needed := required(in)
	properties, _ := in["properties"].(object)
	list := []object{}
	for _, p := range t.Properties() {
		list = append(list, object{"name": p.Name, "in": "query", "required": needed[p.Name], "schema": properties[p.Name]})
	}
	return list
}

func required(schema object) map[string]bool {
	names := map[string]bool{}
	list, _ := schema["required"].([]any)
	for _, name := range list {
		if text, ok := name.(string); ok {
			names[text] = true
		}
	}
	return names
}

func responses(out object) object {
	return object{
		"200":     object{"description": "The answer of the tool.", "content": object{"application/json": object{"schema": out}}},
		"default": object{"$ref": "#/components/responses/Refusal"},
	}
}

func components() object {
	text := object{"type": "string"}
	return object{
		"securitySchemes": object{"token": object{"type": "http", "scheme": "bearer", "description": "A personal token or an OAuth access token."}},
		"parameters": object{"IdempotencyKey": object{
			"name": "Idempotency-Key", "in": "header", "schema": object{"type": "string", "maxLength": 64},
			"description": "Chosen by you. The same key with the same arguments answers the first result again, for 7 days.",
		}},
		"responses": object{"Refusal": object{
			"description": "What was refused, why, and what to do next.",
			"content":     object{"application/json": object{"schema": object{"$ref": "#/components/schemas/Refusal"}}},
		}},
		"schemas": object{"Refusal": object{
			"type": "object", "required": []string{"error"}, "properties": object{"error": object{
				"type": "object", "required": []string{"code", "message"}, "properties": object{
					"code": text, "message": text, "remedy": text, "ref": text, "details": object{"type": "object"},
					"fields": object{"type": "array", "items": object{"type": "object", "properties": object{"path": text, "problem": text}}},
				},
			}},
		}},
	}
}

// rebase points the references of a schema to where it stands in the document.
func rebase(v any, from, to string) {
	switch v := v.(type) {
	case object:
		if ref, ok := v["$ref"].(string); ok && strings.HasPrefix(ref, from) {
			v["$ref"] = to + strings.TrimPrefix(ref, from)
		}
		for _, inner := range v {
			rebase(inner, from, to)
		}
	case []any:
		for _, inner := range v {
			rebase(inner, from, to)
		}
	}
}

// escape writes a key as one step of a JSON pointer in an address.
func escape(key string) string {
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}
