package pages_test

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/testkit/product"
)

// The page is readable signed out and in, names every tool of the API, and
// leaves the addresses of the API alone.
func TestReference(t *testing.T) {
	t.Parallel()
	p := product.New(t, product.DB(t))
	stranger := p.Browser(t)
	page := stranger.Get("/api", http.StatusOK).Page(t)
	tools, _ := p.Gate.Registry("training")
	for _, tool := range tools.Tools() {
		shown := page.Find("#training-" + tool.Name)
		if want := tool.Offered(contract.OverAPI); (shown.Length() == 1) != want {
			t.Errorf("%s is shown: %v, want %v", tool.Name, !want, want)
			continue
		}
		if shown.Length() == 0 {
			continue
		}
		text := shown.Text()
		for _, want := range []string{tool.Title, tool.Says, "/api/v1/training/" + tool.Name, "scope " + tool.Scope} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the page does not say %q", tool.Name, want)
			}
		}
		for _, a := range tool.Properties() {
			row := shown.Find("tbody tr").FilterFunction(func(_ int, row *goquery.Selection) bool { return row.Find("th code").Text() == a.Name })
			if row.Length() != 1 || (row.Find(".args__must").Length() == 1) != a.Required || !strings.Contains(row.Text(), a.Doc) {
				t.Errorf("%s: the row of %s is %q", tool.Name, a.Name, row.Text())
			}
		}
	}
	if page.Find(".rail").Length() != 0 || p.Person(t, "mira@example.com").Browser().Get("/api", http.StatusOK).Page(t).Find(".rail").Length() != 1 {
		t.Error("the page does not stand in the layout of its reader")
	}
	if a := stranger.Get("/api/", http.StatusMovedPermanently); a.Location != "/api" {
		t.Errorf("/api/ goes to %q", a.Location)
	}
	for path, status := range map[string]int{"/api/openapi.json": 200, "/api/v1/training/whoami": 401, "/api/nothing": 404} {
		a := stranger.Get(path, 0)
		if !strings.HasPrefix(a.Header.Get("Content-Type"), "application/json") || (a.Status != status && status != 404) {
			t.Errorf("%s answers %d %s", path, a.Status, a.Header.Get("Content-Type"))
		}
	}
}

var (
	inBody  = regexp.MustCompile(`-d '(.*)'`)
	address = regexp.MustCompile(`https?://[^"\s]+`)
)

// What the page shows can be called: no example is refused for its arguments'
// form.
func TestExamplesCanBeCalled(t *testing.T) {
	t.Parallel()
	p := product.New(t, product.DB(t))
	who := p.Person(t, "mira@example.com")
	who.Week()
	token := who.Token()
	p.Browser(t).Get("/api", http.StatusOK).Page(t).Find(".tool").Each(func(_ int, tool *goquery.Selection) {
		example := tool.Find(".code").Text()
		method, body := http.MethodGet, ""
		if found := inBody.FindStringSubmatch(example); found != nil {
			method, body = http.MethodPost, found[1]
		}
		r, err := http.NewRequestWithContext(t.Context(), method, address.FindString(example), strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		if body != "" {
			r.Header.Set("Content-Type", "application/json")
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d %s", res.StatusCode, example)
		if res.StatusCode == http.StatusMethodNotAllowed || res.StatusCode == http.StatusUnsupportedMediaType || strings.Contains(string(text), "Invalid arguments") {
			t.Errorf("%s\nanswers %d %s", example, res.StatusCode, text)
		}
	})
}
