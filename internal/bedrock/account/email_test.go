package account

import (
	"strings"
	"testing"
)

// FuzzEmail checks that no text stops the program, and that an address which
// is taken is stored as it was typed, can be looked up again, also in other
// case, and fits into a header and a table.
func FuzzEmail(f *testing.F) {
	for _, seed := range []string{
		"you@example.com", " You@Example.COM ", "a@b", "\"a b\"@example.com", "Me <me@example.com>", "ｌ@example.com", "a\x00@b",
		"straße@example.com", "İ@example.com", "a@[127.0.0.1]", "a@example.com\r\nBcc: b", "@", "", "(c)a@b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		address, key, err := Email(typed)
		if err != nil {
			if refused(t, err).Problem("email") == "" {
				t.Errorf("%q: the refusal is not about the address: %v", typed, err)
			}
			return
		}
		if address != strings.TrimSpace(typed) || len(address) > emailMax || key != emailKey(typed) || key == "" {
			t.Errorf("%q: got %q under %q", typed, address, key)
		}
		if strings.ContainsAny(address, "\x00\r\n") || strings.ContainsAny(key, "\x00\r\n") {
			t.Errorf("%q: got %q under %q", typed, address, key)
		}
		again, same, err := Email(address)
		if err != nil || again != address || same != key {
			t.Errorf("%q: got %q under %q, %v the second time", typed, again, same, err)
		}
	})
}
