package mcp

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A request id that a client chose is kept, and is never taken for one of ours.
func TestAClientCannotForgeARequestID(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"42":                            "client:42",
		"rf_sxyd7yn2vptqq5xocmuwlh7s2i": "client:rf_sxyd7yn2vptqq5xocmuwlh7s2i",
		"client:42":                     "client:client:42",
		"":                              "rf_",
		"two words":                     "rf_",
		"caf\u00e9":                     "rf_",
		strings.Repeat("x", 128):        "rf_",
		strings.Repeat("x", 121):        "client:" + strings.Repeat("x", 121),
	} {
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r.Header.Set("X-Request-Id", given)
		got := correlatorOf(r)
		if got != want && (want != "rf_" || !strings.HasPrefix(got, "rf_")) {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}
