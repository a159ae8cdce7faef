package oauth

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// site is the web server of a client: it serves its metadata document.
type site struct {
	*httptest.Server
	fetched atomic.Int64
	answer  atomic.Pointer[http.HandlerFunc]
}

func (s *site) id() string { return s.URL + "/client.json" }

func (s *site) serve(h http.HandlerFunc) { s.answer.Store(&h) }

func (s *site) document(change func(map[string]any)) {
	s.serve(func(w http.ResponseWriter, _ *http.Request) {
		doc := map[string]any{"client_id": s.id(), "client_name": "Claude Code", "redirect_uris": []string{"http://localhost/callback", callback, s.URL + "/back"}}
		change(doc)
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(doc)
	})
}

// newSite serves a good document to the world, which trusts the certificate and,
// when it is known there, the private address.
func newSite(t *testing.T, w *world, known bool) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		s.fetched.Add(1)
		(*s.answer.Load())(rw, r)
	}))
	t.Cleanup(s.Close)
	s.document(func(map[string]any) {})
	s.trust(w, known)
	return s
}

func (s *site) trust(w *world, known bool) {
	w.documents.client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
	if known {
		w.documents.private = []string{strings.TrimPrefix(s.URL, "https://")}
	}
}

func (s *site) forget(w *world) {
	w.documents.kept = map[string]keptDocument{}
	w.throttle.seen = map[throttleKey]window{}
}

func TestMetadataDocumentFlow(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		s := newSite(t, w, true)
		q := request(s.id(), "redirect_uri", "http://localhost:33418/callback")
		var page Consent
		decode(t, w.get("/authorize?"+q.Encode()), &page)
		if page.Name != "Claude Code" || "https://"+page.Host != s.URL || page.ReturnHost != "localhost:33418" || !page.LoopbackOnly {
			t.Errorf("got %+v", page)
		}
		if n := w.count("SELECT count(*) FROM clients"); n != 0 {
			t.Error("looking stored something")
		}
		for range 2 {
			r := w.post("/authorize", w.form(q, "training", "read"))
			form := with(exchangeForm(s.id(), r.location().Get("code")), "redirect_uri", "http://localhost:33418/callback")
			tokens := w.post("/token", form)
			p, err := w.Verify(t.Context(), tokens.text("access_token"), "training")
			if err != nil || p.ClientUID != s.id() || p.ClientName != "Claude Code" {
				t.Fatalf("got %s, %+v, %v", tokens.Body, p, err)
			}
			if r := w.post("/token", refreshForm(s.id(), tokens.text("refresh_token"))); r.Code != 200 {
				t.Errorf("refresh: %d %s", r.Code, r.Body)
			}
		}
		if n := w.count("SELECT count(*) FROM clients WHERE kind = 'cimd'"); n != 1 || s.fetched.Load() != 1 {
			t.Errorf("%d clients and %d fetches, want one of each", n, s.fetched.Load())
		}
		own := request(s.id(), "redirect_uri", s.URL+"/back")
		if r := w.get("/authorize?" + own.Encode()); r.Code != 200 {
			t.Errorf("a redirect to its own host: %d", r.Code)
		}
		w.post("/token", refreshForm("https://nobody.example/client.json", "trt_1_1_x")).want(t, 401, "invalid_client")
	})
}

func TestP28AMetadataDocumentThatBreaksIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		s := newSite(t, w, true)
		reached := false
		other := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
		t.Cleanup(other.Close)
		text := func(kind, body string) func() {
			return func() {
				s.serve(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", kind)
					fmt.Fprint(w, body)
				})
			}
		}
		changed := func(name string, value any) func() {
			return func() { s.document(func(doc map[string]any) { doc[name] = value }) }
		}
		good := fmt.Sprintf(`{"client_id":%q,"client_name":"x","redirect_uris":[%q]`, s.id(), callback)
		for name, prepare := range map[string]func(){
			"a redirect": func() {
				s.serve(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, http.StatusFound) })
			},
			"a redirect on its own host": func() {
				s.serve(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/client.json" {
						http.Redirect(w, r, "/other.json", http.StatusFound)
						return
					}
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprint(w, good+"}")
				})
			},
			"a missing page":  func() { s.serve(http.NotFound) },
			"HTML":            text("text/html", good+"}"),
			"no JSON":         text("application/json", "hello"),
			"a list":          text("application/json", "[]"),
			"a large body":    text("application/json", good+"}"+strings.Repeat(" ", documentMax)),
			"another id":      changed("client_id", s.URL+"/other.json"),
			"no name":         changed("client_name", "\u202e"),
			"no redirects":    changed("redirect_uris", []string{}),
			"a secret method": changed("token_endpoint_auth_method", "client_secret_post"),
			"a secret":        changed("client_secret", "x"),
		} {
			prepare()
			s.forget(w)
			r := w.get("/authorize?" + request(s.id()).Encode())
			if r.Code != http.StatusBadRequest || !strings.Contains(r.Body.String(), "could not verify this application") {
				t.Errorf("%s: got %d %s", name, r.Code, r.Body)
			}
		}
		if reached {
			t.Error("a redirect was followed")
		}
		t.Run("a redirect that is neither allowed nor its own is refused", func(t *testing.T) {
			s.document(func(doc map[string]any) { doc["redirect_uris"] = []string{"https://evil.example/cb"} })
			s.forget(w)
			r := w.get("/authorize?" + request(s.id(), "redirect_uri", "https://evil.example/cb").Encode())
			if r.Code != http.StatusBadRequest || r.Header().Get("Location") != "" {
				t.Errorf("got %d", r.Code)
			}
		})
		t.Run("an application that only returns to this machine is marked", func(t *testing.T) {
			s.document(func(doc map[string]any) { doc["redirect_uris"] = []string{"http://127.0.0.1/cb"} })
			s.forget(w)
			var page Consent
			decode(t, w.get("/authorize?"+request(s.id(), "redirect_uri", "http://127.0.0.1:4/cb").Encode()), &page)
			if !page.LoopbackOnly {
				t.Error("it is not")
			}
		})
	})
}

func TestMetadataDocumentsAreNotFetchedFromPrivateAddresses(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		s := newSite(t, w, false)
		for _, address := range []string{s.id(), strings.Replace(s.id(), "127.0.0.1", "localhost", 1), "https://[::1]/client.json", "https://169.254.169.254/client.json"} {
			s.forget(w)
			if r := w.get("/authorize?" + request(address).Encode()); r.Code != http.StatusBadRequest {
				t.Errorf("%s: got %d", address, r.Code)
			}
		}
		if s.fetched.Load() != 0 {
			t.Errorf("%d requests reached a private address", s.fetched.Load())
		}
	})
}

func TestPublicOnly(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"93.184.216.34:443": true, "[2606:2800:220:1::1]:443": true, "93.184.216.34:80": false, "93.184.216.34:8443": false,
		"127.0.0.1:443": false, "127.9.9.9:443": false, "[::1]:443": false, "0.0.0.0:443": false, "0.1.2.3:443": false, "[::]:443": false,
		"10.0.0.1:443": false, "172.16.0.1:443": false, "172.31.255.255:443": false, "172.32.0.1:443": true, "192.168.1.1:443": false,
		"169.254.169.254:443": false, "[fe80::1%eth0]:443": false, "[fd00::1]:443": false, "[fec0::1]:443": false,
		"100.64.0.1:443": false, "100.127.255.255:443": false, "100.128.0.1:443": true, "224.0.0.1:443": false, "[ff02::1]:443": false,
		"255.255.255.255:443": false, "240.0.0.1:443": false, "198.18.0.1:443": false, "192.0.2.1:443": false,
		"[::ffff:127.0.0.1]:443": false, "[::ffff:10.0.0.1]:443": false, "[::127.0.0.1]:443": false,
		"[64:ff9b::7f00:1]:443": false, "[2002:7f00:1::]:443": false, "[2001:db8::1]:443": false, "nonsense": false,
	} {
		if got := publicOnly(address) == nil; got != want {
			t.Errorf("%s: got %v, want %v", address, got, want)
		}
	}
}

func TestMetadataDocumentsAreKept(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		s := newSite(t, w, true)
		status := func(want int, fetched int64) {
			t.Helper()
			if r := w.get("/authorize?" + request(s.id()).Encode()); r.Code != want || s.fetched.Load() != fetched {
				t.Errorf("got %d after %d fetches, want %d after %d", r.Code, s.fetched.Load(), want, fetched)
			}
		}
		status(200, 1)
		status(200, 1)
		w.clock.pass(freshMin)
		status(200, 2)
		s.serve(http.NotFound)
		w.clock.pass(freshMin)
		status(200, 3) // the old one serves
		w.clock.pass(staleMax)
		status(400, 4)
		status(400, 4) // the failure is remembered
		s.document(func(map[string]any) {})
		w.clock.pass(failureKept)
		status(200, 5)
	})
}

func TestMetadataDocumentFetchesAreLimited(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		s := newSite(t, w, true)
		for i := range 15 {
			w.get("/authorize?" + request(fmt.Sprintf("%s/%d.json", s.URL, i)).Encode())
		}
		if n := s.fetched.Load(); n != 10 {
			t.Errorf("%d fetches for one address in a minute, want 10", n)
		}
	})
}

func TestMetadataDocumentsCanBeOff(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		if r := w.get("/authorize?" + request("https://claude.ai/oauth/mcp-oauth-client-metadata").Encode()); r.Code != 400 || !strings.Contains(r.Body.String(), "not known here") {
			t.Errorf("got %d %s", r.Code, r.Body)
		}
		if _, there := w.get("/.well-known/oauth-authorization-server").body["client_id_metadata_document_supported"]; there {
			t.Error("the metadata offers it")
		}
	}, func(o *Options) { o.CIMD = false })
}

func TestIsDocumentURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"https://claude.ai/oauth/mcp-oauth-client-metadata": true,
		"https://a.example": false, "https://a.example/": false, "http://a.example/c.json": false, "https://u@a.example/c.json": false,
		"https://a.example/c.json#x": false, "https://a.example/a/../c.json": false, "https://a.example/%2e%2e/c.json": false,
		"https://a.example/" + strings.Repeat("a", addressMax): false, "tc_x": false,
	} {
		if got := isDocumentURL(text); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}

func TestFreshFor(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{
		"": freshMin, "max-age=0": freshMin, "public, Max-Age=3600": time.Hour, "max-age=99999999": freshMax, "max-age=-1": freshMin, "max-age=x": freshMin,
	} {
		if got := freshFor(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
