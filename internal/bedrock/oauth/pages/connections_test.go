package pages_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"tectonic/internal/bedrock/oauth"
	"tectonic/internal/testkit/product"
)

const (
	claude   = "https://claude.ai/api/mcp/auth_callback"
	verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
)

// call sends a form or JSON to an address of the protocol.
func call(t *testing.T, p *product.Product, path, kind, body string) map[string]any {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.Server.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil || res.StatusCode >= 300 {
		t.Fatalf("%s answers %d %v %v", path, res.StatusCode, out, err)
	}
	return out
}

func registerAs(t *testing.T, p *product.Product, name string) string {
	t.Helper()
	body := fmt.Sprintf(`{"client_name":%q,"redirect_uris":[%q],"token_endpoint_auth_method":"none"}`, name, claude)
	return call(t, p, "/register", "application/json", body)["client_id"].(string)
}

// let lets the program in through the consent page and returns its token.
func let(t *testing.T, p *product.Product, b *product.Browser, client string, scopes ...string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(verifier))
	ask := url.Values{
		"client_id": {client}, "response_type": {"code"}, "redirect_uri": {claude}, "state": {"x"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
	}
	form := url.Values{"plate": {"training"}, "scope": scopes, "decision": {"allow"}}
	b.Get("/authorize?"+ask.Encode(), http.StatusOK).Page(t).Find("input[type=hidden]").Each(func(_ int, in *goquery.Selection) {
		form.Add(in.AttrOr("name", ""), in.AttrOr("value", ""))
	})
	back, err := url.Parse(b.Post("/authorize", form, http.StatusSeeOther).Location)
	if err != nil {
		t.Fatal(err)
	}
	exchange := url.Values{"grant_type": {"authorization_code"}, "client_id": {client}, "code": {back.Query().Get("code")}, "code_verifier": {verifier}, "redirect_uri": {claude}}
	return call(t, p, "/token", "application/x-www-form-urlencoded", exchange.Encode())["access_token"].(string)
}

func connectionsOf(t *testing.T, p *product.Product, who *product.Person) []oauth.Connection {
	t.Helper()
	list, err := p.OAuth.Connections(t.Context(), who.Caller.Account, who.Workspace())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A program that was let in twice is one row with all it may do, and
// Disconnect ends all of it at once, for its person alone.
func TestDisconnect(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		mira, ola := p.Person(t, "mira@example.com"), p.Person(t, "ola@example.com")
		b, other := mira.Browser(), ola.Browser()
		client := registerAs(t, p, "Claude <b>")
		first, second := let(t, p, b, client, "read"), let(t, p, b, client, "write")
		olas := let(t, p, other, client, "read")

		page := b.Get("/connections", http.StatusOK).Page(t)
		rows := page.Find("li.client")
		text := strings.Join(strings.Fields(rows.Text()), " ")
		if rows.Length() != 1 {
			t.Fatalf("%d rows: %s", rows.Length(), text)
		}
		for _, want := range []string{"Claude <b>", "registered itself · claude.ai", "ReachesTraining", "Maysee what is in the workspace, add to it and change it", "Last calljust now"} {
			if !strings.Contains(text, want) {
				t.Errorf("the row does not say %q: %s", want, text)
			}
		}
		at, _ := rows.Find("form").Attr("action")
		theirs := other.Post(at, nil, http.StatusNotFound)
		unknown := other.Post("/connections/987654", nil, http.StatusNotFound)
		if theirs.Page(t).Find("main").Text() != unknown.Page(t).Find("main").Text() {
			t.Error("somebody else's connection does not look like none")
		}
		other.Get(at, http.StatusNotFound)
		if !works(t, p, first) || !works(t, p, second) {
			t.Fatal("a stranger ended it")
		}

		b.Get(at, http.StatusOK)
		b.Post(at, url.Values{"workspace": {"999"}}, http.StatusConflict)
		for range 2 {
			b.Post(at, nil, http.StatusSeeOther)
		}
		if works(t, p, first) || works(t, p, second) || !works(t, p, olas) {
			t.Error("not all of it ended, or too much")
		}
		if len(connectionsOf(t, p, mira)) != 0 || len(connectionsOf(t, p, ola)) != 1 {
			t.Error("the lists are wrong")
		}
		if b.Get("/connections", http.StatusOK).Page(t).Find("li.client").Length() != 0 {
			t.Error("the page still lists it")
		}
	})
}
