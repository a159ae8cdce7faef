package record

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tectonic/internal/bedrock/fault"
)

// The longest texts of a row, in bytes. A caller chooses the name of a tool
// that does not exist and its own correlator.
const (
	nameMax       = 64
	correlatorMax = 128
	causeMax      = 300
)

// causes are the machine words for why a caller was denied.
var causes = map[fault.Code]string{
	fault.CodeUnauthenticated: "credential_invalid",
	fault.CodeScopeMissing:    "scope_absent",
	fault.CodeWritesDisabled:  "policy_denied",
	fault.CodeRateLimited:     "rate_limited",
	"role_missing":            "scope_insufficient",
	"signup_closed":           "policy_denied",
	"cross_site":              "policy_denied",
}

// cause returns the machine word of a denial; any other refusal explains
// itself by its code.
func cause(r *fault.Refusal) string {
	if r.Kind != fault.Denied {
		return ""
	}
	if word, ok := causes[r.Code]; ok {
		return word
	}
	return "policy_denied"
}

// detail says more to the operator: which arguments were wrong, or the error
// behind a failure. The sentence of a refusal is not kept, since it repeats
// what the caller sent.
func detail(r Row) string {
	if len(r.Refusal.Fields) > 0 {
		paths := make([]string, len(r.Refusal.Fields))
		for i, f := range r.Refusal.Fields {
			paths[i] = f.Path
		}
		return strings.Join(paths, " ")
	}
	switch r.Refusal.Kind {
	case fault.Internal, fault.Unavailable:
		if r.Refusal.Cause != nil {
			return withoutValues(fault.Redact(r.Refusal.Cause.Error()), r.Input)
		}
	}
	return ""
}

// withoutValues removes the texts of the arguments from an error: drivers and
// handlers like to quote them.
func withoutValues(text string, input []byte) string {
	var args any
	if json.Unmarshal(input, &args) != nil {
		return text
	}
	values := texts(args, nil)
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) }) // a text may hold another
	for _, value := range values {
		text = strings.ReplaceAll(text, fmt.Sprintf("%q", value), `"…"`)
		if len(value) > shortText {
			text = strings.ReplaceAll(text, value, "…")
		}
	}
	return text
}

// shortText is the length up to which a text is removed only where it is
// quoted; "a" stands in every sentence.
const shortText = 3

func texts(v any, list []string) []string {
	switch v := v.(type) {
	case string:
		return append(list, v)
	case []any:
		for _, e := range v {
			list = texts(e, list)
		}
	case map[string]any:
		for _, e := range v {
			list = texts(e, list)
		}
	}
	return list
}

// clean makes a text that both databases can store: valid UTF-8 without
// U+0000, of at most the given bytes.
func clean(s string, most int) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "�"), "\x00", "�")
	if len(s) <= most {
		return s
	}
	const cut = "…"
	return strings.ToValidUTF8(s[:most-len(cut)], "") + cut
}
