package config

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a value that is never printed: not by fmt, not by slog, not as
// JSON. Only string(s) gives it away, which a search finds, and %p, which fmt
// answers without asking the value and go vet refuses.
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
