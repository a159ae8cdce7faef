package contracttest

import (
	"net/http"
	"strings"
	"testing"

	"tectonic/internal/testkit/product"
)

// junk is what people, crawlers and attackers put behind the question mark.
var junk = []string{
	"%00", "%ff", "%F0%28%8C%28", "0000-01-01.1", "9999-99-99.99999999999999999999", "-1", "0", "1e9", "abc", "..%2f..",
	"99999999999999999999", "2026-02-30.1", "%25_%5C", "'%22;--", "",
}

// parameters are those that any page of the product reads.
var parameters = []string{
	"back", "before", "confirm", "date", "from", "id", "month", "name", "next", "notes", "q", "set", "to", "w", "week", "no_such_parameter",
}

func TestNoAddressBreaksAPage(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		one := p.Person(t, "a@example.com")
		program, workout := one.Week()
		one.Must("create_exercise", map[string]any{"name": "Hack Machine"})
		browser := one.Browser()
		for _, route := range p.Routes() {
			path, isGet := strings.CutPrefix(route.Pattern, "GET ")
			if !isGet {
				continue
			}
			id := any(workout)
			if strings.HasPrefix(path, "/programs") {
				id = program
			}
			for _, value := range junk {
				for _, address := range []string{fill(path, id, 1) + query(value), fill(path, value, value)} {
					if a := browser.Get(address, 0); a.Status >= http.StatusInternalServerError {
						t.Errorf("GET %s answered %d", address, a.Status)
					}
				}
			}
		}
	})
}

// query gives the value to every parameter at once.
func query(value string) string {
	pairs := make([]string, len(parameters))
	for i, name := range parameters {
		pairs[i] = name + "=" + value
	}
	return "?" + strings.Join(pairs, "&")
}
