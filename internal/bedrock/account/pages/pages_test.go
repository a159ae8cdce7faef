package pages_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/account/pages"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/testkit"
	"tectonic/internal/web"
)

const (
	email    = "mira@okafor.example"
	password = "chalk and steel"
)

type identities struct{ *account.Service }

func (i identities) Identity(ctx context.Context, who id.AccountID, ws id.WorkspaceID, epoch int64) (web.Identity, error) {
	found, err := i.Service.Identity(ctx, who, ws, epoch)
	shown := web.Identity{Caller: found.Caller, Admin: found.Admin}
	for _, m := range found.Memberships {
		shown.Workspaces = append(shown.Workspaces, web.Workspace{ID: m.Workspace, Name: m.Name})
	}
	return shown, err
}

// site is a server with these pages and a home page behind the login.
type site struct {
	url      string
	accounts *account.Service
}

func serve(t *testing.T, d *db.DB, signUp account.SignUp) site {
	t.Helper()
	accounts := account.New(account.Options{DB: d, SignUp: signUp, Log: slog.New(slog.DiscardHandler)})
	s := web.New(web.Options{Store: accounts.Sessions(), Identities: identities{accounts}, Bedrock: pages.Nav(), Sections: []web.Section{{Plate: "knots", Title: "Knots", Settings: []web.Link{{Text: "Knot settings", Href: "/settings/knots"}}}}, Log: slog.New(slog.DiscardHandler), Version: "9.9"})
	mux := http.NewServeMux()
	s.Mount(mux)
	for _, r := range pages.Routes(pages.Deps{Accounts: accounts, SignUp: signUp, Version: "9.9", Contact: "ask@okafor.example"}) {
		mux.Handle(r.Pattern, r.Handler)
	}
	mux.Handle("GET /{$}", web.Member(func(w http.ResponseWriter, r *http.Request) error {
		return web.Render(w, r, http.StatusOK, web.Heading(web.HeadProps{Title: "Home"}))
	}))
	server := httptest.NewServer(s.Handler(mux))
	t.Cleanup(server.Close)
	return site{server.URL, accounts}
}

// browser keeps cookies and follows no redirect.
type browser struct {
	t      *testing.T
	url    string
	client *http.Client
}

func (s site) browser(t *testing.T) browser {
	t.Helper()
	jar, _ := cookiejar.New(nil) // never fails without options
	return browser{t, s.url, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// signedIn returns a browser of a new account.
func (s site) signedIn(t *testing.T) browser {
	t.Helper()
	_, err := s.accounts.Create(t.Context(), account.Door{Transport: contract.OverCLI}, account.NewAccount{Email: email, Password: password, Workspace: "Mira's log"})
	if err != nil {
		t.Fatal(err)
	}
	b := s.browser(t)
	b.post("/login", url.Values{"email": {email}, "password": {password}}, http.StatusSeeOther)
	return b
}

type answer struct {
	*goquery.Document
	header http.Header
}

func (a answer) text(selector string) string {
	return strings.Join(strings.Fields(a.Find(selector).Text()), " ")
}

func (b browser) get(path string, status int) answer {
	b.t.Helper()
	res, err := b.client.Get(b.url + path)
	return b.read(path, res, err, status)
}

func (b browser) post(path string, form url.Values, status int) answer {
	b.t.Helper()
	res, err := b.client.PostForm(b.url+path, form)
	return b.read(path, res, err, status)
}

func (b browser) read(path string, res *http.Response, err error, status int) answer {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	if res.StatusCode != status {
		b.t.Fatalf("%s: status %d, want %d\n%.900s", path, res.StatusCode, status, body)
	}
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(string(body)))
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{doc, res.Header}
}

// workspace returns the id that forms of the page carry.
func (a answer) workspace() string {
	value, _ := a.Find(`input[name="workspace"]`).First().Attr("value")
	return value
}

func with(base url.Values, changes ...string) url.Values {
	out := url.Values{}
	for name, values := range base {
		out[name] = values
	}
	for n := 0; n < len(changes); n += 2 {
		out.Set(changes[n], changes[n+1])
	}
	return out
}

var goodSignUp = url.Values{
	"email": {email}, "email_again": {email}, "password": {password}, "password_again": {password}, "time_zone": {"Asia/Calcutta"},
}

func TestSignUp(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := serve(t, d, account.SignUpOpen)
		b := s.browser(t)
		got := b.post("/create-account", goodSignUp, http.StatusSeeOther)
		if to := got.header.Get("Location"); to != "/" {
			t.Errorf("the new account goes to %q, want /", to)
		}
		if home := b.get("/", http.StatusOK); !strings.Contains(home.Text(), "write your first block") {
			t.Errorf("the first page names no first step: %q", home.text("body"))
		}
		settings := b.get("/workspace", http.StatusOK)
		if zone, _ := settings.Find("#time_zone option[selected]").Attr("value"); zone != "Asia/Calcutta" {
			t.Errorf("zone %q, want the chosen one", zone)
		}

		taken := s.browser(t).post("/create-account", goodSignUp, http.StatusUnprocessableEntity)
		if got := taken.text("#email-error"); !strings.Contains(got, "already an account") {
			t.Errorf("beside a taken address: %q", got)
		}
	})
}

func TestSignUpSaysEverythingAtOnce(t *testing.T) {
	t.Parallel()
	b := serve(t, testkit.DB(t), account.SignUpOpen).browser(t)
	got := b.post("/create-account", url.Values{
		"email": {email}, "email_again": {"mira@okafor.exmaple"}, "password": {"short"}, "password_again": {"other"}, "time_zone": {"Mars/Base"},
	}, http.StatusUnprocessableEntity)
	want := map[string]string{
		"#email_again-error": "The two e-mail addresses differ. Type the same one as above.",
		"#password-error":    "Use at least 10 characters; this has 5.",
		"#time_zone-error":   `"Mars/Base" is not a time zone this server knows.`,
		".flash h2":          "Three things to put right",
	}
	for selector, sentence := range want {
		if said := got.text(selector); said != sentence {
			t.Errorf("%s says %q, want %q", selector, said, sentence)
		}
	}
	for name, value := range map[string]string{"email": email, "email_again": "mira@okafor.exmaple", "password": "", "password_again": ""} {
		if kept, _ := got.Find(`input[name="` + name + `"]`).Attr("value"); kept != value {
			t.Errorf("%s keeps %q, want %q", name, kept, value)
		}
	}
	if zone, _ := got.Find("#time_zone option[selected]").Attr("value"); zone != "Mars/Base" {
		t.Errorf("the time zone became %q", zone)
	}
	differ := b.post("/create-account", with(goodSignUp, "password_again", "chalk and stee"), http.StatusUnprocessableEntity)
	if said := differ.text("#password_again-error"); said != "The two passwords differ. Type the same one twice." {
		t.Errorf("beside the second password: %q", said)
	}
}

func TestClosedSignUpTakesNobody(t *testing.T) {
	t.Parallel()
	b := serve(t, testkit.DB(t), account.SignUpClosed).browser(t)
	if form := b.get("/create-account", http.StatusOK); form.Find("#password").Length() != 0 {
		t.Error("a closed server shows the form")
	}
	if b.get("/welcome", http.StatusOK).Find(`a[href="/create-account"]`).Length() != 0 {
		t.Error("a closed server offers to sign up")
	}
	got := b.post("/create-account", goodSignUp, http.StatusForbidden)
	if said := got.text(".flash"); !strings.Contains(said, "takes no new accounts") {
		t.Errorf("a closed server says %q", said)
	}
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := serve(t, d, account.SignUpOpen)
		s.signedIn(t)
		b := s.browser(t)
		there := b.get("/settings?a=b", http.StatusSeeOther).header.Get("Location")
		form := b.get(there, http.StatusOK)
		next, _ := form.Find(`input[name="next"]`).Attr("value")
		if next != "/settings?a=b" {
			t.Fatalf("the form leads back to %q", next)
		}
		wrong := b.post("/login", url.Values{"email": {email}, "password": {"not the one"}, "next": {next}, "remember": {"1"}}, http.StatusUnprocessableEntity)
		if said := wrong.text("#password-error"); said != "That e-mail address and password do not match an account." {
			t.Errorf("beside the password: %q", said)
		}
		if kept, _ := wrong.Find("#email").Attr("value"); kept != email {
			t.Errorf("e-mail keeps %q", kept)
		}
		if _, ticked := wrong.Find("#remember").Attr("checked"); !ticked {
			t.Error("the box is not ticked any more")
		}
		if kept, _ := wrong.Find(`input[name="next"]`).Attr("value"); kept != next {
			t.Errorf("next became %q", kept)
		}
		right := b.post("/login", url.Values{"email": {" MIRA@okafor.example"}, "password": {password}, "next": {next}, "remember": {"1"}}, http.StatusSeeOther)
		if to := right.header.Get("Location"); to != next {
			t.Errorf("goes to %q, want %q", to, next)
		}
		if cookie := right.header.Get("Set-Cookie"); !strings.Contains(cookie, "Max-Age") {
			t.Errorf("a remembered device gets a cookie that ends with the browser: %q", cookie)
		}
		if to := b.get("/login", http.StatusSeeOther).header.Get("Location"); to != "/" {
			t.Errorf("the form of a signed-in person leads to %q", to)
		}
	})
}

func TestNextNeverLeadsAway(t *testing.T) {
	t.Parallel()
	s := serve(t, testkit.DB(t), account.SignUpOpen)
	s.signedIn(t)
	for _, next := range []string{"https://evil.example", "//evil.example", `/\evil.example`, "javascript:alert(1)"} {
		got := s.browser(t).post("/login", url.Values{"email": {email}, "password": {password}, "next": {next}}, http.StatusSeeOther)
		if to := got.header.Get("Location"); to != "/" {
			t.Errorf("next %q leads to %q", next, to)
		}
	}
}

func TestManyFailuresMustWait(t *testing.T) {
	t.Parallel()
	s := serve(t, testkit.DB(t), account.SignUpOpen)
	s.signedIn(t)
	b := s.browser(t)
	wrong := url.Values{"email": {email}, "password": {"not the one"}}
	for range 5 {
		b.post("/login", wrong, http.StatusUnprocessableEntity)
	}
	got := b.post("/login", url.Values{"email": {email}, "password": {password}}, http.StatusTooManyRequests)
	if said := got.text(".flash"); !strings.Contains(said, "Try again in") {
		t.Errorf("the wait is not said: %q", said)
	}
	if seconds, err := strconv.Atoi(got.header.Get("Retry-After")); err != nil || seconds < 1 || time.Duration(seconds)*time.Second > time.Minute {
		t.Errorf("Retry-After is %q", got.header.Get("Retry-After"))
	}
}

func TestSignOutEndsTheSession(t *testing.T) {
	t.Parallel()
	s := serve(t, testkit.DB(t), account.SignUpOpen)
	b := s.signedIn(t)
	if to := b.post("/logout", nil, http.StatusSeeOther).header.Get("Location"); to != "/welcome" {
		t.Errorf("sign-out leads to %q", to)
	}
	if to := b.get("/", http.StatusSeeOther).header.Get("Location"); !strings.HasPrefix(to, "/login") {
		t.Errorf("after the sign-out the home page leads to %q", to)
	}
}

func TestChangePassword(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := serve(t, d, account.SignUpOpen)
		here := s.signedIn(t)
		other := s.browser(t)
		other.post("/login", url.Values{"email": {email}, "password": {password}}, http.StatusSeeOther)
		form := url.Values{
			"workspace": {here.get("/settings", http.StatusOK).workspace()}, "current_password": {password},
			"new_password": {"heavier than before"}, "new_password_again": {"heavier than before"},
		}
		for _, c := range []struct{ field, value, at, says string }{
			{"current_password", "", "current_password", "Type your current password."},
			{"current_password", "not the one", "current_password", "That is not your current password."},
			{"new_password", "short", "new_password", "Use at least 10 characters; this has 5."},
			{"new_password_again", "lighter than before", "new_password_again", "The two passwords differ. Type the same one twice."},
		} {
			got := here.post("/settings/password", with(form, c.field, c.value), http.StatusUnprocessableEntity)
			if said := got.text("#" + c.at + "-error"); said != c.says {
				t.Errorf("%s %q: says %q, want %q", c.field, c.value, said, c.says)
			}
		}
		here.post("/settings/password", with(form, "workspace", "999"), http.StatusConflict)
		here.post("/settings/password", form, http.StatusSeeOther)
		if page := here.get("/settings", http.StatusOK); !strings.Contains(page.text(".flash"), "Your password was changed.") {
			t.Errorf("the change is not said: %q", page.text(".flash"))
		}
		other.get("/settings", http.StatusSeeOther)
	})
}

func TestChangeWorkspace(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := serve(t, d, account.SignUpOpen)
		b := s.signedIn(t)
		form := url.Values{"workspace": {b.get("/settings", http.StatusOK).workspace()}, "name": {"Garage"}, "time_zone": {"Europe/Berlin"}}
		got := b.post("/workspace/settings", with(form, "time_zone", "Mars/Base"), http.StatusUnprocessableEntity)
		if said := got.text("#time_zone-error"); said != `"Mars/Base" is not a time zone this server knows.` {
			t.Errorf("beside the zone: %q", said)
		}
		if kept, _ := got.Find("#name").Attr("value"); kept != "Garage" {
			t.Errorf("the name became %q", kept)
		}
		b.post("/workspace/settings", with(form, "name", " "), http.StatusUnprocessableEntity)
		b.post("/workspace/settings", form, http.StatusSeeOther)
		page := b.get("/settings", http.StatusOK)
		if name := page.text(".top .menu__name"); name != "Garage" {
			t.Errorf("the workspace is called %q", name)
		}
	})
}

func TestSettingsShowTheChosenLookAndLeadToEveryPlate(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		b := serve(t, d, account.SignUpOpen).signedIn(t)
		for _, theme := range []string{"", "dark", "light"} {
			b.post("/theme", url.Values{"theme": {theme}, "back": {"/settings"}}, http.StatusSeeOther)
			chosen := b.get("/settings", http.StatusOK).Find(`main button[name=theme][aria-pressed="true"]`)
			if got := chosen.AttrOr("value", "none"); got != theme || chosen.Length() != 1 {
				t.Errorf("%q is chosen, %d buttons show it: %q", theme, chosen.Length(), got)
			}
		}
		if got := b.get("/settings", http.StatusOK).text(`main a[href="/settings/knots"]`); got != "Knot settings" {
			t.Errorf("the plate's settings are linked as %q", got)
		}
	})
}

func TestSwitchWorkspaceKnowsOnlyItsOwn(t *testing.T) {
	t.Parallel()
	s := serve(t, testkit.DB(t), account.SignUpOpen)
	b := s.signedIn(t)
	own := b.get("/settings", http.StatusOK).workspace()
	if _, err := s.accounts.Create(t.Context(), account.Door{Transport: contract.OverCLI}, account.NewAccount{Email: "kofi@okafor.example", Password: password}); err != nil {
		t.Fatal(err)
	}
	foreign := b.post("/workspace", url.Values{"to": {"2"}}, http.StatusNotFound)
	unknown := b.post("/workspace", url.Values{"to": {"77"}}, http.StatusNotFound)
	if foreign.text("main") != unknown.text("main") {
		t.Error("another account's workspace answers differently than an unknown one")
	}
	b.post("/workspace", url.Values{"to": {own}}, http.StatusSeeOther)
}

func TestEveryPageHasOneHeadingThatIsItsTitle(t *testing.T) {
	t.Parallel()
	s := serve(t, testkit.DB(t), account.SignUpOpen)
	visitor, member := s.browser(t), s.signedIn(t)
	for _, c := range []struct {
		b    browser
		path string
	}{{visitor, "/about"}, {visitor, "/login"}, {visitor, "/create-account"}, {member, "/about"}, {member, "/settings"}} {
		page := c.b.get(c.path, http.StatusOK)
		if title, h1 := page.text("title"), page.text("h1"); title != h1+" · Tectonic" || page.Find("h1").Length() != 1 {
			t.Errorf("%s: title %q, heading %q", c.path, title, h1)
		}
	}
}

func TestEveryTimeZoneIsKnown(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("time_zones.txt")
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(text)) {
		if _, err := account.Zone(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
