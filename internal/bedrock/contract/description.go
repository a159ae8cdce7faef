package contract

import (
	"fmt"
	"slices"
	"strings"

	"tectonic/internal/bedrock/fault"
)

// Description is what is published of a tool: what it says of itself, and two
// sentences made from its types, which therefore cannot go out of date.
func (t *Tool) Description() string {
	return t.Says + " " + t.returns() + " " + t.errors()
}

// returns names every path of the answer. An object that has a name is spelled
// out where it comes first.
func (t *Tool) returns() string {
	w := pathWriter{defs: t.answer.Defs, told: map[string]bool{}}
	return fmt.Sprintf("Returns (presentation contract v%d): %s.", Version, w.properties(t.answer.Properties))
}

func (t *Tool) errors() string {
	codes := t.Codes()
	words := make([]string, len(codes))
	for i, c := range codes {
		words[i] = string(c)
	}
	return "Errors: " + strings.Join(words, ", ") + "."
}

// Codes returns every code that a call of the tool may be refused with, in
// their order: those that any call may meet, and those of the handler.
func (t *Tool) Codes() []fault.Code {
	codes := []fault.Code{
		fault.CodeBadArguments, fault.CodeScopeMissing, fault.CodeRateLimited, fault.CodeTooLarge,
		fault.CodeTimeout, fault.CodeDBUnavailable, fault.CodeInternal,
	}
	if !t.ReadOnly.True() {
		codes = append(codes, fault.CodeWritesDisabled, fault.CodeConflict) // a request id may be taken
	}
	if t.Outside() {
		codes = append(codes, fault.CodeRecordUnavailable)
	}
	codes = append(codes, t.Errors...)
	slices.Sort(codes)
	return slices.Compact(codes)
}

// pathWriter writes the paths of a schema.
type pathWriter struct {
	defs map[string]*schema
	told map[string]bool // named objects that are spelled out already
}

func (w *pathWriter) properties(p *properties) string {
	words := make([]string, len(p.names))
	for i, name := range p.names {
		words[i] = name + w.value(p.by[name].schema)
	}
	return strings.Join(words, ", ")
}

// value is what stands behind the name of a property: nothing for a plain
// value, [] for a list, and what an object holds.
func (w *pathWriter) value(s *schema) string {
	switch {
	case len(s.AnyOf) > 0:
		return w.value(s.AnyOf[0])
	case s.Ref != "":
		return " " + w.named(strings.TrimPrefix(s.Ref, "#/$defs/"))
	case s.Items != nil:
		return "[]" + w.value(s.Items)
	case s.Properties != nil:
		return " {" + w.properties(s.Properties) + "}"
	}
	return ""
}

func (w *pathWriter) named(name string) string {
	def := w.defs[name]
	if w.told[name] || def == nil || def.Properties == nil {
		return name
	}
	w.told[name] = true
	return name + " {" + w.properties(def.Properties) + "}"
}
