package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
	"github.com/alexedwards/scs/v2/memstore"
	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// people answers for account 1 in epoch 1, who is in workspaces 1 and 2.
type people struct{}

func (people) Identity(_ context.Context, account id.AccountID, ws id.WorkspaceID, epoch int64) (Identity, error) {
	if epoch != 1 {
		return Identity{}, fault.Deny(fault.CodeUnauthenticated, "This session has ended.")
	}
	return Identity{
		Caller:     contract.Caller{Account: account, Email: "mira@okafor.example", Workspace: ws, WorkspaceName: fmt.Sprintf("Log %d", ws)},
		Workspaces: []Workspace{{ID: 1, Name: "Log 1"}, {ID: 2, Name: "Log 2"}},
	}, nil
}

// browser is a client with cookies in front of a site with test routes.
type browser struct {
	t *testing.T
	*http.Client
	at string
}

func open(t *testing.T, o Options, routes map[string]http.Handler) browser {
	t.Helper()
	o.Dev, o.Identities, o.Log = true, people{}, slog.New(slog.DiscardHandler)
	if o.Store == nil {
		o.Store = ctxStore{memstore.NewWithCleanupInterval(0)}
	}
	site, mux := New(o), http.NewServeMux()
	site.Mount(mux)
	for pattern, h := range testRoutes() {
		mux.Handle(pattern, h)
	}
	for pattern, h := range routes {
		mux.Handle(pattern, h)
	}
	server := httptest.NewServer(site.Handler(mux))
	t.Cleanup(server.Close)
	jar, _ := cookiejar.New(nil) // never fails without options
	client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return browser{t, client, server.URL}
}

func testRoutes() map[string]http.Handler {
	return map[string]http.Handler{
		"GET /login": Handle(func(w http.ResponseWriter, r *http.Request) error {
			return Render(w, r, http.StatusOK, Door(DoorProps{Title: "Sign in"}))
		}),
		"GET /enter": Handle(func(w http.ResponseWriter, r *http.Request) error {
			err := SignIn(r.Context(), 1, 1, 1, r.URL.Query().Has("remember"))
			Redirect(w, r, Next(r, "/"))
			return err
		}),
		"GET /{$}": Member(func(w http.ResponseWriter, r *http.Request) error {
			return Render(w, r, http.StatusOK, page(), "here")
		}),
		"POST /save": Member(func(w http.ResponseWriter, r *http.Request) error {
			if _, err := Posted(r); err != nil {
				return err
			}
			Flash(r.Context(), FlashDone, "The block was saved.")
			Redirect(w, r, "/")
			return nil
		}),
		"GET /panic":  Handle(func(http.ResponseWriter, *http.Request) error { panic("the secret cause") }),
		"POST /panic": Handle(func(http.ResponseWriter, *http.Request) error { panic("the secret cause") }),
		"GET /down": Handle(func(http.ResponseWriter, *http.Request) error {
			return fault.NotReachable(errors.New("dial tcp 10.0.0.1"))
		}),
		"GET /slow": Handle(func(_ http.ResponseWriter, r *http.Request) error {
			<-r.Context().Done()
			return fmt.Errorf("read: %w", r.Context().Err())
		}),
		"GET /stream": Stream(Handle(func(w http.ResponseWriter, r *http.Request) error {
			_, ok := r.Context().Deadline()
			fmt.Fprint(w, "deadline: ", ok)
			return nil
		})),
		"POST /upload": BodyLimit(64, Handle(func(w http.ResponseWriter, r *http.Request) error { return ParseForm(r) })),
	}
}

// page is a page with a heading, one fragment and something after it.
func page() templ.Component {
	inner := templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		io.WriteString(w, `<div id="here">part</div>`)
		return nil
	})
	body := templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if err := Heading(HeadProps{Title: "Today"}).Render(ctx, w); err != nil {
			return err
		}
		return templ.Fragment("here").Render(templ.WithChildren(ctx, inner), w)
	})
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return Layout(Page{Title: "Today"}).Render(templ.WithChildren(ctx, body), w)
	})
}

type answer struct {
	*http.Response
	body string
}

func (a answer) doc(t *testing.T) *goquery.Document {
	t.Helper()
	d, err := goquery.NewDocumentFromReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (b browser) do(method, path string, form url.Values, headers ...string) answer {
	b.t.Helper()
	r, err := http.NewRequest(method, b.at+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{resp, string(body)}
}

func (b browser) get(path string, headers ...string) answer {
	b.t.Helper()
	return b.do(http.MethodGet, path, nil, headers...)
}

func TestEveryAnswerCarriesTheSecurityHeaders(t *testing.T) {
	t.Parallel()
	b := open(t, Options{Secure: true}, nil)
	for _, path := range []string{"/login", "/nowhere", "/panic", Asset("app.css")} {
		h := b.get(path).Header
		csp := h.Get("Content-Security-Policy")
		if strings.Contains(csp, "unsafe") || !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: policy = %q", path, csp)
		}
		got := []string{h.Get("X-Content-Type-Options"), h.Get("Referrer-Policy"), h.Get("Cross-Origin-Opener-Policy"), h.Get("Strict-Transport-Security")}
		want := []string{"nosniff", "same-origin", "same-origin", "max-age=31536000"}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: headers (-want +got):\n%s", path, d)
		}
	}
	if got := open(t, Options{}, nil).get("/login").Header.Get("Strict-Transport-Security"); got != "" {
		t.Errorf("HSTS without https = %q", got)
	}
}

func TestNoPageHasInlineScriptOrStyle(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, nil)
	b.get("/enter")
	for _, path := range []string{"/", "/more", "/-/gallery", "/login", "/nowhere"} {
		d := b.get(path).doc(t)
		if n := d.Find("style, [style], script:not([src])").Length(); n != 0 {
			t.Errorf("%s has %d inline styles or scripts", path, n)
		}
		d.Find("*").Each(func(_ int, s *goquery.Selection) {
			for _, a := range s.Nodes[0].Attr {
				if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Key, "hx-on") {
					t.Errorf("%s: <%s %s> needs an inline script", path, s.Nodes[0].Data, a.Key)
				}
			}
		})
	}
}

func TestAFragmentIsSentOnlyForAListedTarget(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, nil)
	b.get("/enter")
	for name, c := range map[string]struct {
		headers []string
		whole   bool
	}{
		"a browser gets the page":                   {nil, true},
		"htmx with the target gets the part":        {[]string{"HX-Request", "true", "HX-Target", "div#here"}, false},
		"htmx with another target gets the page":    {[]string{"HX-Request", "true", "HX-Target", "div#there"}, true},
		"htmx that restores history gets the page":  {[]string{"HX-Request", "true", "HX-Target", "div#here", "HX-History-Restore-Request", "true"}, true},
		"the header alone, without htmx, is no ask": {[]string{"HX-Target", "div#here"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := b.get("/", c.headers...)
			if got := strings.Contains(a.body, "<html"); got != c.whole {
				t.Errorf("whole page = %v, want %v:\n%.200s", got, c.whole, a.body)
			}
			if !strings.Contains(a.body, `<div id="here">part</div>`) {
				t.Error("the part is missing")
			}
			if vary := strings.Join(a.Header.Values("Vary"), ", "); !strings.Contains(vary, "HX-Target") {
				t.Errorf("Vary = %q", vary)
			}
		})
	}
}

func TestAFlashIsShownOnceAndNotLostToAFragment(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, nil)
	b.get("/enter")
	form := url.Values{"workspace": {"1"}, "request_id": {"r1"}}
	if a := b.do("POST", "/save", form); a.StatusCode != http.StatusSeeOther {
		t.Fatalf("save: status %d", a.StatusCode)
	}
	b.get("/", "HX-Request", "true", "HX-Target", "div#here")
	if got := b.get("/").doc(t).Find(".flash--done").Text(); !strings.Contains(got, "The block was saved.") {
		t.Errorf("first page: flash = %q", got)
	}
	if n := b.get("/").doc(t).Find("main .flash").Length(); n != 0 {
		t.Errorf("second page: %d flashes", n)
	}
}

func TestFormsOfAnotherWorkspaceAreRefused(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, nil)
	b.get("/enter")
	for name, c := range map[string]struct {
		form   url.Values
		status int
	}{
		"its own":       {url.Values{"workspace": {"1"}, "request_id": {"a"}}, http.StatusSeeOther},
		"another":       {url.Values{"workspace": {"2"}, "request_id": {"a"}}, http.StatusConflict},
		"none":          {url.Values{"request_id": {"a"}}, http.StatusSeeOther},
		"no request id": {url.Values{"workspace": {"1"}}, http.StatusSeeOther},
	} {
		if a := b.do("POST", "/save", c.form); a.StatusCode != c.status {
			t.Errorf("%s: status %d, want %d", name, a.StatusCode, c.status)
		}
	}
}

func TestALinkThatNamesItsWorkspaceEntersIt(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, nil)
	b.get("/enter")
	a := b.get("/?w=2&x=1")
	if got := a.Header.Get("Location"); a.StatusCode != http.StatusSeeOther || got != "/?x=1" {
		t.Fatalf("status %d, location %q", a.StatusCode, got)
	}
	if got := b.get("/").doc(t).Find(".menu__name").Text(); got != "Log 2" {
		t.Errorf("workspace = %q", got)
	}
	if a := b.get("/?w=3"); a.StatusCode != http.StatusOK {
		t.Errorf("unknown workspace: status %d", a.StatusCode)
	}
}

func TestSignedOutPeopleComeBackAfterSigningIn(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, nil)
	if got := b.get("/?week=2").Header.Get("Location"); got != "/login?next=%2F%3Fweek%3D2" {
		t.Errorf("location = %q", got)
	}
	if got := b.get("/", "HX-Request", "true").Header.Get("HX-Redirect"); got != "/login" {
		t.Errorf("HX-Redirect = %q", got)
	}
	if got := b.get("/", "HX-Request", "true", "HX-Current-URL", b.at+"/?week=2").Header.Get("HX-Redirect"); got != "/login?next=%2F%3Fweek%3D2" {
		t.Errorf("HX-Redirect of a page = %q", got)
	}
	if got := b.get("/enter?next=%2F%3Fweek%3D2").Header.Get("Location"); got != "/?week=2" {
		t.Errorf("way back = %q", got)
	}
	if got := b.get("/enter?next=https%3A%2F%2Fevil.example").Header.Get("Location"); got != "/" {
		t.Errorf("way out = %q", got)
	}
}

func TestAChangeWithoutASessionIsNotLostSilently(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, nil)
	const back = "/login?next=%2F%3Fweek%3D2&unsaved=1"
	if got := b.do(http.MethodPost, "/save", url.Values{}, "HX-Request", "true", "HX-Current-URL", b.at+"/?week=2").Header.Get("HX-Redirect"); got != back {
		t.Errorf("with script: to %q, want %q", got, back)
	}
	if got := b.do(http.MethodPost, "/save", url.Values{}, "Referer", b.at+"/?week=2").Header.Get("Location"); got != back {
		t.Errorf("without script: to %q, want %q", got, back)
	}
	for _, from := range []string{"", "https://evil.example/?week=2", ":", b.at + "//evil.example"} {
		if got := b.do(http.MethodPost, "/save", url.Values{}, "Referer", from).Header.Get("Location"); got != "/login?unsaved=1" {
			t.Errorf("from %q: to %q, want no way back", from, got)
		}
	}
	want := "You were signed out. That change was not saved; sign in and do it again."
	if got := strings.TrimSpace(b.get(back).doc(t).Find("main .flash").Text()); got != want {
		t.Errorf("the sign-in page says %q, want %q", got, want)
	}
	if n := b.get("/login?next=%2F").doc(t).Find("main .flash").Length(); n != 0 {
		t.Error("the sign-in page speaks of a change that nobody made")
	}
}

func TestLocalPathLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/workouts/3?x=1#set":  "/workouts/3?x=1#set",
		"/":                    "/",
		"":                     "/home",
		"workouts":             "/home",
		"//evil.example":       "/home",
		`/\evil.example`:       "/home",
		"/\t/evil.example":     "/home",
		"https://evil.example": "/home",
		"javascript:alert(1)":  "/home",
		"/%zz":                 "/home",
	} {
		if got := LocalPath(path, "/home"); got != want {
			t.Errorf("LocalPath(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestTheCookieLivesAsLongAsWasAskedFor(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]time.Duration{"": 0, "?remember=1": longLife} {
		a := open(t, Options{Secure: true}, nil).get("/enter" + query)
		c := a.Cookies()[0]
		if c.Name != "tectonic_session" || !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteLaxMode {
			t.Errorf("cookie = %s", c)
		}
		if got := time.Duration(c.MaxAge) * time.Second; got.Round(time.Hour) != want {
			t.Errorf("%q: max age = %s, want %s", query, got, want)
		}
	}
}

func TestTheTokenIsRenewedAndAnOldEpochEndsTheSession(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, map[string]http.Handler{
		"GET /stale": Handle(func(w http.ResponseWriter, r *http.Request) error { return SignIn(r.Context(), 1, 1, 0, false) }),
	})
	first := b.get("/enter").Cookies()[0].Value
	if second := b.get("/enter").Cookies()[0].Value; second == first {
		t.Error("the token stayed the same over a sign-in")
	}
	b.get("/stale")
	a := b.get("/")
	if a.StatusCode != http.StatusSeeOther || len(a.Cookies()) != 1 || a.Cookies()[0].MaxAge >= 0 {
		t.Errorf("status %d, cookies %v", a.StatusCode, a.Cookies())
	}
}

func TestAFormOfAnotherSiteIsRefused(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, nil)
	b.get("/enter")
	a := b.do("POST", "/save", url.Values{"workspace": {"1"}, "request_id": {"a"}}, "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
	if a.StatusCode != http.StatusForbidden || !strings.Contains(a.body, "That request could not be verified. Reload the page and try again.") {
		t.Errorf("status %d:\n%.300s", a.StatusCode, a.body)
	}
}

func TestErrorsAreShownToAReader(t *testing.T) {
	t.Parallel()
	b := open(t, Options{Timeout: 20 * time.Millisecond}, nil)
	for path, c := range map[string]struct {
		status int
		title  string
	}{
		"/nowhere": {http.StatusNotFound, "Not found"},
		"/save":    {http.StatusMethodNotAllowed, "This address takes another method"},
		"/panic":   {http.StatusInternalServerError, "Something went wrong"},
		"/down":    {http.StatusServiceUnavailable, "Not available right now"},
		"/slow":    {http.StatusGatewayTimeout, "That took too long"},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			a := b.get(path)
			if a.StatusCode != c.status {
				t.Errorf("status %d, want %d", a.StatusCode, c.status)
			}
			if got := a.doc(t).Find("h1").Text(); got != c.title {
				t.Errorf("title %q, want %q", got, c.title)
			}
			if strings.Contains(a.body, "secret cause") || strings.Contains(a.body, "10.0.0.1") {
				t.Error("the cause is shown to the reader")
			}
			if c.status >= 500 && !strings.Contains(a.body, a.Header.Get("X-Request-Id")) {
				t.Error("the page has no reference")
			}
		})
	}
	if got := b.get("/down").Header.Get("Retry-After"); got != "5" {
		t.Errorf("Retry-After = %q", got)
	}
	if got := b.do("POST", "/down", nil).Header.Get("Allow"); got != "GET, HEAD" {
		t.Errorf("Allow = %q", got)
	}
}

func TestAnErrorOfAnHTMXRequestGoesToThePanel(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, nil)
	a := b.do("POST", "/panic", url.Values{}, "HX-Request", "true", "HX-Target", "div#here")
	if a.StatusCode != http.StatusInternalServerError || a.Header.Get("HX-Retarget") != "#problem" || a.Header.Get("HX-Reswap") != "innerHTML" {
		t.Errorf("status %d, headers %v", a.StatusCode, a.Header)
	}
	if strings.Contains(a.body, "<html") || a.doc(t).Find(".flash--missed").Length() != 1 {
		t.Errorf("body = %s", a.body)
	}
}

func TestAStreamHasNoDeadline(t *testing.T) {
	t.Parallel()
	if got := open(t, Options{}, nil).get("/stream").body; got != "deadline: false" {
		t.Errorf("body = %q", got)
	}
}

func TestABodyOverTheLimitIsRefused(t *testing.T) {
	t.Parallel()
	b := open(t, Options{BodyLimit: 32}, nil)
	b.get("/enter")
	if a := b.do("POST", "/save", url.Values{"note": {strings.Repeat("x", 64)}}); a.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("the site's limit: status %d", a.StatusCode)
	}
	if a := b.do("POST", "/upload", url.Values{"n": {strings.Repeat("x", 48)}}); a.StatusCode != http.StatusOK {
		t.Errorf("under the route's limit: status %d", a.StatusCode)
	}
	if a := b.do("POST", "/upload", url.Values{"n": {strings.Repeat("x", 80)}}); a.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("over the route's limit: status %d", a.StatusCode)
	}
}

// ctxStore makes the store in memory one that takes a context.
type ctxStore struct{ *memstore.MemStore }

func (s ctxStore) FindCtx(_ context.Context, token string) ([]byte, bool, error) {
	return s.Find(token)
}

func (s ctxStore) CommitCtx(_ context.Context, token string, b []byte, expiry time.Time) error {
	return s.Commit(token, b, expiry)
}
func (s ctxStore) DeleteCtx(_ context.Context, token string) error { return s.Delete(token) }

// fullStore cannot keep a session.
type fullStore struct{ ctxStore }

func (fullStore) CommitCtx(context.Context, string, []byte, time.Time) error {
	return errors.New("disk full")
}

func TestASignInThatCannotBeKeptIsNotClaimed(t *testing.T) {
	t.Parallel()
	b := open(t, Options{Store: fullStore{ctxStore{memstore.NewWithCleanupInterval(0)}}}, nil)
	a := b.get("/enter")
	if a.StatusCode != http.StatusServiceUnavailable || a.Header.Get("Location") != "" || len(a.Cookies()) != 0 {
		t.Errorf("status %d, location %q, cookies %v", a.StatusCode, a.Header.Get("Location"), a.Cookies())
	}
}

func TestTheColourSchemeIsRenderedByTheServer(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, nil)
	if _, ok := b.get("/login").doc(t).Find("html").Attr("data-theme"); ok {
		t.Error("a scheme without a choice")
	}
	if a := b.do("POST", "/theme", url.Values{"theme": {"dark"}, "back": {"/login"}}); a.Header.Get("Location") != "/login" {
		t.Errorf("location %q", a.Header.Get("Location"))
	}
	if got := b.get("/login").doc(t).Find("html").AttrOr("data-theme", ""); got != "dark" {
		t.Errorf("data-theme = %q", got)
	}
}

func TestAssetsAreKeptForEverUnderTheirHash(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, nil)
	for name := range served {
		a := b.get(Asset(name))
		if a.StatusCode != http.StatusOK || !strings.Contains(a.Header.Get("Cache-Control"), "immutable") || len(a.Header.Values("Set-Cookie")) != 0 {
			t.Errorf("%s: status %d, headers %v", name, a.StatusCode, a.Header)
		}
	}
	if !strings.Contains(b.get(Asset("app.css")).body, strings.TrimPrefix(Asset("archivo-70.woff2"), staticPrefix)) {
		t.Error("the stylesheet does not name the font by its hash")
	}
	if a := b.get("/static/app.css"); a.StatusCode != http.StatusNotFound {
		t.Errorf("without a hash: status %d", a.StatusCode)
	}
	js, err := os.Stat("static/app.js")
	if err != nil || js.Size() > 10<<10 {
		t.Errorf("our script: %d bytes, %v; the budget is 10 KiB", js.Size(), err)
	}
}

func TestTheLogHasNoQueryAndNoAddress(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	s := New(Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	mux := http.NewServeMux()
	mux.Handle("GET /lifts/{id}", Handle(func(http.ResponseWriter, *http.Request) error { return nil }))
	s.Handler(mux).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/lifts/9190190?email=mira@okafor", nil))
	if got := log.String(); !strings.Contains(got, `route="GET /lifts/{id}" status=200`) || strings.Contains(got, "9190190") || strings.Contains(got, "okafor") {
		t.Errorf("log = %s", got)
	}
}

func TestTheGalleryIsAccessible(t *testing.T) {
	t.Parallel()
	b := open(t, Options{}, nil)
	b.get("/enter")
	d := b.get("/-/gallery").doc(t)
	d.Find("input:not([type=hidden]), select, textarea").Each(func(_ int, s *goquery.Selection) {
		name := s.AttrOr("id", "?")
		if s.Closest("label").Length() == 0 && d.Find(`label[for="`+name+`"]`).Length() != 1 {
			t.Errorf("control %q has no label", name)
		}
		for _, ref := range strings.Fields(s.AttrOr("aria-describedby", "")) {
			if d.Find("#"+ref).Length() != 1 {
				t.Errorf("control %q is described by %q, which is not there", name, ref)
			}
		}
	})
	d.Find("button, a").Each(func(_ int, s *goquery.Selection) {
		if strings.TrimSpace(s.Text())+s.AttrOr("aria-label", "") == "" {
			t.Errorf("a control without a name: %s", s.Nodes[0].Data)
		}
	})
	d.Find("form[method=post]").Each(func(_ int, s *goquery.Selection) {
		if s.Closest("header").Length() == 0 && s.Find("[name=workspace]").Length()+s.Find("[name=request_id]").Length() != 2 {
			t.Errorf("form to %q has no tokens", s.AttrOr("action", ""))
		}
	})
	if n := d.Find("h1").Length(); n != 1 {
		t.Errorf("%d h1", n)
	}
	seen := map[string]bool{}
	d.Find("[id]").Each(func(_ int, s *goquery.Selection) {
		if name := s.AttrOr("id", ""); seen[name] {
			t.Errorf("id %q twice", name)
		} else {
			seen[name] = true
		}
	})
}

// Classes in templates have to be in the stylesheet that is committed; a new
// one is missing until the stylesheet is compiled again.
func TestEveryClassOfTheComponentsIsInTheStylesheet(t *testing.T) {
	t.Parallel()
	css, err := os.ReadFile("static/app.css")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("*.templ")
	more, _ := filepath.Glob("ui/*.templ")
	plain := regexp.MustCompile(`class="([^"{}]+)"`)
	for _, file := range append(files, more...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range plain.FindAllStringSubmatch(string(text), -1) {
			for _, class := range strings.Fields(m[1]) {
				if !unstyled[class] && !strings.Contains(string(css), "."+class) {
					t.Errorf("%s: class %q is not in app.css", file, class)
				}
			}
		}
	}
}

// unstyled are names for scripts and tests.
var unstyled = map[string]bool{"authpage": true, "rim": true, "hub": true}

func TestTheRailKeepsTheOnlyPlateOpen(t *testing.T) {
	t.Parallel()
	one := Section{Plate: "training", Items: []Item{{Key: "today"}}}
	other := Section{Plate: "memory"}
	for _, c := range []struct {
		sections []Section
		plate    string
		want     bool
	}{
		{[]Section{one}, "training", true},
		{[]Section{one}, BedrockPlate, true},
		{[]Section{one, other}, "training", true},
		{[]Section{one, other}, BedrockPlate, false},
	} {
		v := &visit{site: &Site{o: Options{Sections: c.sections}}}
		if got := v.opens(one, Page{Plate: c.plate}); got != c.want {
			t.Errorf("with %d plates on a page of %s: open %v, want %v", len(c.sections), c.plate, got, c.want)
		}
	}
}
