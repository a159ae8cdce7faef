package pages

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// example writes a call for the command line with what the tool needs: a read
// asks by the address when it can.
func example(reads bool, address string, input *schema) string {
	const curl = `curl -H "Authorization: Bearer $TECTONIC_TOKEN" \` + "\n"
	args := input.needed()
	if query, ok := inAddress(args); reads && ok {
		return curl + `"` + address + query + `"`
	}
	text, _ := json.Marshal(args) // made of text, numbers and lists
	return curl + `-H "Content-Type: application/json" -d '` + string(text) + "' \\\n" + address
}

// inAddress writes arguments as a query, unless one is no plain value.
func inAddress(args map[string]any) (string, bool) {
	if len(args) == 0 {
		return "", true
	}
	query := url.Values{}
	for name, v := range args {
		text, err := json.Marshal(v)
		if err != nil || strings.ContainsAny(string(text[:1]), "[{") {
			return "", false
		}
		query.Set(name, strings.Trim(string(text), `"`))
	}
	return "?" + query.Encode(), true
}

// needed returns a value for each member that an object requires.
func (s *schema) needed() map[string]any {
	args := map[string]any{}
	for _, m := range s.Properties {
		if slices.Contains(s.Required, m.name) {
			args[m.name] = m.of.sample()
		}
	}
	return args
}

// sample returns a value that the schema takes.
func (s *schema) sample() any {
	switch {
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Items != nil:
		return []any{s.Items.sample()}
	case len(s.Properties) > 0:
		return s.needed()
	case slices.Contains(s.Type, "integer"), slices.Contains(s.Type, "number"):
		if s.Minimum != nil && s.Minimum.String() > "1" {
			return *s.Minimum
		}
		return 1
	case slices.Contains(s.Type, "boolean"):
		return true
	case s.Format == "date":
		return "2026-03-02"
	case s.Format == "date-time":
		return "2026-03-02T18:00:00Z"
	}
	return "…"
}
