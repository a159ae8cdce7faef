package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealthAsksTheServer(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{http.StatusOK: "", http.StatusServiceUnavailable: "503"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/healthz" {
				t.Errorf("asked for %s", r.URL.Path)
			}
			w.WriteHeader(status)
		}))
		err := askHealth(t.Context(), strings.TrimPrefix(server.URL, "http://"))
		server.Close()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("status %d: got %v", status, err)
		}
	}
	if err := askHealth(t.Context(), "127.0.0.1:1"); err == nil {
		t.Error("nobody listens, and it is well")
	}
}
