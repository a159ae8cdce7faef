package contract

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/fault"
)

// Property describes one argument of a tool to the surfaces that spell
// arguments as text: forms, flags and query strings.
type Property struct {
	Name     string
	Label    string
	Type     string // string, integer, boolean, number, array or object
	Doc      string
	Enum     []string
	Required bool
	Nullable bool
}

// Properties returns the arguments of the tool in their order.
func (t *Tool) Properties() []Property {
	list := make([]Property, 0, len(t.shape.Properties.names))
	for _, name := range t.shape.Properties.names {
		p := t.shape.Properties.by[name]
		one := Property{Name: name, Label: p.label, Type: typeName(p.Type), Doc: p.Description, Required: !p.optional, Nullable: p.nullable}
		if one.Label == "" {
			one.Label = Label(name)
		}
		for _, v := range p.Enum {
			if s, ok := v.(string); ok {
				one.Enum = append(one.Enum, s)
			}
		}
		list = append(list, one)
	}
	return list
}

func typeName(t any) string {
	switch t := t.(type) {
	case string:
		return t
	case []any:
		return typeName(t[0])
	}
	return "object"
}

// FromText builds the arguments of a tool from values typed as text. A blank
// value is left out, sent as null where the argument takes null, or sent as it
// is where a text is required. Names that
// are not arguments of the tool are ignored, since a form also carries its
// tokens. A value that cannot be read is refused with its label.
func (t *Tool) FromText(values map[string][]string) (json.RawMessage, error) {
	args := map[string]any{}
	for _, p := range t.Properties() {
		texts, sent := values[p.Name]
		if !sent || len(texts) == 0 {
			continue
		}
		value, use, err := p.read(texts[len(texts)-1])
		if err != nil {
			return nil, err
		}
		if use {
			args[p.Name] = value
		}
	}
	return Encode(args)
}

// read turns one typed value into JSON; use is false when it is to be left out.
func (p Property) read(text string) (value any, use bool, err error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" && p.Type == "string" && p.Required && !p.Nullable {
		return text, true, nil // the tool says what a blank means here
	}
	if trimmed == "" {
		return nil, p.Nullable, nil
	}
	switch p.Type {
	case "integer":
		n, err := WholeNumber(p.Label, trimmed)
		if err != nil {
			return nil, false, err.At(p.Name)
		}
		return n, true, nil
	case "number":
		n, err := strconv.ParseFloat(trimmed, 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
			return nil, false, fault.BadArgument("%s \"%s\" is not a number.", p.Label, fault.Clip(trimmed)).At(p.Name)
		}
		return n, true, nil
	case "boolean":
		switch strings.ToLower(trimmed) {
		case "1", "true", "on", "yes":
			return true, true, nil
		case "0", "false", "off", "no":
			return false, true, nil
		}
		return nil, false, fault.BadArgument("%s \"%s\" is not yes or no.", p.Label, fault.Clip(trimmed)).At(p.Name)
	case "array", "object":
		if !json.Valid([]byte(trimmed)) {
			return nil, false, fault.BadArgument("%s is not valid JSON.", p.Label).At(p.Name)
		}
		return json.RawMessage(trimmed), true, nil
	}
	return text, true, nil
}

// WholeNumber reads a typed whole number. The label begins the sentence that
// refuses anything else; mark the field with At.
func WholeNumber(label, typed string) (int64, *fault.Refusal) {
	n, err := strconv.ParseInt(typed, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fault.BadArgument("%s %s is out of range.", label, fault.Clip(typed))
	case err != nil:
		return 0, fault.BadArgument("%s \"%s\" is not a whole number.", label, fault.Clip(typed))
	}
	return n, nil
}
