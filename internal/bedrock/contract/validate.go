package contract

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
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
	value, unusable := plain(value, "", nil)
	if len(unusable) > 0 {
		return nil, badArguments(unusable, nil)
	}
	if err := t.in.Validate(value); err != nil {
		return nil, t.refuse(err)
	}
	return Encode(value)
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
	bytes := int64(size)
	return &fault.Refusal{
		Kind: fault.TooLarge, Code: fault.CodeTooLarge,
		Message: fmt.Sprintf("The arguments are %d bytes and the limit for %s is %d.", size, t.Name, t.MaxBody),
		Remedy:  "Send less in one call.",
		Details: &fault.Details{Bytes: &bytes},
	}
}

// plain rewrites every number in its shortest form, integral ones as integers
// (155.0 and 1e2 become 155 and 100), so that a client which sends floats
// reaches an integer field and equal contents have equal digests. It lists
// what no tool can take: a number beyond a double, and U+0000, which one of
// the two databases cannot store.
func plain(v any, at string, bad []failure) (any, []failure) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k], bad = plain(e, at+"/"+k, bad)
		}
	case []any:
		for i, e := range v {
			v[i], bad = plain(e, at+"/"+strconv.Itoa(i), bad)
		}
	case string:
		if strings.ContainsRune(v, 0) {
			bad = append(bad, failure{path: cmp.Or(at, "/"), problem: "holds the character U+0000, which cannot be stored"})
		}
	case json.Number:
		n, ok := shortest(v)
		if !ok {
			bad = append(bad, failure{path: cmp.Or(at, "/"), problem: "is a number out of range"})
		}
		return n, bad
	}
	return v, bad
}

// exact bounds the doubles that are also exact integers: 2 to the power of 53.
const exact = 1 << 53

// shortest returns the number in its shortest form; ok is false when a double
// cannot hold it.
func shortest(n json.Number) (short json.Number, ok bool) {
	if i, err := n.Int64(); err == nil {
		return json.Number(strconv.FormatInt(i, 10)), true
	}
	f, err := n.Float64()
	if err != nil {
		return n, false
	}
	if math.Abs(f) <= exact && f == math.Trunc(f) {
		return json.Number(strconv.FormatInt(int64(f), 10)), true
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64)), true
}

// failure is one thing that is wrong, at one place.
type failure struct {
	path, problem string
	enum          bool // the problem is a whole sentence of its own
}

func (t *Tool) refuse(err error) *fault.Refusal {
	var failed *jsonschema.ValidationError
	if !errors.As(err, &failed) {
		return fault.BadArgument("The arguments could not be checked.").Because(err)
	}
	return badArguments(t.failures(failed, nil), err)
}

// mostFailures is how many failures one refusal names; a long list of wrong
// rows would drown the reader.
const mostFailures = 20

func badArguments(list []failure, cause error) *fault.Refusal {
	slices.SortFunc(list, func(a, b failure) int {
		return strings.Compare(a.path+"\x00"+a.problem, b.path+"\x00"+b.problem)
	})
	named := list[:min(len(list), mostFailures)]
	r := &fault.Refusal{Kind: fault.Invalid, Code: fault.CodeBadArguments, Cause: cause}
	for _, f := range named {
		r.Fields = append(r.Fields, fault.Field{Path: f.path, Problem: f.problem})
	}
	r.Message, r.Remedy = sentence(named, len(list)-len(named))
	return r
}

// sentence says what is wrong, and that there are more failures than named.
func sentence(list []failure, more int) (message, remedy string) {
	var sentences, parts []string
	for _, f := range list {
		if f.enum {
			sentences = append(sentences, f.problem)
		}
		parts = append(parts, f.path+": "+strings.TrimSuffix(f.problem, "."))
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	} else if len(sentences) == len(list) {
		return strings.Join(sentences, " "), ""
	}
	whole := "Invalid arguments: " + strings.Join(parts, "; ")
	if !strings.HasSuffix(whole, "?") {
		whole += "."
	}
	return whole, "Correct the named fields and call again."
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

// failure words what the library found. Figures are written without the
// library's grouping (5,000), which a program could not send back.
func (t *Tool) failure(e *jsonschema.ValidationError) failure {
	f := failure{path: "/" + strings.Join(e.InstanceLocation, "/")}
	switch k := e.ErrorKind.(type) {
	case *kind.Enum:
		f.enum, f.problem = true, t.notOneOf(e.InstanceLocation, k)
	case *kind.AdditionalProperties:
		f.problem = unknown(k.Properties)
		if len(e.InstanceLocation) == 0 {
			f.problem += t.didYouMean(k.Properties)
		}
	case *kind.MaxLength:
		f.problem = fmt.Sprintf("maxLength: got %d, want %d", k.Got, k.Want)
	case *kind.Minimum:
		f.problem = "minimum: got " + decimal(k.Got) + ", want " + decimal(k.Want)
	case *kind.Maximum:
		f.problem = "maximum: got " + decimal(k.Got) + ", want " + decimal(k.Want)
	case *kind.Format:
		f.problem = badFormat(k)
	default:
		f.problem = e.ErrorKind.LocalizedString(english)
	}
	return f
}

// decimal writes a bound or a value as a person would: whole, or at most six
// places.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(6), "0")
}

func badFormat(k *kind.Format) string {
	switch k.Want {
	case "date":
		return "is not a valid date (use YYYY-MM-DD)"
	case "date-time":
		return "is not a valid instant (use RFC 3339, such as 2026-01-31T18:30:00Z)"
	}
	return "is not a valid " + k.Want
}

func unknown(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = "'" + fault.Clip(n) + "'"
	}
	slices.Sort(quoted)
	if len(quoted) > mostFailures {
		quoted = append(quoted[:mostFailures], fmt.Sprintf("and %d more", len(names)-mostFailures))
	}
	return "additional properties " + strings.Join(quoted, ", ") + " not allowed"
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
	return fmt.Sprintf("%s \"%s\" is not one of %s.", label, fault.Clip(fmt.Sprint(got)), Or(allowed))
}

// Or joins words as "a, b or c".
func Or(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// label names the property at that place; an item has the label of its list.
func (t *Tool) label(at []string) string {
	for len(at) > 0 && strings.Trim(at[len(at)-1], "0123456789") == "" {
		at = at[:len(at)-1]
	}
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
	if words == "rpe" || words == "id" { // said letter by letter
		return strings.ToUpper(words)
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
	if near := Nearest(unknown[0], t.shape.Properties.names); near != "" {
		return fmt.Sprintf(", did you mean %q?", near)
	}
	return ""
}

// Nearest returns the word within two edits of name that shares at least half
// of it, or "".
func Nearest(name string, words []string) string {
	best, found := 3, ""
	if len(name) > toolNameMax {
		return ""
	}
	for _, w := range words {
		if d := edits(name, w); d < best && 2*d <= len(name) {
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
