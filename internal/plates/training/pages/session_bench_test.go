package pages_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"tectonic/internal/testkit"
)

// BenchmarkSessionPage renders the session screen of the first week of Block
// 0, 28 sets, through the whole chain of middleware.
func BenchmarkSessionPage(b *testing.B) {
	g := newGym(b, testkit.DB(b))
	mira := g.lifter(b, "mira@example.com")
	path := mira.week() + "/session"
	handler := g.site.Handler(g.mux)
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequestWithContext(mira.ctx(), http.MethodGet, path, nil)
		w := httptest.NewRecorder()
		if handler.ServeHTTP(w, r); w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
	}
}
