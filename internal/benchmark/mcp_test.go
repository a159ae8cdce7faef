package benchmark

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/config"
	"tectonic/internal/testkit"
	"tectonic/internal/testkit/product"
)

// A call of an assistant through the whole of the front door, as the plain
// path answers it: the grant is read, the gate runs, the answer is written.
func BenchmarkMCPCall(b *testing.B) {
	catalog := app.Catalog()
	testkit.EachBench(b, app.Lines(catalog), app.Setup(catalog), func(b *testing.B, d *db.DB) {
		p := product.New(b, d, func(c *config.Config) { c.MCP.PerSecond = 0 })
		who := p.Person(b, "a@example.com")
		who.Week()
		token := who.Token()
		for name, call := range map[string]string{
			"whoami":      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{}}}`,
			"get_workout": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_workout","arguments":{"workout_id":1}}}`,
		} {
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					post(b, p.Server.URL+"/mcp", token, call)
				}
			})
		}
	})
}

func post(b *testing.B, url, token, body string) {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"*/*"}, "Authorization": {"Bearer " + token}}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		b.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK || !strings.Contains(string(text), `"structuredContent"`) {
		b.Fatalf("%d %.200s %v", res.StatusCode, text, err)
	}
}
