package app

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestOnlyTrustedProxiesSpeakForTheirClients(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
	for name, c := range map[string]struct{ remote, forwarded, want string }{
		"a client itself":               {"192.0.2.7:4000", "", "192.0.2.7"},
		"a client that lies":            {"192.0.2.7:4000", "203.0.113.9", "192.0.2.7"},
		"behind a proxy":                {"127.0.0.1:4000", "203.0.113.9", "203.0.113.9"},
		"behind a proxy, lying":         {"127.0.0.1:4000", "8.8.8.8, 203.0.113.9", "203.0.113.9"},
		"a proxy that names the port":   {"127.0.0.1:4000", "203.0.113.9:5555", "203.0.113.9"},
		"behind two proxies":            {"127.0.0.1:4000", "203.0.113.9, 10.1.2.3", "203.0.113.9"},
		"a proxy that says nothing":     {"127.0.0.1:4000", "", "127.0.0.1"},
		"a proxy that writes nonsense":  {"127.0.0.1:4000", "unknown", "127.0.0.1"},
		"one customer's IPv6 addresses": {"[2001:db8:1:2:3::4]:4000", "", "2001:db8:1:2::/64"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.RemoteAddr = c.remote
			if c.forwarded != "" {
				r.Header.Set("X-Forwarded-For", c.forwarded)
			}
			var got string
			clientAddress(trusted, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RemoteAddr })).ServeHTTP(httptest.NewRecorder(), r)
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
