package oauth

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/oauth/store"
)

func TestCodeFlow(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		r := w.tokens(client)
		if r.text("token_type") != "Bearer" || r.body["expires_in"] != 3600.0 || r.text("scope") != "read write" || r.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("got %s", r.Body)
		}
		p, err := w.Verify(t.Context(), r.text("access_token"), "memory")
		if err != nil {
			t.Fatal(err)
		}
		if p.ClientUID != client || p.Client == 0 || p.Grant == 0 || !p.Expires.Equal(w.clock.now().Add(time.Hour)) {
			t.Errorf("got %+v", p)
		}
		p.Client, p.Grant, p.ClientUID, p.Expires, p.Rules = 0, 0, "", time.Time{}, nil
		want := Principal{
			Account: 1, Email: "mira@example.com", Workspace: 1, WorkspaceName: "Mira", TimeZone: "Europe/Oslo", Role: "owner",
			ClientName: "Claude", Plates: []string{"training", "memory"}, Scopes: []string{"read", "write"},
		}
		if diff := cmp.Diff(want, p); diff != "" {
			t.Errorf("principal (-want +got):\n%s", diff)
		}
		if w.happened(ClientRegistered) != 1 || w.happened(GrantAllowed) != 1 {
			t.Errorf("events %+v", w.events)
		}
		if n := w.count("SELECT count(*) FROM clients WHERE last_used_at IS NOT NULL"); n != 1 {
			t.Errorf("%d clients were used, want 1", n)
		}
		next := w.post("/token", refreshForm(client, r.text("refresh_token")))
		if next.Code != http.StatusOK || next.text("refresh_token") == r.text("refresh_token") || !w.good(next.text("access_token"), "training") {
			t.Errorf("refresh: %d %s", next.Code, next.Body)
		}
		w.noSecrets(r.text("access_token"), r.text("refresh_token"), next.text("access_token"), next.text("refresh_token"))
	})
}

// noSecrets looks for tokens in the log.
func (w *world) noSecrets(secrets ...string) {
	w.t.Helper()
	for _, secret := range secrets {
		if secret == "" || strings.Contains(w.log.String(), secret) {
			w.t.Errorf("%q is in the log, or is none", secret)
		}
	}
}

func TestAuthorizeRefusals(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		t.Run("an unknown client or redirect is told on a page and never redirected", func(t *testing.T) {
			for name, q := range map[string]url.Values{
				"unknown client":     request("tc_nobody"),
				"no client":          request(""),
				"unregistered":       request(client, "redirect_uri", "https://claude.com/api/mcp/auth_callback"),
				"not allowed":        request(client, "redirect_uri", "https://evil.example/cb"),
				"two redirects":      request(client, "redirect_uri", callback+"|"+callback),
				"two clients":        request(client, "client_id", client+"|"+client),
				"another path":       request(client, "redirect_uri", callback+"/../x"),
				"a document offline": request("https://127.0.0.1/client.json"),
			} {
				r := w.get("/authorize?" + q.Encode())
				if r.Code != http.StatusBadRequest || r.Header().Get("Location") != "" || r.Header().Get("Content-Security-Policy") != policy {
					t.Errorf("%s: got %d %s", name, r.Code, r.Header())
				}
			}
		})
		for name, c := range map[string]struct {
			q    url.Values
			code string
		}{
			"no response type":      {request(client, "response_type", ""), "invalid_request"},
			"implicit":              {request(client, "response_type", "token"), "unsupported_response_type"},
			"no challenge":          {request(client, "code_challenge", ""), "invalid_request"},
			"plain":                 {request(client, "code_challenge_method", "plain"), "invalid_request"},
			"no method":             {request(client, "code_challenge_method", ""), "invalid_request"},
			"short challenge":       {request(client, "code_challenge", strings.Repeat("a", 42)), "invalid_request"},
			"padded challenge":      {request(client, "code_challenge", strings.Repeat("a", 43)+"="), "invalid_request"},
			"foreign resource":      {request(client, "resource", "https://other.example/mcp"), "invalid_target"},
			"one foreign of two":    {request(client, "resource", base+"/mcp|https://other.example/mcp"), "invalid_target"},
			"unknown plate":         {request(client, "resource", base+"/mcp/nothing"), "invalid_target"},
			"resource with user":    {request(client, "resource", "https://a@tectonic.example/mcp"), "invalid_target"},
			"state twice":           {request(client, "state", "a|b"), "invalid_request"},
			"several challenges":    {request(client, "code_challenge", digest("a")+"|"+digest("b")), "invalid_request"},
			"another upper port":    {request(client, "resource", "https://tectonic.example:8443/mcp"), "invalid_target"},
			"plain http same place": {request(client, "resource", "http://tectonic.example/mcp"), "invalid_target"},
		} {
			r := w.get("/authorize?" + c.q.Encode())
			q := r.location()
			if r.Code != http.StatusSeeOther || q.Get("error") != c.code || q.Get("iss") != base || q.Get("state") != c.q.Get("state") || q.Get("code") != "" {
				t.Errorf("%s: got %d %s", name, r.Code, r.Header().Get("Location"))
			}
		}
	})
}

func TestAuthorizeOffers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		for name, c := range map[string]struct{ resource, scope, plates, scopes string }{
			"no resource ticks the flagship":   {"", "", "training", "read write operate"},
			"the origin ticks the flagship":    {base, "", "training", "read write operate"},
			"the origin with a slash":          {base + "/", "", "training", "read write operate"},
			"a plate":                          {base + "/mcp/memory", "read", "memory", "read"},
			"in capitals, with port and slash": {"HTTPS://Tectonic.Example:443/mcp/", "read", "training", "read"},
			"with a query":                     {base + "/mcp?mode=read", "read", "training", "read"},
			"two plates":                       {base + "/mcp|" + base + "/mcp/memory", "read", "training memory", "read"},
			"unknown scopes are ignored":       {"", "openid write offline_access", "training", "write"},
			"only unknown scopes are all":      {"", "openid profile", "training", "read write operate"},
		} {
			w.t = t
			more := []string{"resource", c.resource, "scope", c.scope}
			var page Consent
			r := w.get("/authorize?" + request(client, more...).Encode())
			decode(t, r, &page)
			if got := strings.Join(ticked(page.Plates), " "); got != c.plates {
				t.Errorf("%s: plates %q, want %q", name, got, c.plates)
			}
			if got := strings.Join(ticked(page.Scopes), " "); got != c.scopes {
				t.Errorf("%s: scopes %q, want %q", name, got, c.scopes)
			}
		}
	})
}

func ticked(list []Choice) (names []string) {
	for _, c := range list {
		if c.Chosen {
			names = append(names, c.Name)
		}
	}
	return names
}

func TestConsent(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		t.Run("says who asks and where the answer goes", func(t *testing.T) {
			var page Consent
			r := w.get("/authorize?" + request(client).Encode())
			decode(t, r, &page)
			if page.Name != "Claude" || page.Host != "" || page.ReturnHost != "claude.ai" || page.LoopbackOnly || len(page.Workspaces) != 2 || !page.Workspaces[0].Chosen {
				t.Errorf("got %+v", page)
			}
			for name, want := range map[string]string{
				"Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'",
				"Cache-Control":           "no-store", "Referrer-Policy": "same-origin", "Content-Type": "text/html; charset=utf-8",
			} {
				if got := r.Header().Get(name); got != want {
					t.Errorf("%s: got %q, want %q", name, got, want)
				}
			}
		})
		t.Run("sends who is not signed in to the sign-in page and back", func(t *testing.T) {
			address := "/authorize?" + request(client).Encode()
			r := w.do(newGet(address))
			if r.Code != http.StatusSeeOther || r.location().Get("next") != address {
				t.Errorf("got %d %s", r.Code, r.Header().Get("Location"))
			}
		})
		good := w.form(request(client), "training", "read")
		for name, form := range map[string]url.Values{
			"no token":       with(good, "csrf", ""),
			"a wrong token":  with(good, "csrf", "x"),
			"a longer token": with(good, "csrf", good.Get("csrf")+"A"),
		} {
			r := w.post("/authorize", form)
			if r.Code != http.StatusForbidden || !strings.Contains(r.Body.String(), "That request could not be verified. Reload the page and try again.") {
				t.Errorf("%s: got %d %s", name, r.Code, r.Body)
			}
		}
		t.Run("a token of another session is refused", func(t *testing.T) {
			other := newPost("/authorize", good)
			other.Header.Set("X-Session", "another")
			if r := w.do(other); r.Code != http.StatusForbidden {
				t.Errorf("got %d", r.Code)
			}
		})
		t.Run("a session without a secret cannot decide", func(t *testing.T) {
			form := with(good, "csrf", w.formToken(Person{Account: 1}))
			bare := newPost("/authorize", form)
			bare.Header.Set("X-Session", "-")
			if r := w.do(bare); r.Code != http.StatusForbidden {
				t.Errorf("got %d", r.Code)
			}
		})
		for name, c := range map[string]struct {
			form url.Values
			says string
		}{
			"another's workspace": {with(good, "workspace", "3"), "Choose one of your workspaces."},
			"no workspace":        {with(good, "workspace", ""), "Choose one of your workspaces."},
			"no plate":            {with(good, "plate", ""), "Choose at least one part of the product."},
			"an unknown plate":    {with(good, "plate", "nothing"), "Choose at least one part of the product."},
			"no scope":            {with(good, "scope", ""), "Choose at least one thing that the application may do."},
			"a scope elsewhere":   {with(good, "scope", "operate"), "Choose at least one thing that the application may do."},
		} {
			r := w.post("/authorize", c.form)
			if r.Code != http.StatusUnprocessableEntity || r.text("Problem") != c.says {
				t.Errorf("%s: got %d %s", name, r.Code, r.Body)
			}
		}
		t.Run("the posted request is checked again", func(t *testing.T) {
			if r := w.post("/authorize", with(good, "redirect_uri", "https://evil.example/")); r.Code != http.StatusBadRequest || r.Header().Get("Location") != "" {
				t.Errorf("got %d %s", r.Code, r.Header())
			}
			if r := w.post("/authorize", with(good, "code_challenge", "x")); r.location().Get("error") != "invalid_request" {
				t.Errorf("got %d %s", r.Code, r.Header())
			}
		})
		t.Run("no is told to the client", func(t *testing.T) {
			r := w.post("/authorize", with(good, "decision", "deny"))
			q := r.location()
			if q.Get("error") != "access_denied" || q.Get("state") != "a state/&=" || q.Get("iss") != base || w.happened(GrantDenied) == 0 {
				t.Errorf("got %d %s", r.Code, r.Header().Get("Location"))
			}
		})
		if n := w.count("SELECT count(*) FROM grants"); n != 0 {
			t.Errorf("%d grants were made", n)
		}
		t.Run("yes gives what was ticked in the chosen workspace", func(t *testing.T) {
			form := with(good, "workspace", "2")
			form["plate"] = []string{"memory"}
			form["scope"] = []string{"write", "operate"}
			r := w.post("/token", exchangeForm(client, w.post("/authorize", form).location().Get("code")))
			p, err := w.Verify(t.Context(), r.text("access_token"), "memory")
			if err != nil || p.Workspace != 2 || p.Role != "viewer" || !slices.Equal(p.Scopes, []string{"write", "operate"}) || !slices.Equal(p.Plates, []string{"memory"}) {
				t.Errorf("got %+v, %v", p, err)
			}
			if w.good(r.text("access_token"), "training") {
				t.Error("the token opens a plate that was not ticked")
			}
		})
	})
}

func TestCodeExchange(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client, other := w.newClient(), w.newClient()
		code := w.code(client)
		good := exchangeForm(client, code)
		for name, c := range map[string]struct {
			form   url.Values
			status int
			code   string
		}{
			"unknown code":           {with(good, "code", "x"), 400, "invalid_grant"},
			"no code":                {with(good, "code", ""), 400, "invalid_grant"},
			"another client":         {with(good, "client_id", other), 400, "invalid_grant"},
			"unknown client":         {with(good, "client_id", "tc_x"), 401, "invalid_client"},
			"no client":              {with(good, "client_id", ""), 401, "invalid_client"},
			"wrong verifier":         {with(good, "code_verifier", strings.Repeat("a", 43)), 400, "invalid_grant"},
			"no verifier":            {with(good, "code_verifier", ""), 400, "invalid_grant"},
			"challenge as verifier":  {with(good, "code_verifier", digest(verifier)), 400, "invalid_grant"},
			"other redirect":         {with(good, "redirect_uri", "http://localhost:1/"), 400, "invalid_grant"},
			"foreign resource":       {with(good, "resource", "https://other.example/mcp"), 400, "invalid_target"},
			"other grant type":       {with(good, "grant_type", "password"), 400, "unsupported_grant_type"},
			"a secret it never had":  {with(good, "client_secret", "x"), 401, "invalid_client"},
			"not its own credential": {with(good, "grant_type", "client_credentials"), 400, "unauthorized_client"},
		} {
			w.t = t
			r := w.post("/token", c.form)
			if r.Code != c.status || r.text("error") != c.code {
				t.Errorf("%s: got %d %s, want %d %s", name, r.Code, r.Body, c.status, c.code)
			}
		}
		twice := newPost("/token", url.Values{"grant_type": {"authorization_code", "refresh_token"}, "client_id": {client}})
		w.do(twice).want(t, 400, "invalid_request")
		asJSON := newPost("/token", good)
		asJSON.Header.Set("Content-Type", "application/json")
		w.do(asJSON).want(t, 400, "invalid_request")
		w.post("/token", with(good, "padding", strings.Repeat("x", bodyMax))).want(t, 400, "invalid_request")

		t.Run("a verifier that is too short is refused though it fits", func(t *testing.T) {
			q := request(client, "code_challenge", digest("short"))
			short := w.post("/authorize", w.form(q, "training", "read")).location().Get("code")
			w.post("/token", with(exchangeForm(client, short), "code_verifier", "short")).want(t, 400, "invalid_grant")
		})
		t.Run("an old code is refused", func(t *testing.T) {
			late := w.code(client)
			w.clock.pass(codeLife)
			w.post("/token", exchangeForm(client, late)).want(t, 400, "invalid_grant")
		})
		t.Run("none of these used the code of another", func(t *testing.T) {
			fresh := exchangeForm(client, w.code(client))
			w.post("/token", with(fresh, "code_verifier", strings.Repeat("b", 43))).want(t, 400, "invalid_grant")
			if r := w.post("/token", with(with(fresh, "redirect_uri", ""), "client_secret", "")); r.Code != 200 {
				t.Errorf("got %d %s", r.Code, r.Body)
			}
		})
	})
}

func TestCodeReuseRevokesTheGrant(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		form := exchangeForm(client, w.code(client))
		first := w.post("/token", form)
		w.post("/token", with(form, "code_verifier", strings.Repeat("a", 43))).want(t, 400, "invalid_grant")
		if !w.good(first.text("access_token"), "training") {
			t.Fatal("a thief without the verifier ended the grant")
		}
		w.post("/token", form).want(t, 400, "invalid_grant")
		if w.good(first.text("access_token"), "training") || w.happened(CodeReused) != 1 {
			t.Errorf("the grant still holds; events %+v", w.events)
		}
		w.post("/token", refreshForm(client, first.text("refresh_token"))).want(t, 400, "invalid_grant")
	})
}

// Nobody outside can make these tokens; they are refused all the same.
func TestTokensAheadOfTheirGrantAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		code := w.code(client)
		grant := func() (g store.StandingRow) {
			err := w.db.Read(t.Context(), func(tx *db.Tx) (err error) {
				g, err = store.New(tx).Standing(t.Context(), 1)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return g
		}
		early, err := w.sign(grant(), []string{"training"}, []string{"read"}, w.clock.now())
		if err != nil {
			t.Fatal(err)
		}
		if w.good(early, "training") {
			t.Error("a grant holds before its code is used")
		}
		r := w.post("/token", exchangeForm(client, code))
		w.post("/token", refreshForm(client, w.refreshToken(grant(), 2))).want(t, 400, "invalid_grant")
		if !w.good(r.text("access_token"), "training") || !w.good(early, "training") {
			t.Error("the grant was revoked")
		}
	})
}

func TestOneOfManyExchangesSucceeds(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		form := exchangeForm(client, w.code(client))
		good := 0
		for _, r := range together(30, func() reply { return w.post("/token", form) }) {
			if r.Code == http.StatusOK {
				good++
			} else if r.text("error") != "invalid_grant" {
				t.Errorf("got %d %s", r.Code, r.Body)
			}
		}
		if good != 1 {
			t.Errorf("%d exchanges succeeded, want 1", good)
		}
	})
}

// together runs fn n times at once.
func together(n int, fn func() reply) []reply {
	all := make([]reply, n)
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { all[i] = fn() })
	}
	group.Wait()
	return all
}

func TestConcurrentRefreshesGiveOneSuccessor(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		token := w.tokens(client).text("refresh_token")
		successors := map[string]int{}
		for _, r := range together(50, func() reply { return w.post("/token", refreshForm(client, token)) }) {
			if r.Code != http.StatusOK {
				t.Errorf("got %d %s", r.Code, r.Body)
			}
			successors[r.text("refresh_token")]++
		}
		if len(successors) != 1 {
			t.Errorf("%d successors, want 1", len(successors))
		}
		for next := range maps.Keys(successors) {
			if r := w.post("/token", refreshForm(client, next)); r.Code != http.StatusOK {
				t.Errorf("the successor: %d %s", r.Code, r.Body)
			}
		}
	})
}

func TestRefresh(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client, other := w.newClient(), w.newClient()
		start := w.tokens(client)
		first := start.text("refresh_token")
		parts := strings.SplitN(first, "_", 4)
		grant, proof := parts[1], parts[3]
		for name, token := range map[string]string{
			"empty": "", "malformed": "trt_1", "an access token": start.text("access_token"),
			"unknown grant": "trt_999_1_" + proof, "bad proof": "trt_" + grant + "_1_" + strings.Repeat("A", 43),
			"generation above": "trt_" + grant + "_2_" + proof, "sign": "trt_+" + grant + "_1_" + proof, "zeros": "trt_0" + grant + "_1_" + proof,
		} {
			if r := w.post("/token", refreshForm(client, token)); r.Code != 400 || r.text("error") != "invalid_grant" {
				t.Errorf("%s: got %d %s", name, r.Code, r.Body)
			}
		}
		w.post("/token", refreshForm(other, first)).want(t, 400, "invalid_grant")
		w.post("/token", with(refreshForm(client, first), "resource", "https://other.example/")).want(t, 400, "invalid_target")
		if !w.good(start.text("access_token"), "training") {
			t.Fatal("a bad token ended the grant")
		}
		t.Run("narrows this access token only", func(t *testing.T) {
			r := w.post("/token", with(with(refreshForm(client, first), "scope", "read openid"), "resource", base+"/mcp"))
			p, err := w.Verify(t.Context(), r.text("access_token"), "training")
			if err != nil || !slices.Equal(p.Scopes, []string{"read"}) || w.good(r.text("access_token"), "memory") || r.text("scope") != "read" {
				t.Errorf("got %+v, %v", p, err)
			}
			again := w.post("/token", refreshForm(client, first)) // in the grace
			if again.text("refresh_token") != r.text("refresh_token") || again.text("scope") != "read write" {
				t.Errorf("got %s", again.Body)
			}
		})
		t.Run("ends 360 days after the consent", func(t *testing.T) {
			w.clock.pass(grantLife)
			w.post("/token", refreshForm(client, first)).want(t, 400, "invalid_grant")
			if n := w.count("SELECT count(*) FROM grants WHERE revoked_at IS NOT NULL"); n != 0 {
				t.Errorf("%d grants were revoked", n)
			}
		})
	})
}

func TestRefreshReuseKillsTheFamily(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for name, c := range map[string]struct {
			rotations int
			wait      time.Duration
			dies      bool
		}{
			"the last one within the grace": {1, 30 * time.Second, false},
			"the last one after the grace":  {1, 31 * time.Second, true},
			"an older one at once":          {2, 0, true},
		} {
			client := w.newClient()
			start := w.tokens(client)
			live := start
			for range c.rotations {
				live = w.post("/token", refreshForm(client, live.text("refresh_token")))
			}
			w.clock.pass(c.wait)
			before := w.happened(RefreshReused)
			r := w.post("/token", refreshForm(client, start.text("refresh_token")))
			died := r.Code == 400 && r.text("error") == "invalid_grant" && !w.good(live.text("access_token"), "training") && w.happened(RefreshReused) == before+1
			lived := r.Code == 200 && w.good(live.text("access_token"), "training") && r.text("refresh_token") == live.text("refresh_token")
			if died != c.dies || lived == c.dies {
				t.Errorf("%s: got %d %s", name, r.Code, r.Body)
			}
			if c.dies {
				w.post("/token", refreshForm(client, live.text("refresh_token"))).want(t, 400, "invalid_grant")
			}
		}
		if !strings.Contains(w.log.String(), "presented twice") {
			t.Error("the log does not warn")
		}
	})
}

func TestStrictRefresh(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		token := w.tokens(client).text("refresh_token")
		next := w.post("/token", refreshForm(client, token))
		w.post("/token", refreshForm(client, token)).want(t, 400, "invalid_grant")
		if w.good(next.text("access_token"), "training") {
			t.Error("the family lives on")
		}
	}, func(o *Options) { o.Grace = 0 })
}

func TestAnEndedGrantDiesOnTheNextVerify(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		for name, end := range map[string]func(p Principal, tokens reply){
			"revoked by the person": func(p Principal, _ reply) {
				if err := w.Revoke(t.Context(), 1, 1, p.Grant); err != nil {
					t.Error(err)
				}
			},
			"revoked by the client with a refresh token": func(_ Principal, r reply) {
				w.post("/revoke", url.Values{"client_id": {client}, "token": {r.text("refresh_token")}}).want(t, 200, "")
			},
			"revoked by the client with an access token": func(_ Principal, r reply) {
				w.post("/revoke", url.Values{"client_id": {client}, "token": {r.text("access_token")}}).want(t, 200, "")
			},
		} {
			r := w.tokens(client)
			p, err := w.Verify(t.Context(), r.text("access_token"), "training")
			if err != nil {
				t.Fatal(err)
			}
			before := w.happened(GrantRevoked)
			end(p, r)
			if w.good(r.text("access_token"), "training") || w.happened(GrantRevoked) != before+1 {
				t.Errorf("%s: the access token still works, or nothing was written down", name)
			}
			w.post("/token", refreshForm(client, r.text("refresh_token"))).want(t, 400, "invalid_grant")
		}
		t.Run("a member who leaves", func(t *testing.T) {
			r := w.tokens(client)
			w.exec("DELETE FROM members WHERE workspace_id = 1 AND account_id = 1")
			if w.good(r.text("access_token"), "training") {
				t.Error("the access token still works")
			}
			w.post("/token", refreshForm(client, r.text("refresh_token"))).want(t, 400, "invalid_grant")
		})
	})
}

func TestRevokeIsForItsOwner(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client, other := w.newClient(), w.newClient()
		r := w.tokens(client)
		p, err := w.Verify(t.Context(), r.text("access_token"), "training")
		if err != nil {
			t.Fatal(err)
		}
		w.post("/revoke", url.Values{"client_id": {other}, "token": {r.text("refresh_token")}}).want(t, 200, "")
		w.post("/revoke", url.Values{"client_id": {other}, "token": {r.text("access_token")}}).want(t, 200, "")
		w.post("/revoke", url.Values{"client_id": {client}, "token": {"nonsense"}}).want(t, 200, "")
		w.post("/revoke", url.Values{"client_id": {"tc_x"}, "token": {r.text("refresh_token")}}).want(t, 401, "invalid_client")
		wantKind(t, w.Revoke(t.Context(), 2, 1, p.Grant), fault.NotFound)
		wantKind(t, w.Revoke(t.Context(), 1, 2, p.Grant), fault.NotFound)
		wantKind(t, w.Revoke(t.Context(), 1, 1, p.Grant+100), fault.NotFound)
		if !w.good(r.text("access_token"), "training") {
			t.Error("a stranger revoked the grant")
		}
		list, err := w.Connections(t.Context(), 1, 1)
		if err != nil || len(list) != 1 || list[0].Grant != p.Grant || list[0].Name != "Claude" {
			t.Errorf("connections %+v, %v", list, err)
		}
		if list, err := w.Connections(t.Context(), 1, 2); err != nil || len(list) != 0 {
			t.Errorf("another workspace shows %+v, %v", list, err)
		}
	})
}

func wantKind(t *testing.T, err error, kind fault.Kind) {
	t.Helper()
	if r, ok := errors.AsType[*fault.Refusal](err); !ok || r.Kind != kind {
		t.Errorf("got %v, want a refusal of kind %s", err, kind)
	}
}

func TestVerifyRefusesForgeries(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		real := w.tokens(client).text("access_token")
		var was claims
		if _, _, err := jwt.NewParser().ParseUnverified(real, &was); err != nil {
			t.Fatal(err)
		}
		stranger, err := NewKey()
		if err != nil {
			t.Fatal(err)
		}
		make := func(change func(*claims, map[string]any)) string {
			c, header := was, map[string]any{"typ": accessType, "kid": w.keys.kid}
			change(&c, header)
			token := jwt.NewWithClaims(jwt.SigningMethodRS256, c)
			maps.Copy(token.Header, header)
			text, err := token.SignedString(w.keys.access)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		unsigned, _ := jwt.NewWithClaims(jwt.SigningMethodNone, was).SignedString(jwt.UnsafeAllowNoneSignatureType)
		hs := jwt.NewWithClaims(jwt.SigningMethodHS256, was)
		hs.Header["typ"], hs.Header["kid"] = accessType, w.keys.kid
		symmetric, _ := hs.SignedString([]byte(w.keys.kid))
		foreign := jwt.NewWithClaims(jwt.SigningMethodRS256, was)
		foreign.Header["typ"], foreign.Header["kid"] = accessType, w.keys.kid
		byStranger, _ := foreign.SignedString(stranger)
		for name, token := range map[string]string{
			"empty": "", "nonsense": "a.b.c", "none": unsigned, "HS256": symmetric, "another key": byStranger, "cut": real[:len(real)-2],
			"long":           strings.Repeat("a", accessMax+1),
			"wrong typ":      make(func(_ *claims, h map[string]any) { h["typ"] = "JWT" }),
			"other kid":      make(func(_ *claims, h map[string]any) { h["kid"] = "x" }),
			"crit":           make(func(_ *claims, h map[string]any) { h["crit"] = []string{"x"} }),
			"wrong issuer":   make(func(c *claims, _ map[string]any) { c.Issuer = "https://other.example" }),
			"wrong audience": make(func(c *claims, _ map[string]any) { c.Audience = jwt.ClaimStrings{base} }),
			"no audience":    make(func(c *claims, _ map[string]any) { c.Audience = nil }),
			"no expiry":      make(func(c *claims, _ map[string]any) { c.ExpiresAt = nil }),
			"expired":        make(func(c *claims, _ map[string]any) { c.ExpiresAt = jwt.NewNumericDate(w.clock.now()) }),
			"no grant":       make(func(c *claims, _ map[string]any) { c.Grant = 0 }),
			"other grant":    make(func(c *claims, _ map[string]any) { c.Grant += 100 }),
			"workspace":      make(func(c *claims, _ map[string]any) { c.Workspace = 2 }),
			"other client":   make(func(c *claims, _ map[string]any) { c.ClientID = "tc_x" }),
		} {
			_, err := w.Verify(t.Context(), token, "training")
			if r, ok := errors.AsType[*fault.Refusal](err); !ok || r.Code != fault.CodeUnauthenticated || r.HTTPStatus() != 401 {
				t.Errorf("%s: got %v", name, err)
			}
		}
		if !w.good(make(func(_ *claims, h map[string]any) { h["typ"] = "AT+JWT" }), "training") {
			t.Error("typ is not compared without case")
		}
		if w.good(real, "") || w.good(real, "nothing") {
			t.Error("a token is good for no plate")
		}
		w.clock.pass(accessLife)
		if w.good(real, "training") {
			t.Error("a remembered signature outlives its token")
		}
	})
}

func TestClientAuthentication(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for _, method := range []string{authBasic, authPost} {
			r := w.registerWith(map[string]any{"client_name": "Robot", "redirect_uris": []string{callback}, "token_endpoint_auth_method": method})
			client, password := r.text("client_id"), r.text("client_secret")
			if password == "" || r.body["client_secret_expires_at"] != 0.0 {
				t.Fatalf("got %s", r.Body)
			}
			body := with(exchangeForm(client, w.code(client)), "client_secret", password)
			if r := w.post("/token", body); r.Code != 200 {
				t.Errorf("%s by body: %d %s", method, r.Code, r.Body)
			}
			form := exchangeForm(client, w.code(client))
			w.post("/token", form).want(t, 401, "invalid_client")
			bad := w.basic("/token", client, password+"x", form)
			bad.want(t, 401, "invalid_client")
			if bad.Header().Get("WWW-Authenticate") != `Basic realm="tectonic"` {
				t.Errorf("challenge %q", bad.Header().Get("WWW-Authenticate"))
			}
			w.basic("/token", client, password, with(form, "client_id", "tc_other")).want(t, 400, "invalid_request")
			if r := w.basic("/token", client, password, form); r.Code != 200 {
				t.Errorf("%s by header: %d %s", method, r.Code, r.Body)
			}
			if n := w.count("SELECT count(*) FROM clients WHERE secret_hash = $1", password); n != 0 {
				t.Error("the secret is stored as it is")
			}
			w.noSecrets(password)
		}
	})
}

func TestIntrospection(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		reg := w.registerWith(map[string]any{"client_name": "Robot", "redirect_uris": []string{callback}})
		client, password := reg.text("client_id"), reg.text("client_secret")
		tokens := w.basic("/token", client, password, exchangeForm(client, w.code(client)))
		public := w.newClient()
		others := w.tokens(public)
		ask := func(token string) reply {
			return w.basic("/introspect", client, password, url.Values{"token": {token}})
		}
		r := ask(tokens.text("access_token"))
		if r.body["active"] != true || r.text("scope") != "read write" || r.text("sub") != "1" || r.text("client_id") != client || r.body["exp"] == nil {
			t.Errorf("got %s", r.Body)
		}
		if r := ask(tokens.text("refresh_token")); r.body["active"] != true {
			t.Errorf("got %s", r.Body)
		}
		for name, token := range map[string]string{"nonsense": "x", "another's": others.text("access_token"), "another's refresh": others.text("refresh_token")} {
			if got := strings.TrimSpace(ask(token).Body.String()); got != `{"active":false}` {
				t.Errorf("%s: got %s", name, got)
			}
		}
		if got := w.post("/introspect", url.Values{"client_id": {public}, "token": {others.text("access_token")}}).Body.String(); got != `{"active":false}` {
			t.Errorf("a public client got %s", got)
		}
		next := w.basic("/token", client, password, refreshForm(client, tokens.text("refresh_token")))
		if r := ask(tokens.text("refresh_token")); r.body["active"] != false {
			t.Errorf("a refresh token that was replaced: %s", r.Body)
		}
		tokens = next
		w.basic("/introspect", client, "wrong", url.Values{"token": {"x"}}).want(t, 401, "invalid_client")
		w.basic("/revoke", client, password, url.Values{"token": {tokens.text("refresh_token")}}).want(t, 200, "")
		if got := ask(tokens.text("access_token")).Body.String(); got != `{"active":false}` {
			t.Errorf("after revoking: %s", got)
		}
	})
}

func TestClientCredentials(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client, password, err := w.CreateClient(t.Context(), ClientRequest{Name: "Nightly", Account: 1, Workspace: 1, Plates: []string{"training"}, Scopes: []string{"read"}})
		if err != nil {
			t.Fatal(err)
		}
		form := url.Values{"grant_type": {"client_credentials"}}
		r := w.basic("/token", client, password, form)
		p, err := w.Verify(t.Context(), r.text("access_token"), "training")
		if err != nil || p.Account != 1 || p.Workspace != 1 || !slices.Equal(p.Scopes, []string{"read"}) || r.text("refresh_token") != "" {
			t.Errorf("got %s, %+v, %v", r.Body, p, err)
		}
		var c claims
		if _, _, err := jwt.NewParser().ParseUnverified(r.text("access_token"), &c); err != nil || c.Subject != client {
			t.Errorf("sub %q, %v", c.Subject, err)
		}
		w.basic("/token", client, "wrong", form).want(t, 401, "invalid_client")
		w.basic("/token", client, password, with(form, "resource", base+"/mcp/memory")).want(t, 400, "invalid_target")
		if got := w.get("/authorize?" + request(client).Encode()); got.Code != 400 {
			t.Errorf("it may ask people: %d", got.Code)
		}
		if err := w.Revoke(t.Context(), 1, 1, p.Grant); err != nil {
			t.Fatal(err)
		}
		if w.good(r.text("access_token"), "training") {
			t.Error("its token outlives the grant")
		}
		w.basic("/token", client, password, form).want(t, 400, "invalid_grant")
		_, _, err = w.CreateClient(t.Context(), ClientRequest{Name: "Foreign", Account: 1, Workspace: 3})
		wantKind(t, err, fault.NotFound)
		if n := w.count("SELECT count(*) FROM clients"); n != 1 {
			t.Errorf("%d clients, want 1: a refused one stayed", n)
		}
	})
}

func TestPersonalTokens(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		make := func(change func(*TokenRequest)) (string, error) {
			q := TokenRequest{Account: 1, Workspace: 1, Name: " Phone ", Plates: []string{"memory"}, Scopes: []string{"read", "operate", "fly"}, Rules: map[string]any{"memory": "x"}}
			change(&q)
			token, _, err := w.CreateToken(t.Context(), q)
			return token, err
		}
		token, err := make(func(*TokenRequest) {})
		if err != nil || !strings.HasPrefix(token, "tpt_") || len(token) != 47 {
			t.Fatalf("got %q, %v", token, err)
		}
		p, err := w.Verify(t.Context(), token, "memory")
		if err != nil || p.ClientName != "Phone" || !slices.Equal(p.Scopes, []string{"read", "operate"}) || p.Rules["memory"] != "x" || p.Role != "owner" {
			t.Errorf("got %+v, %v", p, err)
		}
		if w.good(token, "training") || w.good(token+"x", "memory") {
			t.Error("it opens more than it should")
		}
		if _, err := w.VerifyInAddress(t.Context(), token, "memory"); err == nil {
			t.Error("a token that is not for addresses was taken from one")
		}
		list, err := w.Tokens(t.Context(), 1, 1)
		if err != nil || len(list) != 1 || list[0].Name != "Phone" || list[0].Hint != token[43:] || list[0].Grant != p.Grant {
			t.Errorf("got %+v, %v", list, err)
		}
		if n := w.count("SELECT count(*) FROM tokens WHERE token_hash = $1", hashed(token)); n != 1 {
			t.Error("it is not stored as its SHA-256")
		}
		for name, change := range map[string]func(*TokenRequest){
			"no name":        func(q *TokenRequest) { q.Name = " \x00" },
			"no plate":       func(q *TokenRequest) { q.Plates = []string{"x"} },
			"no scope":       func(q *TokenRequest) { q.Scopes = nil },
			"scope of other": func(q *TokenRequest) { q.Plates, q.Scopes = []string{"training"}, []string{"operate"} },
			"past":           func(q *TokenRequest) { q.Expires = w.clock.now() },
		} {
			if _, err := make(change); err == nil {
				t.Errorf("%s was taken", name)
			} else {
				wantKind(t, err, fault.Invalid)
			}
		}
		_, err = make(func(q *TokenRequest) { q.Workspace = 3 })
		wantKind(t, err, fault.NotFound)

		_, err = w.RotateToken(t.Context(), 2, 1, p.Grant)
		wantKind(t, err, fault.NotFound)
		next, err := w.RotateToken(t.Context(), 1, 1, p.Grant)
		if err != nil || w.good(token, "memory") || !w.good(next, "memory") {
			t.Errorf("after rotation: %v", err)
		}
		if err := w.Revoke(t.Context(), 1, 1, p.Grant); err != nil || w.good(next, "memory") || w.happened(TokenRevoked) != 1 {
			t.Errorf("after revoking: %v", err)
		}
		_, err = w.RotateToken(t.Context(), 1, 1, p.Grant)
		wantKind(t, err, fault.NotFound)

		short, err := make(func(q *TokenRequest) { q.Expires, q.InAddress = w.clock.now().Add(time.Hour), true })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.VerifyInAddress(t.Context(), short, "memory"); err != nil || !w.good(short, "memory") {
			t.Errorf("in an address: %v", err)
		}
		w.clock.pass(time.Hour)
		if w.good(short, "memory") {
			t.Error("it outlives its end")
		}
		r := w.post("/token", url.Values{"grant_type": {"client_credentials"}, "client_id": {p.ClientUID}})
		r.want(t, 401, "invalid_client")
	})
}

func TestRetention(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		used, silent, asking := w.newClient(), w.newClient(), w.newClient()
		r := w.tokens(used)
		w.code(asking)
		_, _, err := w.CreateClient(t.Context(), ClientRequest{Name: "Nightly", Account: 1, Workspace: 1})
		if err != nil {
			t.Fatal(err)
		}
		drop := func(want int64) {
			t.Helper()
			if n, err := w.DropEnded(t.Context()); err != nil || n != want {
				t.Errorf("dropped %d, %v, want %d", n, err, want)
			}
		}
		has := func(client string) bool { return w.count("SELECT count(*) FROM clients WHERE uid = $1", client) == 1 }
		drop(0)
		w.clock.pass(2 * day)
		drop(1) // the code that nobody used
		w.clock.pass(29 * day)
		drop(2) // the two clients that never got a token
		drop(0)
		if !has(used) || has(silent) || has(asking) {
			t.Error("the wrong clients went")
		}
		w.post("/revoke", url.Values{"client_id": {used}, "token": {r.text("refresh_token")}}).want(t, 200, "")
		w.clock.pass(29 * day)
		drop(0)
		w.clock.pass(2 * day)
		drop(1) // the revoked grant
		w.clock.pass(400 * day)
		w.exec(`INSERT INTO record_rows (ref, phase, at, plate, tool, transport, actor_type, client_id, contract_version)
			SELECT 'rf_x', 'outcome', created_at, 'training', 'x', 'mcp_http', 'client', id, 4 FROM clients WHERE uid = $1`, used)
		drop(0)
		if !has(used) {
			t.Error("a client that the record names went")
		}
		if n := w.count("SELECT count(*) FROM clients"); n != 2 {
			t.Errorf("%d clients are left, want the used one and the operator's", n)
		}
	})
}

// A copy of the database holds nothing that opens a door.
func TestTheDatabaseHoldsNoToken(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		client := w.newClient()
		code := w.code(client)
		r := w.post("/token", exchangeForm(client, code))
		personal, _, err := w.CreateToken(t.Context(), TokenRequest{Account: 1, Workspace: 1, Name: "x", Plates: []string{"memory"}, Scopes: []string{"read"}})
		if err != nil {
			t.Fatal(err)
		}
		proof := strings.SplitN(r.text("refresh_token"), "_", 4)[3]
		for i, secret := range []string{code, proof, r.text("access_token"), personal} {
			n := w.count("SELECT count(*) FROM grants WHERE code_hash = $1 OR seed = $1 OR code_challenge = $1", secret) +
				w.count("SELECT count(*) FROM tokens WHERE token_hash = $1 OR hint = $1", secret)
			if n != 0 {
				t.Errorf("secret %s is stored", strconv.Itoa(i))
			}
		}
	})
}
