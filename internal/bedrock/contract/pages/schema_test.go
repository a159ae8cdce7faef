package pages

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const nested = `{"type":"object","required":["name","weeks"],"properties":{
	"name":{"type":"string","description":"What it is called.","maxLength":60},
	"note":{"type":["string","null"]},
	"weeks":{"type":"array","items":{"type":"object","required":["days"],"properties":{
		"deload":{"type":"boolean"},
		"days":{"type":"array","items":{"type":"integer","minimum":3,"maximum":7}}}}},
	"unit":{"type":["string","null"],"enum":["lb","kg",null]},
	"since":{"type":"string","format":"date"},
	"most":{"type":"number","maximum":9},"least":{"type":"integer","minimum":0},"more":{}}}`

func TestArguments(t *testing.T) {
	t.Parallel()
	want := []argument{
		{Name: "name", Type: "string", Required: true, Range: "at most 60 characters", Doc: "What it is called."},
		{Name: "note", Type: "string or null"},
		{Name: "weeks", Type: "array of object", Required: true},
		{Name: "weeks[].deload", Type: "boolean"},
		{Name: "weeks[].days", Type: "array of integer", Required: true, Range: "3 to 7"},
		{Name: "unit", Type: "string or null", Range: "lb, kg"},
		{Name: "since", Type: "string", Range: "YYYY-MM-DD"},
		{Name: "most", Type: "number", Range: "9 or less"},
		{Name: "least", Type: "integer", Range: "0 or more"},
		{Name: "more", Type: "any"},
	}
	if diff := cmp.Diff(want, read([]byte(nested)).arguments("")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestExample(t *testing.T) {
	t.Parallel()
	const head = `curl -H "Authorization: Bearer $TECTONIC_TOKEN" \` + "\n"
	for name, c := range map[string]struct {
		reads       bool
		input, want string
	}{
		"a write":               {false, nested, `-H "Content-Type: application/json" -d '{"name":"…","weeks":[{"days":[3]}]}' \` + "\nhttps://x/a"},
		"a read with a list":    {true, nested, `-H "Content-Type: application/json" -d '{"name":"…","weeks":[{"days":[3]}]}' \` + "\nhttps://x/a"},
		"a read with a number":  {true, `{"properties":{"id":{"type":"integer"}},"required":["id"]}`, `"https://x/a?id=1"`},
		"a read with a choice":  {true, `{"properties":{"of":{"enum":["a b"]}},"required":["of"]}`, `"https://x/a?of=a+b"`},
		"a read with nothing":   {true, `{}`, `"https://x/a"`},
		"a write of a day":      {false, `{"properties":{"on":{"type":"string","format":"date"},"ok":{"type":"boolean"}},"required":["on","ok"]}`, `-H "Content-Type: application/json" -d '{"ok":true,"on":"2026-03-02"}' \` + "\nhttps://x/a"},
		"a write with no input": {false, `{}`, `-H "Content-Type: application/json" -d '{}' \` + "\nhttps://x/a"},
	} {
		if got := example(c.reads, "https://x/a", read([]byte(c.input))); got != head+c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, head+c.want)
		}
	}
}
