package contract

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Reference writes the tools of the registries as a page of documentation.
func Reference(registries ...*Registry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Tools\n\nContract version %d. Written by `make generate` from the tools themselves.\n", Version)
	for _, r := range registries {
		fmt.Fprintf(&b, "\n## Plate %s\n", r.Plate())
		for _, t := range r.Tools() {
			t.reference(&b)
		}
	}
	return b.String()
}

func (t *Tool) reference(b *strings.Builder) {
	fmt.Fprintf(b, "\n### `%s`: %s\n\n%s\n\n", t.Name, t.Title, t.Says)
	fmt.Fprintf(b, "Scope `%s`. %s. %s Offered on %s.\n\n", t.Scope, t.hintWords(), t.Why, t.Surfaces)
	if p := t.Properties(); len(p) > 0 {
		b.WriteString("| Argument | Type | Required | Meaning |\n|---|---|---|---|\n")
		for _, a := range p {
			fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", a.Name, t.kind(a.Name), yesNo(a.Required), strings.ReplaceAll(a.Doc, "|", "\\|"))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "%s\n\n%s\n", t.returns(), t.errors())
}

func (t *Tool) hintWords() string {
	var words []string
	for _, h := range []struct {
		is       Hint
		yes, not string
	}{
		{t.ReadOnly, "Reads only", "Writes"},
		{t.Destructive, "destructive", "not destructive"},
		{t.Idempotent, "idempotent", "not idempotent"},
		{t.OpenWorld, "reaches outside", "reaches nothing outside"},
	} {
		if h.is.True() {
			words = append(words, h.yes)
		} else {
			words = append(words, h.not)
		}
	}
	return strings.Join(words, ", ")
}

// kind is the type of an argument with its range, from the schema.
func (t *Tool) kind(name string) string {
	var s struct {
		Type             any
		Enum             []any
		Minimum, Maximum *json.Number
		MaxLength        *int
	}
	raw, _ := json.Marshal(t.shape.Properties.by[name].schema) // it was encoded at the start
	_ = json.Unmarshal(raw, &s)
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Type), " ", " or "), "[]")
	switch {
	case s.Enum != nil:
		text = strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Enum), " ", ", "), "[]")
	case s.Minimum != nil && s.Maximum != nil:
		text += fmt.Sprintf(", %s to %s", *s.Minimum, *s.Maximum)
	case s.MaxLength != nil:
		text += fmt.Sprintf(", at most %d characters", *s.MaxLength)
	}
	return text
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return ""
}
