package pages_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/oauth"
	"tectonic/internal/config"
	"tectonic/internal/testkit/product"
)

// token is the form that makes one; more replaces its fields.
func token(more ...string) url.Values {
	form := url.Values{"name": {"Backup"}, "plates": {"training"}, "scopes": {"read"}, "expires": {"30d"}}
	for i := 0; i < len(more); i += 2 {
		form[more[i]] = strings.Fields(more[i+1])
	}
	return form
}

var secret = regexp.MustCompile(`tpt_[A-Za-z0-9_-]{43}`)

func works(t *testing.T, p *product.Product, token string) bool {
	t.Helper()
	_, err := p.OAuth.Verify(t.Context(), token, "training")
	return err == nil
}

func tokensOf(t *testing.T, p *product.Product, who *product.Person) []oauth.PersonalToken {
	t.Helper()
	list, err := p.OAuth.Tokens(t.Context(), who.Caller.Account, who.Workspace())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A token is in the answer to the form that makes it, and nowhere else.
func TestATokenIsShownOnce(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "mira@example.com")
		b := who.Browser()
		made := b.Post("/settings/tokens", token("scopes", "read write", "expires", "1y"), http.StatusOK)
		shown := secret.FindString(made.Page(t).Find("#secret").Text())
		if !works(t, p, shown) || made.Header.Get("Cache-Control") != "no-store" || made.Location != "" {
			t.Fatalf("made %q with %v", shown, made.Header)
		}
		list := tokensOf(t, p, who)
		if len(list) != 1 || list[0].Name != "Backup" || len(list[0].Scopes) != 2 || list[0].Expires.Sub(list[0].Created).Round(time.Minute) != 365*24*time.Hour {
			t.Errorf("got %+v", list)
		}
		for _, path := range []string{"/settings/tokens", "/connections", "/"} {
			if a := b.Get(path, http.StatusOK); strings.Contains(a.Body, shown) {
				t.Errorf("%s shows the token", path)
			}
		}
		if leaked := holds(t, p, shown); leaked != "" {
			t.Errorf("the token is in %s", leaked)
		}
	})
}

// holds names the table that has the text in it, as a session would.
func holds(t *testing.T, p *product.Product, text string) string {
	t.Helper()
	for _, table := range []string{"sessions", "tokens", "clients", "grants", "record_rows"} {
		rows, err := p.DB.R.QueryContext(t.Context(), "SELECT * FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		columns, _ := rows.Columns()
		for rows.Next() {
			row := make([]any, len(columns))
			for i := range row {
				row[i] = new(any)
			}
			if err := rows.Scan(row...); err != nil {
				t.Fatal(err)
			}
			for i := range row {
				if cell, ok := (*row[i].(*any)).([]byte); ok && bytes.Contains(cell, []byte(text)) || strings.Contains(fmt.Sprint(*row[i].(*any)), text) {
					return table
				}
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		rows.Close()
	}
	return ""
}

func TestRefusedTokensKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		b := p.Person(t, "mira@example.com").Browser()
		for name, c := range map[string]struct {
			form        url.Values
			field, says string
		}{
			"no name":         {token("name", ""), "name", "A token needs a name"},
			"no plate":        {token("plates", ""), "plates", "Choose at least one plate."},
			"another plate":   {token("plates", "cooking"), "plates", "Choose at least one plate."},
			"no right":        {token("scopes", ""), "scopes", "Choose at least one right."},
			"no end":          {token("expires", ""), "expires", "Choose when the token ends."},
			"a made up end":   {token("expires", "99y"), "expires", "Choose when the token ends."},
			"a made up right": {token("scopes", "operate"), "scopes", "Choose at least one right."},
		} {
			page := b.Post("/settings/tokens", c.form, http.StatusUnprocessableEntity).Page(t)
			if got := page.Find("#" + c.field + "-error").Text(); !strings.Contains(got, c.says) {
				t.Errorf("%s: beside the field stands %q", name, got)
			}
			if got := page.Find("#name").AttrOr("value", ""); got != c.form.Get("name") {
				t.Errorf("%s: the name has become %q", name, got)
			}
			if got := page.Find("#scopes-read[checked]").Length() == 1; got != (c.form.Get("scopes") == "read") {
				t.Errorf("%s: the box of read is ticked: %v", name, got)
			}
			if secret.MatchString(page.Text()) {
				t.Errorf("%s: a token was made", name)
			}
		}
	})
}

// A double press of the button shows the one token that was made.
func TestAFormMakesOneToken(t *testing.T) {
	t.Parallel()
	p := product.New(t, product.DB(t))
	who := p.Person(t, "mira@example.com")
	b := who.Browser()
	form := token("request_id", "same")
	first := secret.FindString(b.Post("/settings/tokens", form, http.StatusOK).Body)
	if again := secret.FindString(b.Post("/settings/tokens", form, http.StatusOK).Body); again != first || first == "" {
		t.Errorf("the second press shows %q, the first %q", again, first)
	}
	if n := len(tokensOf(t, p, who)); n != 1 {
		t.Errorf("%d tokens", n)
	}
}

func TestTokensAreRotatedAndRevoked(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "mira@example.com")
		b := who.Browser()
		old := who.Token()
		at := fmt.Sprintf("/settings/tokens/%d", tokensOf(t, p, who)[0].Grant)
		if page := b.Get(at+"/rotate", http.StatusOK).Page(t); page.Find("form[action='"+at+"/rotate']").Length() != 1 {
			t.Error("the page does not ask")
		}
		fresh := secret.FindString(b.Post(at+"/rotate", nil, http.StatusOK).Body)
		if works(t, p, old) || !works(t, p, fresh) {
			t.Error("the old secret works, or the new one does not")
		}
		b.Get(at+"/revoke", http.StatusOK)
		for range 2 {
			if a := b.Post(at+"/revoke", nil, http.StatusSeeOther); a.Location != "/settings/tokens" {
				t.Errorf("goes to %s", a.Location)
			}
		}
		if works(t, p, fresh) || len(tokensOf(t, p, who)) != 0 {
			t.Error("a revoked token works")
		}
		b.Post(at+"/rotate", nil, http.StatusNotFound)
	})
}

// Somebody else's token and connection look like none at all, and nothing
// happens to them.
func TestGrantsOfOthersLookLikeNone(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		owner := p.Person(t, "owner@example.com")
		theirs := owner.Token()
		grant := tokensOf(t, p, owner)[0].Grant
		b := p.Person(t, "stranger@example.com").Browser()
		same := regexp.MustCompile(`rf_[a-z2-7]{26}|request_id" value="[^"]*"`)
		for _, c := range []struct{ method, path string }{
			{"GET", "/connections/%v"},
			{"POST", "/connections/%v"},
			{"GET", "/settings/tokens/%v/rotate"},
			{"POST", "/settings/tokens/%v/rotate"},
			{"GET", "/settings/tokens/%v/revoke"},
			{"POST", "/settings/tokens/%v/revoke"},
		} {
			var bodies []string
			for _, id := range []any{grant, 987654, "x", "-1"} {
				path := fmt.Sprintf(c.path, id)
				var a product.Answer
				if c.method == "POST" {
					a = b.Post(path, nil, http.StatusNotFound)
				} else {
					a = b.Get(path, http.StatusNotFound)
				}
				bodies = append(bodies, strings.ReplaceAll(same.ReplaceAllString(a.Body, "-"), path, "-"))
			}
			for _, body := range bodies[1:] {
				if body != bodies[0] {
					t.Errorf("%s %s tells them apart", c.method, c.path)
				}
			}
		}
		if !works(t, p, theirs) {
			t.Error("a stranger ended a token")
		}
	})
}

// A form of another workspace than the session's changes nothing, and nobody
// is offered what their role lacks.
func TestTokensStayInTheirWorkspaceAndRole(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "mira@example.com")
		b := who.Browser()
		b.Post("/settings/tokens", token("workspace", "999"), http.StatusConflict)
		if _, err := p.DB.W.ExecContext(t.Context(), "UPDATE members SET role = 'viewer'"); err != nil {
			t.Fatal(err)
		}
		page := b.Get("/settings/tokens", http.StatusOK).Page(t)
		if page.Find("#scopes-read").Length() != 1 || page.Find("#scopes-write").Length() != 0 {
			t.Error("a viewer is offered write")
		}
		b.Post("/settings/tokens", token("scopes", "write"), http.StatusUnprocessableEntity)
		if n := len(tokensOf(t, p, who)); n != 0 {
			t.Errorf("%d tokens were made", n)
		}
	})
}

func TestPagesOfProgramsNeedASession(t *testing.T) {
	t.Parallel()
	b := product.New(t, product.DB(t)).Browser(t)
	for _, path := range []string{"/connections", "/connections/1", "/settings/tokens", "/settings/tokens/1/rotate"} {
		if a := b.Get(path, http.StatusSeeOther); a.Location != "/login?next="+url.QueryEscape(path) {
			t.Errorf("%s goes to %s", path, a.Location)
		}
	}
}

func register(t *testing.T, p *product.Product, redirects ...string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"client_name": "IDE", "redirect_uris": redirects})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.Server.URL+"/register", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusBadRequest {
		t.Fatalf("registered: %d", res.StatusCode)
	}
}

// Whoever runs the server reads which setting would let a program in that was
// turned away a moment ago; other people read nothing of it.
func TestAdministratorsSeeWhatWasTurnedAway(t *testing.T) {
	t.Parallel()
	p := product.New(t, product.DB(t), func(c *config.Config) { c.MCP.Hosts = []string{"old.example"} })
	admin, other := p.Person(t, "admin@example.com"), p.Person(t, "other@example.com")
	register(t, p, "https://ide.example/cb")
	register(t, p, "cursor://anysphere.cursor-mcp/oauth/callback")
	register(t, p, "javascript:alert(1)")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.Server.URL+"/mcp", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "new.example"
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()

	text := admin.Browser().Get("/connections", http.StatusOK).Page(t).Find("main").Text()
	for _, want := range []string{
		"OAUTH_REDIRECT_URI_ALLOWLIST=defaults,https://ide.example/cb", "OAUTH_REDIRECT_URI_ALLOWLIST=defaults,preset:cursor",
		"javascript:alert(1)", "No setting allows an address of this kind.", "MCP_ALLOWED_HOSTS=old.example,new.example",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	text = other.Browser().Get("/connections", http.StatusOK).Page(t).Find("main").Text()
	for _, not := range []string{"ide.example", "old.example", "MCP_ALLOWED_HOSTS", "OAUTH_REDIRECT_URI_ALLOWLIST"} {
		if strings.Contains(text, not) {
			t.Errorf("the page of another person says %q", not)
		}
	}
	if !strings.Contains(text, "whoever runs it sees here what to change") {
		t.Error("the page does not say whom to ask")
	}
}

func TestConnectionsNameTheMissingAddress(t *testing.T) {
	t.Parallel()
	p := product.New(t, product.DB(t), func(c *config.Config) { c.PublicURL, c.Listen = "", "127.0.0.1:9292" })
	text := p.Person(t, "mira@example.com").Browser().Get("/connections", http.StatusOK).Page(t).Find("main").Text()
	for _, want := range []string{
		"This deployment has not been told its own public address, so there is nothing to paste yet.", "MCP_PUBLIC_BASE_URL",
		"claude mcp add --transport http tectonic http://127.0.0.1:9292/mcp", `"url": "http://127.0.0.1:9292/mcp"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// The log of the server never has a token in it.
func TestTokensAreNotLogged(t *testing.T) {
	t.Parallel()
	p := product.New(t, product.DB(t))
	var log bytes.Buffer
	a, err := app.New(t.Context(), app.Options{Config: p.Config, Log: slog.New(slog.NewJSONHandler(&log, nil)), DB: p.DB})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(a.Handler())
	loud := &product.Product{App: a, Server: server}
	b := loud.Person(t, "mira@example.com").Browser()
	shown := secret.FindString(b.Post("/settings/tokens", token(), http.StatusOK).Body)
	server.Close() // waits for the log
	a.Close()
	if text := log.String(); shown == "" || !strings.Contains(text, "/settings/tokens") || strings.Contains(text, shown) {
		t.Errorf("made %q, and the log says %s", shown, text)
	}
}
