package id_test

import (
	"regexp"
	"testing"

	"tectonic/internal/bedrock/id"
)

func TestHandles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make func() string
		want string
	}{
		"Ref":   {id.Ref, `^rf_[a-z2-7]{26}$`},
		"UID":   {id.UID, `^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`},
		"Token": {func() string { return id.Token(20) }, `^[a-z2-7]{32}$`},
	} {
		seen := map[string]bool{}
		for range 1000 {
			got := c.make()
			if !regexp.MustCompile(c.want).MatchString(got) || seen[got] {
				t.Fatalf("%s: got %q, want a new one like %s", name, got, c.want)
			}
			seen[got] = true
		}
	}
}

func TestUIDsAreOrderedByTime(t *testing.T) {
	t.Parallel()
	before := id.UID()
	for range 1000 {
		next := id.UID()
		if next <= before {
			t.Fatalf("got %s after %s", next, before)
		}
		before = next
	}
}
