package contracttest

import (
	"net/http"
	"strings"
	"testing"

	"tectonic/internal/testkit/product"
)

// Two nodes on one database: a token that one of them made and revoked works
// on the other until the moment it is revoked.
func TestARevokedGrantStopsWorkingOnEveryNode(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, one *product.Product) {
		other := product.New(t, one.DB)
		who := one.Person(t, "a@example.com")
		token := who.Token()
		status := func(base string) int {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/api/v1/training/whoami", strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			r.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}
			res, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			return res.StatusCode
		}
		for _, node := range []*product.Product{one, other} {
			if got := status(node.Server.URL); got != http.StatusOK {
				t.Fatalf("before: %d", got)
			}
		}
		tokens, err := one.OAuth.Tokens(t.Context(), who.Caller.Account, who.Caller.Workspace)
		if err != nil || len(tokens) != 1 {
			t.Fatalf("got %v, %v", tokens, err)
		}
		if err := one.OAuth.Revoke(t.Context(), who.Caller.Account, who.Caller.Workspace, tokens[0].Grant); err != nil {
			t.Fatal(err)
		}
		for _, node := range []*product.Product{one, other} {
			if got := status(node.Server.URL); got != http.StatusUnauthorized {
				t.Errorf("after: %d, want 401", got)
			}
		}
	})
}
