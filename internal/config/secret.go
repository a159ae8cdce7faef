package config

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a value that is never printed: not by fmt under any of its verbs,
// not by slog, not as JSON. Only string(s) gives it away, which a search finds.
type Secret string

const hidden = "***"

// String hides the value; an unset one is "".
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// Format hides the value under every verb, also those that String does not
// serve, such as %#v and %d.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// LogValue hides the value in a log.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the value in JSON and other encodings.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Format prints the settings as NAME=value under every verb. Left to fmt, a
// verb that a struct does not have (%p) would print the fields as they are.
func (c Config) Format(f fmt.State, _ rune) {
	for i, s := range Settings {
		if i > 0 {
			_, _ = io.WriteString(f, " ")
		}
		_, _ = io.WriteString(f, s.Env+"="+s.Value(c))
	}
}
