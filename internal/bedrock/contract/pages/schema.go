package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// schema is the part of JSON Schema that the inputs of tools use: everything
// is inlined, and an object names its members in order.
type schema struct {
	Type        kinds
	Description string
	Enum        []any
	Format      string
	Minimum     *json.Number
	Maximum     *json.Number
	MaxLength   *int
	Items       *schema
	Properties  members
	Required    []string
}

// kinds are the JSON types that a value may have.
type kinds []string

// UnmarshalJSON reads one type or a list of them.
func (k *kinds) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte("[")) {
		return json.Unmarshal(text, (*[]string)(k))
	}
	*k = kinds{""}
	return json.Unmarshal(text, &(*k)[0])
}

type member struct {
	name string
	of   *schema
}

type members []member

// UnmarshalJSON keeps the order of the members.
func (m *members) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		one := member{name: fmt.Sprint(name), of: &schema{}}
		if err := d.Decode(one.of); err != nil {
			return err
		}
		*m = append(*m, one)
	}
	return nil
}

// read decodes a schema. It was compiled at the start, so it can be read.
func read(input json.RawMessage) *schema {
	s := &schema{}
	_ = json.Unmarshal(input, s)
	return s
}

// argument is one row of a tool's table.
type argument struct {
	Name     string // weeks[].days[].weekday for one inside others
	Type     string
	Required bool
	Range    string
	Doc      string
}

// arguments lists the members of an object and what is inside them.
func (s *schema) arguments(under string) []argument {
	var list []argument
	for _, m := range s.Properties {
		a := argument{Name: under + m.name, Type: m.of.kind(), Required: slices.Contains(s.Required, m.name), Range: m.of.limits(), Doc: m.of.Description}
		list = append(list, a)
		inside, name := m.of, a.Name+"."
		if m.of.Items != nil {
			inside, name = m.of.Items, a.Name+"[]."
		}
		list = append(list, inside.arguments(name)...)
	}
	return list
}

// kind says which JSON a value is: "integer or null", "array of string".
func (s *schema) kind() string {
	text := strings.Join(s.Type, " or ")
	if s.Items != nil && len(s.Items.Type) > 0 {
		text = strings.Replace(text, "array", "array of "+s.Items.kind(), 1)
	}
	if text == "" {
		return "any"
	}
	return text
}

// limits says which values are taken.
func (s *schema) limits() string {
	switch {
	case len(s.Enum) > 0:
		return s.choices()
	case s.Minimum != nil && s.Maximum != nil:
		return s.Minimum.String() + " to " + s.Maximum.String()
	case s.Minimum != nil:
		return s.Minimum.String() + " or more"
	case s.Maximum != nil:
		return s.Maximum.String() + " or less"
	case s.MaxLength != nil:
		return fmt.Sprintf("at most %d characters", *s.MaxLength)
	case s.Format == "date":
		return "YYYY-MM-DD"
	case s.Format == "date-time":
		return "RFC 3339, such as 2026-03-02T18:00:00Z"
	case s.Items != nil:
		return s.Items.limits()
	}
	return s.Format
}

func (s *schema) choices() string {
	var words []string
	for _, v := range s.Enum {
		if v != nil {
			words = append(words, fmt.Sprint(v))
		}
	}
	return strings.Join(words, ", ")
}
