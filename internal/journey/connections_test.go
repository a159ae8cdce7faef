//go:build browser

package journey

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"tectonic/internal/testkit/product"
)

// A person looks at Connections, makes a personal token, sees it this once,
// and revokes it.
func TestConnectionsAndTokens(t *testing.T) {
	t.Parallel()
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) { connectionsAndTokens(t, s, true) })
	}
	t.Run("without script", func(t *testing.T) {
		connectionsAndTokens(t, screen{"phone-no-script", 390, 844, true, false}, false)
	})
}

func connectionsAndTokens(t *testing.T, s screen, script bool) {
	p := serve(t)
	b := open(t, p.Server.URL, s, script)
	b.signUp(s.name + "@connect.example")
	b.visit("/connections")
	b.sees("No assistant is connected yet")
	b.sees(p.Server.URL + "/mcp")
	b.finished("connections-empty")

	b.click(`main a[href="/api"]`)
	b.sees("/api/v1/training/whoami")
	b.finished("api")

	b.visit("/settings")
	b.click(`main a[href="/settings/tokens"]`)
	b.sees("No personal token yet")
	b.finished("tokens-empty")
	b.click("main form.card button")
	b.do(chromedp.WaitReady(chromedp.CSS("#name:invalid"))) // the browser asks for a name
	b.fill("#name", "Backup script")
	b.click("main form.card button")
	b.sees("Backup script is ready")
	b.finished("token-made")
	token := ask(b, chromedp.TextContent(chromedp.CSS("#secret")))
	if !strings.HasPrefix(token, "tpt_") || !works(t, p, token) {
		t.Errorf("%q is no token that works", token)
	}
	b.visit("/settings/tokens")
	b.sees("tpt_…" + token[len(token)-4:])
	b.sees("just now")
	if strings.Contains(b.words(), token) {
		t.Error("the token is shown a second time")
	}
	b.shot("tokens")

	if script {
		b.click(".client__acts .btn--risk")
		b.still()
		b.shot("token-revoke")
		b.accessible()
		b.click("dialog[open] .btn--risk-solid")
	} else {
		b.click(".client__acts .btn--risk")
		b.click("main .btn--risk-solid")
	}
	b.sees("The token is revoked.")
	if works(t, p, token) {
		t.Error("a revoked token works")
	}
}

// An assistant came by another name of the server, and its owner reads why it
// was turned away and what allows it.
func TestWhyAnAssistantFailed(t *testing.T) {
	t.Parallel()
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) {
			p := serve(t)
			b := open(t, p.Server.URL, s, true)
			b.signUp(s.name + "@failed.example")
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.Server.URL+"/mcp", strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			r.Host = "gym.example"
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			b.visit("/connections")
			b.sees("MCP_ALLOWED_HOSTS=gym.example")
			ask(b, chromedp.Evaluate[bool](`[...document.querySelectorAll("h2")].find(h => h.textContent.includes("Why did")).scrollIntoView({block: "center", behavior: "instant"}), true`))
			b.finished("why-it-failed")
		})
	}
}

// finished looks at a page that is ready: a picture, axe, its width.
func (b *tab) finished(name string) {
	b.t.Helper()
	b.shot(name)
	b.accessible()
	b.noSidewaysScroll()
}

// works reports whether the token opens the JSON API.
func works(t *testing.T, p *product.Product, token string) bool {
	t.Helper()
	r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, p.Server.URL+"/api/v1/training/whoami", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode == http.StatusOK
}
