//go:build browser

package journey

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/testkit/product"
)

const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

// assistant is a program on this machine that asks to be let in: it registers,
// sends a person to the consent page and waits for them to come back.
type assistant struct {
	t      *testing.T
	p      *product.Product
	id     string
	server *httptest.Server
	came   chan url.Values
}

func newAssistant(t *testing.T, p *product.Product, name string) *assistant {
	t.Helper()
	a := &assistant{t: t, p: p, came: make(chan url.Values, 10)}
	a.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/callback" {
			a.came <- r.URL.Query()
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!DOCTYPE html><html lang="en"><title>Back</title><link rel="icon" href="data:,"><main>You are back.</main>`)
	}))
	t.Cleanup(a.server.Close)
	body := fmt.Sprintf(`{"client_name":%q,"redirect_uris":[%q],"token_endpoint_auth_method":"none"}`, name, a.server.URL+"/callback")
	var registered struct {
		ID string `json:"client_id"`
	}
	a.send("/register", "application/json", body, &registered)
	a.id = registered.ID
	return a
}

func (a *assistant) send(path, kind, body string, into any) int {
	a.t.Helper()
	res, err := http.Post(a.p.Server.URL+path, kind, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(into); err != nil {
		a.t.Fatal(err)
	}
	return res.StatusCode
}

// asks is where the program sends the person.
func (a *assistant) asks() string {
	sum := sha256.Sum256([]byte(verifier))
	return "/authorize?" + url.Values{
		"client_id": {a.id}, "response_type": {"code"}, "redirect_uri": {a.server.URL + "/callback"}, "state": {"a state"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"}, "scope": {"read write"},
	}.Encode()
}

// back returns what the person brings back.
func (a *assistant) back() url.Values {
	a.t.Helper()
	select {
	case q := <-a.came:
		if q.Get("state") != "a state" || q.Get("iss") != a.p.Config.BaseURL() {
			a.t.Errorf("came back with %v", q)
		}
		return q
	case <-time.After(stepLimit):
		a.t.Fatal("nobody came back")
	}
	return nil
}

// scope exchanges the code and returns what the token may do.
func (a *assistant) scope(code string) (scope, token string) {
	a.t.Helper()
	var got struct {
		Token string `json:"access_token"`
		Scope string
	}
	form := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {a.id}, "code": {code}, "code_verifier": {verifier}, "redirect_uri": {a.server.URL + "/callback"},
	}
	if status := a.send("/token", "application/x-www-form-urlencoded", form.Encode(), &got); status != http.StatusOK {
		a.t.Fatalf("the code was refused: %d", status)
	}
	return got.Scope, got.Token
}

// An assistant sends a person who is not signed in: they sign in, narrow what
// it may do and allow it, find it under Connections, and disconnect it.
func TestConsent(t *testing.T) {
	t.Parallel()
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) { consent(t, s, true) })
	}
	t.Run("without script", func(t *testing.T) {
		consent(t, screen{"phone-no-script", 390, 844, true, false}, false)
	})
}

func consent(t *testing.T, s screen, script bool) {
	p := serve(t)
	who := p.Person(t, "mira@okafor.example")
	team := secondWorkspace(t, p, who)
	a := newAssistant(t, p, "Claude")
	b := open(t, p.Server.URL, s, script)

	b.visit(a.asks())
	b.sees("Sign in")
	b.signIn(who)
	b.sees("Let Claude work here?")
	b.sees("any program there could pose as it")
	b.finished("consent")
	b.click(`button[value="deny"]`)
	b.sees("You are back.")
	if q := a.back(); q.Get("error") != "access_denied" || q.Has("code") {
		t.Errorf("a person said no, and the program got %v", q)
	}

	b.visit(a.asks())
	b.do(chromedp.SetValue(chromedp.CSS("select[name=workspace]"), team))
	b.click("#scope-write")
	b.click(`button[value="allow"]`)
	b.sees("You are back.")
	scope, token := a.scope(a.back().Get("code"))
	if scope != "read" || !works(t, p, token) {
		t.Errorf("the token may %q", scope)
	}

	b.visit("/connections")
	b.sees("No assistant is connected yet") // it is let into the other workspace
	b.visit("/connections?w=" + team)
	b.sees("one assistant in The team")
	b.sees("registered itself · on a machine of yours")
	b.finished("connections")
	b.click(".client__acts .btn--risk")
	if script {
		b.still()
		b.accessible()
		b.click("dialog[open] .btn--risk-solid")
	} else {
		b.click("main .btn--risk-solid")
	}
	b.sees("Claude is disconnected.")
	if works(t, p, token) {
		t.Error("the token of a disconnected program works")
	}
}

// A form that was made for another session, or whose session has ended, hands
// out nothing.
func TestConsentNeedsTheSessionItWasMadeFor(t *testing.T) {
	t.Parallel()
	p := serve(t)
	who := p.Person(t, "mira@okafor.example")
	a := newAssistant(t, p, "Claude")
	b := open(t, p.Server.URL, screens[0], true)
	b.quiet("403")
	b.visit(a.asks())
	b.signIn(who)

	b.do(chromedp.WaitReady(chromedp.CSS("input[name=csrf]")))
	ask(b, chromedp.Evaluate[bool](`document.querySelector("input[name=csrf]").value = "of somebody else", true`))
	b.click(`button[value="allow"]`)
	b.sees("Not verified")
	b.finished("consent-not-verified")

	b.visit(a.asks())
	b.sees("Let Claude work here?")
	endSessions(t, p)
	b.click(`button[value="allow"]`)
	b.sees("Not verified")
	b.visit(a.asks()) // reloading leads to the sign-in and back
	b.signIn(who)
	b.sees("Let Claude work here?")
	b.click(`button[value="allow"]`)
	b.sees("You are back.")
	if q := a.back(); q.Get("code") == "" {
		t.Errorf("the program got %v", q)
	}
	if n := len(a.came); n != 0 {
		t.Errorf("the program was answered %d times more", n)
	}
}

func (b *tab) signIn(who *product.Person) {
	b.t.Helper()
	b.do(chromedp.WaitReady(chromedp.CSS("#password")))
	b.fill("#email", who.Email)
	b.fill("#password", product.Password)
	b.click("form.authform button[type=submit]")
}

// secondWorkspace makes the person a member of a team's workspace as well.
func secondWorkspace(t *testing.T, p *product.Product, who *product.Person) string {
	t.Helper()
	other, err := p.Accounts.Create(t.Context(), account.Door{Transport: contract.OverCLI}, account.NewAccount{Email: "team@okafor.example", Password: product.Password, TimeZone: "UTC"})
	if err != nil {
		t.Fatal(err)
	}
	err = p.DB.Write(t.Context(), func(tx *db.Tx) error {
		if _, err := tx.ExecContext(t.Context(), "UPDATE workspaces SET name = 'The team' WHERE id = $1", other.Workspace); err != nil {
			return err
		}
		_, err := tx.ExecContext(t.Context(), "INSERT INTO members (workspace_id, account_id, role, created_at) SELECT $1, $2, 'member', created_at FROM members LIMIT 1", other.Workspace, who.Caller.Account)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(other.Workspace)
}

func endSessions(t *testing.T, p *product.Product) {
	t.Helper()
	err := p.DB.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(t.Context(), "DELETE FROM sessions")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
