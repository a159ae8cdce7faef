package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/dbtype"
)

// schema is the part of JSON Schema 2020-12 that tools use.
type schema struct {
	Type        any                `json:"type,omitempty"`
	Description string             `json:"description,omitempty"`
	Enum        []any              `json:"enum,omitempty"`
	Format      string             `json:"format,omitempty"`
	MaxLength   *int               `json:"maxLength,omitempty"`
	Minimum     *int64             `json:"minimum,omitempty"`
	Maximum     *int64             `json:"maximum,omitempty"`
	Items       *schema            `json:"items,omitempty"`
	Ref         string             `json:"$ref,omitempty"`
	AnyOf       []*schema          `json:"anyOf,omitempty"`
	Properties  *properties        `json:"properties,omitempty"`
	Required    *[]string          `json:"required,omitempty"`
	Additional  any                `json:"additionalProperties,omitempty"`
	Defs        map[string]*schema `json:"$defs,omitempty"`
}

// properties keeps the order in which the Go type declares its fields.
type properties struct {
	names []string
	by    map[string]*property
}

type property struct {
	*schema
	label    string
	optional bool
	nullable bool
}

func (p *properties) add(name string, prop *property) {
	p.names = append(p.names, name)
	p.by[name] = prop
}

// MarshalJSON writes the properties in their order.
func (p *properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range p.names {
		if i > 0 {
			b.WriteByte(',')
		}
		value, err := json.Marshal(p.by[name].schema)
		if err != nil {
			return nil, fmt.Errorf("property %s: %w", name, err)
		}
		fmt.Fprintf(&b, "%q:%s", name, value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// schemaMaker derives schemas from Go types. An input is inlined and closed,
// and a pointer, an Opt or omitempty makes a property optional. In an output
// every field is required, a pointer is nullable and a named struct becomes a
// definition.
type schemaMaker struct {
	output bool
	defs   map[string]*schema
	types  map[string]reflect.Type // of each definition
}

func inputSchema(t reflect.Type) *schema {
	m := &schemaMaker{}
	return m.object(t)
}

func outputSchema(t reflect.Type) *schema {
	m := &schemaMaker{output: true, defs: map[string]*schema{}, types: map[string]reflect.Type{}}
	s := m.object(t)
	if len(m.defs) > 0 {
		s.Defs = m.defs
	}
	return s
}

func (m *schemaMaker) object(t reflect.Type) *schema {
	props := &properties{by: map[string]*property{}}
	required := []string{}
	m.fields(t, props)
	for _, name := range props.names {
		if m.output || !props.by[name].optional {
			required = append(required, name)
		}
	}
	return &schema{Type: "object", Properties: props, Required: &required, Additional: false}
}

func (m *schemaMaker) fields(t reflect.Type, into *properties) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && f.Tag.Get("json") == "" {
			m.fields(f.Type, into)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			panic(fmt.Sprintf("contract: %s.%s has no json name", t, f.Name))
		}
		p := m.property(f)
		p.optional = p.optional || strings.Contains(options, "omitempty")
		into.add(name, p)
	}
}

func (m *schemaMaker) property(f reflect.StructField) *property {
	p := &property{label: f.Tag.Get("label")}
	t := f.Type
	switch {
	case t.Kind() == reflect.Pointer:
		p.optional, p.nullable, t = true, m.output, t.Elem()
	case isOpt(t):
		p.optional, p.nullable, t = true, true, t.Field(2).Type
	}
	p.schema = m.value(t)
	m.constrain(p.schema, f)
	if p.nullable {
		p.schema = nullable(p.schema)
	}
	return p
}

// constrain applies the field's tags. On a list they are about its items.
func (m *schemaMaker) constrain(s *schema, f reflect.StructField) {
	s.Description = f.Tag.Get("doc")
	for s.Items != nil {
		s = s.Items
	}
	if format := f.Tag.Get("format"); format != "" {
		s.Format = format
	}
	if enum := f.Tag.Get("enum"); enum != "" {
		for _, v := range strings.Split(enum, ",") {
			s.Enum = append(s.Enum, v)
		}
	}
	s.MaxLength = intTag[int](f, "maxlen")
	s.Minimum = intTag[int64](f, "min")
	s.Maximum = intTag[int64](f, "max")
}

func intTag[T int | int64](f reflect.StructField, name string) *T {
	text := f.Tag.Get(name)
	if text == "" {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("contract: tag %s of %s: %v", name, f.Name, err))
	}
	v := T(n)
	return &v
}

func nullable(s *schema) *schema {
	if s.Ref != "" {
		return &schema{AnyOf: []*schema{s, {Type: "null"}}}
	}
	if s.Type != nil {
		s.Type = []any{s.Type, "null"}
	}
	if s.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
	return s
}

var (
	timeType    = reflect.TypeFor[dbtype.Time]()
	dateType    = reflect.TypeFor[dbtype.Date]()
	changedType = reflect.TypeFor[Changed]()
	rawType     = reflect.TypeFor[json.RawMessage]()
)

func (m *schemaMaker) value(t reflect.Type) *schema {
	switch t {
	case timeType:
		return &schema{Type: "string", Format: "date-time"}
	case dateType:
		return &schema{Type: "string", Format: "date"}
	case changedType:
		m.defs["Changed"] = changedSchema()
		return &schema{Ref: "#/$defs/Changed"}
	case rawType:
		return &schema{}
	}
	switch t.Kind() {
	case reflect.String:
		return &schema{Type: "string"}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Int, reflect.Int64, reflect.Int32:
		return &schema{Type: "integer"}
	case reflect.Float64:
		return &schema{Type: "number"}
	case reflect.Slice:
		return &schema{Type: "array", Items: m.value(t.Elem())}
	case reflect.Interface:
		return &schema{}
	case reflect.Map:
		return &schema{Type: "object"} // any object
	case reflect.Struct:
		return m.structValue(t)
	}
	panic(fmt.Sprintf("contract: no schema for the Go type %s", t))
}

func (m *schemaMaker) structValue(t reflect.Type) *schema {
	if !m.output || t.Name() == "" {
		return m.object(t)
	}
	if _, seen := m.defs[t.Name()]; !seen {
		m.defs[t.Name()] = nil // a type that holds itself must not loop
		m.types[t.Name()] = t
		m.defs[t.Name()] = m.object(t)
	}
	if m.types[t.Name()] != t {
		panic(fmt.Sprintf("contract: %s and %s would share one definition", m.types[t.Name()], t))
	}
	return &schema{Ref: "#/$defs/" + t.Name()}
}

// Changed lists what a write moved: the property, its old and its new value.
type Changed map[string]Change

// Change is one value before and after.
type Change struct {
	From any `json:"from"`
	To   any `json:"to"`
}

func changedSchema() *schema {
	one := &properties{by: map[string]*property{}}
	one.add("from", &property{schema: &schema{}})
	one.add("to", &property{schema: &schema{}})
	return &schema{Type: "object", Additional: &schema{
		Type: "object", Properties: one, Required: &[]string{"from", "to"}, Additional: false,
	}}
}
