package contracttest

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/testkit/product"
)

// A refusal repeats what it refuses, and nobody reads a hundred thousand
// letters of it.
const (
	farTooLong  = 100_000
	sayable     = 1000
	placeOfText = "x"
)

// Every text of every tool is refused, or taken, in a sentence that can be
// read however long the text was.
func TestNoRefusalRepeatsALongTextWhole(t *testing.T) {
	t.Parallel()
	p := product.New(t, product.DB(t))
	who := p.Person(t, "a@example.com")
	who.Week()
	long := strings.Repeat(placeOfText, farTooLong)
	for tool, args := range texts(t) {
		for name := range args {
			given := maps.Clone(args)
			given[name] = long
			wire, err := who.Call(tool, given)
			said := wire.Text
			if r, ok := errors.AsType[*fault.Refusal](err); ok {
				said = r.Sentence()
				for _, f := range r.Fields {
					said += f.Path
				}
			}
			if err != nil && len(said) > sayable {
				t.Errorf("%s: %s of %d letters is told in %d bytes: %.120s", tool, name, farTooLong, len(said), said)
			}
		}
	}
}

// texts gives every tool its example with a value for each argument that is a
// text.
func texts(t *testing.T) map[string]map[string]any {
	t.Helper()
	all := map[string]map[string]any{}
	for _, s := range steps {
		if all[s.tool] == nil {
			all[s.tool] = maps.Clone(s.args)
		}
	}
	for _, tool := range tools(t) {
		args := all[tool.Name]
		if args == nil {
			args = map[string]any{}
			all[tool.Name] = args
		}
		for _, p := range tool.Properties() {
			if _, given := args[p.Name]; !given && p.Type == "string" && len(p.Enum) == 0 {
				args[p.Name] = placeOfText
			}
		}
	}
	return all
}

// Forms read some fields themselves, before a tool sees them.
func TestNoFormRepeatsALongTextWhole(t *testing.T) {
	t.Parallel()
	p := product.New(t, product.DB(t))
	b := p.Person(t, "a@example.com").Browser()
	long := strings.Repeat(placeOfText, farTooLong)
	for _, c := range []struct {
		path string
		form url.Values
	}{
		{"/equipment", url.Values{"bar_weight": {"45"}, "other_plate": {long}, "other_pairs": {"2"}}},
		{"/equipment", url.Values{"bar_weight": {long}}},
		{"/equipment", url.Values{"bar_weight": {"45"}, "plates[" + long + "]": {"2"}}},
		{"/workouts", url.Values{"date": {long}}},
		{"/workspace/settings", url.Values{"name": {"Gym"}, "time_zone": {long}}},
		{"/health/readings", url.Values{"metric": {"bodyweight"}, "value": {"180"}, "unit": {"lb"}, "source": {"Scale"}, "measured_at": {long}}},
	} {
		a := b.Post(c.path, c.form, 0)
		if a.Status != http.StatusUnprocessableEntity {
			t.Errorf("POST %s: status %d, want 422", c.path, a.Status)
			continue
		}
		page := a.Page(t)
		page.Find("option, textarea").Remove() // what was typed stays in its field
		if text := page.Find("body").Text(); strings.Contains(text, long[:sayable]) {
			t.Errorf("POST %s repeats a text of %d letters in its sentence", c.path, farTooLong)
		}
	}
}
