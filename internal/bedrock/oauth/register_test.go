package oauth

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestRegistrationRefusals(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for name, body := range map[string]string{
			"no JSON": "hello", "a list": "[]", "redirects of another type": `{"redirect_uris":"x"}`, "empty": "",
			"another method": `{"redirect_uris":["` + callback + `"],"token_endpoint_auth_method":"private_key_jwt"}`,
			"too long":       `{"redirect_uris":["` + callback + `"],"x":"` + strings.Repeat("a", bodyMax) + `"}`,
		} {
			r := w.do(httptest.NewRequest(http.MethodPost, "/register", strings.NewReader(body)))
			if r.Code != 400 || r.text("error") != "invalid_client_metadata" {
				t.Errorf("%s: got %d %s", name, r.Code, r.Body)
			}
		}
	})
}

func TestRegistrationCleansNames(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for typed, want := range map[string]string{
			" Claude\u202e \x00\n Code ": "Claude Code", "": "An application without a name", strings.Repeat("é", 200): strings.Repeat("é", 100),
		} {
			r := w.registerWith(map[string]any{"client_name": typed, "redirect_uris": []string{callback}, "unknown": true})
			if r.text("client_name") != want || r.text("token_endpoint_auth_method") != authBasic || r.text("client_secret") == "" {
				t.Errorf("%q: got %s", typed, r.Body)
			}
		}
	})
}

func TestRegistrationsAreLimited(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for range 10 {
			w.newClient()
		}
		r := w.registerWith(map[string]any{"redirect_uris": []string{callback}})
		r.want(t, 429, "too_many_requests")
		if r.Header().Get("Retry-After") != "60" {
			t.Errorf("Retry-After %q", r.Header().Get("Retry-After"))
		}
		w.clock.pass(time.Minute)
		w.newClient()
	})
}

func TestThrottle(t *testing.T) {
	t.Parallel()
	c := &clock{at: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)}
	th := newThrottle(c.now)
	limits := []limit{{2, time.Minute}, {3, time.Hour}}
	take := func(address string, want time.Duration) {
		t.Helper()
		if got := th.take("x", address, limits); got != want {
			t.Errorf("%s: wait %s, want %s", address, got, want)
		}
	}
	take("192.0.2.1:1000", 0)
	take("192.0.2.1:2000", 0)
	take("192.0.2.1:3000", time.Minute)
	take("192.0.2.2:1", 0)
	take("[2001:db8::1]:1", 0)
	take("[2001:db8::2]:1", 0)
	take("[2001:db8::3%eth0]:1", time.Minute)
	take("[2001:db8:0:1::1]:1", 0)
	c.pass(time.Minute)
	take("192.0.2.1:1", 0)
	take("192.0.2.1:1", 59*time.Minute)
	c.pass(time.Hour)
	take("192.0.2.1:1", 0)
}

func TestOptionsAreChecked(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for name, change := range map[string]change{
			"no database":    func(o *Options) { o.DB = nil },
			"no people":      func(o *Options) { o.People = nil },
			"a final slash":  func(o *Options) { o.BaseURL += "/" },
			"no plate":       func(o *Options) { o.Plates = nil },
			"a short secret": func(o *Options) { o.Secret = o.Secret[:63] },
			"no key":         func(o *Options) { o.Key = nil },
		} {
			o := w.o
			change(&o)
			if _, err := New(o); err == nil {
				t.Errorf("%s was taken", name)
			}
		}
	})
}
