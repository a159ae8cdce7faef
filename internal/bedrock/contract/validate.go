package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"tectonic/internal/bedrock/fault"
)

var english = message.NewPrinter(language.English)

// Arguments checks raw arguments against the input schema and returns them
// with integral numbers written as integers (155.0 becomes 155). Absent and
// null arguments are an empty object. All failures are named in one refusal.
func (t *Tool) Arguments(raw json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(raw)) == 0 || string(bytes.TrimSpace(raw)) == "null" {
		raw = json.RawMessage("{}")
	}
	if len(raw) > t.MaxBody {
		return nil, bodyTooLarge(t, len(raw))
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fault.BadArgument("The arguments are not valid JSON.").Because(err)
	}
	if err := t.in.Validate(value); err != nil {
		return nil, t.badArguments(err)
	}
	return Encode(integral(value))
}

// CheckOutput reports how a payload differs from the output schema.
func (t *Tool) CheckOutput(payload json.RawMessage) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(payload))
	if err != nil {
		return fmt.Errorf("the answer of %s is not JSON: %w", t.Name, err)
	}
	if err := t.out.Validate(value); err != nil {
		return fmt.Errorf("the answer of %s does not match its schema: %w", t.Name, err)
	}
	return nil
}

func bodyTooLarge(t *Tool, size int) *fault.Refusal {
	return &fault.Refusal{
		Kind: fault.TooLarge, Code: fault.CodeTooLarge,
		Message: fmt.Sprintf("The arguments are %d bytes and the limit for %s is %d.", size, t.Name, t.MaxBody),
		Remedy:  "Send less in one call.",
	}
}

// integral rewrites numbers such as 155.0 and 1e2 as integers, so that a
// client which sends floats reaches an integer field.
func integral(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = integral(e)
		}
	case []any:
		for i, e := range v {
			v[i] = integral(e)
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") && f == float64(int64(f)) {
			return json.Number(fmt.Sprintf("%d", int64(f)))
		}
	}
	return v
}

// failure is one thing that is wrong, at one place.
type failure struct {
	path, problem string
	enum          bool // the problem is a whole sentence of its own
}

func (t *Tool) badArguments(err error) *fault.Refusal {
	var failed *jsonschema.ValidationError
	if !errors.As(err, &failed) {
		return fault.BadArgument("The arguments could not be checked.").Because(err)
	}
	list := t.failures(failed, nil)
	slices.SortFunc(list, func(a, b failure) int {
		return strings.Compare(a.path+"\x00"+a.problem, b.path+"\x00"+b.problem)
	})
	r := &fault.Refusal{Kind: fault.Invalid, Code: fault.CodeBadArguments, Cause: err}
	for _, f := range list {
		r.Fields = append(r.Fields, fault.Field{Path: f.path, Problem: f.problem})
	}
	r.Message, r.Remedy = sentence(list)
	return r
}

func sentence(list []failure) (message, remedy string) {
	var sentences, parts []string
	for _, f := range list {
		if f.enum {
			sentences = append(sentences, f.problem)
		}
		parts = append(parts, f.path+": "+strings.TrimSuffix(f.problem, "."))
	}
	if len(sentences) == len(list) {
		return strings.Join(sentences, " "), ""
	}
	return "Invalid arguments: " + strings.Join(parts, "; ") + ".", "Correct the named fields and call again."
}

func (t *Tool) failures(e *jsonschema.ValidationError, list []failure) []failure {
	if len(e.Causes) > 0 {
		for _, c := range e.Causes {
			list = t.failures(c, list)
		}
		return list
	}
	return append(list, t.failure(e))
}

func (t *Tool) failure(e *jsonschema.ValidationError) failure {
	f := failure{path: "/" + strings.Join(e.InstanceLocation, "/"), problem: e.ErrorKind.LocalizedString(english)}
	switch k := e.ErrorKind.(type) {
	case *kind.Enum:
		f.enum, f.problem = true, t.notOneOf(e.InstanceLocation, k)
	case *kind.AdditionalProperties:
		f.problem += t.didYouMean(k.Properties)
	case *kind.Format:
		if k.Want == "date" {
			f.problem = "is not a valid date (use YYYY-MM-DD)"
		}
	}
	return f
}

func (t *Tool) notOneOf(at []string, k *kind.Enum) string {
	var allowed []string
	for _, w := range k.Want {
		if s, ok := w.(string); ok {
			allowed = append(allowed, s)
		}
	}
	return NotOneOf(t.label(at), k.Got, allowed)
}

// NotOneOf is the sentence for a value outside a closed list.
func NotOneOf(label string, got any, allowed []string) string {
	return fmt.Sprintf("%s \"%v\" is not one of %s.", label, got, Or(allowed))
}

// Or joins words as "a, b or c".
func Or(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

func (t *Tool) label(at []string) string {
	if len(at) == 0 {
		return "Value"
	}
	name := at[len(at)-1]
	if p := t.shape.find(name); p != nil && p.label != "" {
		return p.label
	}
	return Label(name)
}

// Label turns a property name into words: "new_date" becomes "New date".
func Label(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	if words == "" {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// find returns the first property of that name anywhere in the schema.
func (s *schema) find(name string) *property {
	if s == nil {
		return nil
	}
	if s.Properties != nil {
		if p, ok := s.Properties.by[name]; ok {
			return p
		}
		for _, n := range s.Properties.names {
			if p := s.Properties.by[n].find(name); p != nil {
				return p
			}
		}
	}
	return s.Items.find(name)
}

func (t *Tool) didYouMean(unknown []string) string {
	if len(unknown) != 1 {
		return ""
	}
	if near := nearest(unknown[0], t.shape.Properties.names); near != "" {
		return fmt.Sprintf(", did you mean %q?", near)
	}
	return ""
}

// nearest returns the word within two edits of name, or "".
func nearest(name string, words []string) string {
	best, found := 3, ""
	for _, w := range words {
		if d := edits(name, w); d < best && d < len(name) {
			best, found = d, w
		}
	}
	return found
}

// edits is the Levenshtein distance of two short ASCII names.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
