package fault

import (
	"strings"
	"testing"
)

func TestClip(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                "",
		"Bench Press":                     "Bench Press",
		strings.Repeat("é", 100):          strings.Repeat("é", 100),
		strings.Repeat("é", 100_000):      strings.Repeat("é", 100) + "…",
		"\xff" + strings.Repeat("a", 101): "\xff" + strings.Repeat("a", 99) + "…",
	} {
		if got := Clip(text); got != want {
			t.Errorf("Clip of %d bytes: got %d bytes", len(text), len(got))
		}
	}
}
