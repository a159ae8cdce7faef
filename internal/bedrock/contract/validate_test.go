package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tectonic/internal/bedrock/fault"
)

const again = " Correct the named fields and call again."

func TestArgumentsRefused(t *testing.T) {
	t.Parallel()
	small, set := smallTool(honest("small")), setTool()
	for _, c := range []struct {
		name string
		tool *Tool
		args string
		want string
	}{
		{
			"names every failure, in the order of its path", small, `{"weight":"x","reps":0,"foo":1}`,
			"Invalid arguments: /: additional properties 'foo' not allowed; /reps: minimum: got 0, want 1; /weight: got string, want integer." + again,
		},
		{"names what is missing", small, `{}`, "Invalid arguments: /: missing properties 'weight', 'reps'." + again},
		{"takes only an object", small, `[]`, "Invalid arguments: /: got array, want object." + again},
		{"reads nothing after the object", small, `{"weight":1,"reps":1} {}`, "The arguments are not valid JSON."},
		{"reads JSON only", small, `{"weight":`, "The arguments are not valid JSON."},
		{
			"suggests the argument that was meant", set, `{"weight":1,"reps":1,"mesure":"reps"}`,
			`Invalid arguments: /: additional properties 'mesure' not allowed, did you mean "measure"?` + again,
		},
		{
			"suggests nothing that is far off", set, `{"weight":1,"reps":1,"zap":1}`,
			"Invalid arguments: /: additional properties 'zap' not allowed." + again,
		},
		{"lists what an enumeration takes", set, `{"weight":1,"reps":1,"measure":"x"}`, `Measure "x" is not one of reps or time.`},
		{"leaves null out of the list", set, `{"weight":1,"reps":1,"side":"up"}`, `Side "up" is not one of left or right.`},
		{
			"speaks of the items of a list", set, `{"weight":1,"reps":0,"tags":["c"]}`,
			`Invalid arguments: /reps: minimum: got 0, want 1; /tags/0: Tags "c" is not one of a or b.` + again,
		},
		{
			"says how a day is written", set, `{"weight":1,"reps":1,"day":"2026-13-01"}`,
			"Invalid arguments: /day: is not a valid date (use YYYY-MM-DD)." + again,
		},
		{
			"says how an instant is written", set, `{"weight":1,"reps":1,"done_at":"noon"}`,
			"Invalid arguments: /done_at: is not a valid instant (use RFC 3339, such as 2026-01-31T18:30:00Z)." + again,
		},
		{
			"writes figures without grouping", set, `{"weight":1,"reps":6000}`,
			"Invalid arguments: /reps: maximum: got 6000, want 5000." + again,
		},
		{
			"counts the characters of a text", set, fmt.Sprintf(`{"weight":1,"reps":1,"note":%q}`, strings.Repeat("é", 1201)),
			"Invalid arguments: /note: maxLength: got 1201, want 1200." + again,
		},
		{"wants a whole number", set, `{"weight":1.5,"reps":1}`, "Invalid arguments: /weight: got number, want integer." + again},
		{"takes null only where it means something", set, `{"weight":1,"reps":1,"measure":null}`, "Invalid arguments: /measure: got null, want string." + again},
		{"refuses a number beyond a double", set, `{"weight":1e400,"reps":1}`, "Invalid arguments: /weight: is a number out of range." + again},
		{"refuses what one database cannot store", set, `{"weight":1,"reps":1,"note":"a\u0000b"}`, "Invalid arguments: /note: holds the character U+0000, which cannot be stored." + again},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := c.tool.Arguments(json.RawMessage(c.args))
			wantRefusal(t, err, fault.CodeBadArguments, c.want)
		})
	}
}

func TestArgumentsTaken(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, args, want string }{
		{"turns integral floats into integers", `{"weight":155.0,"reps":1e1}`, `{"reps":10,"weight":155}`},
		{"writes equal numbers equally", `{"weight":1,"reps":1,"share":1.50}`, `{"reps":1,"share":1.5,"weight":1}`},
		{"survives an exponent without end", `{"weight":1,"reps":1,"share":1e-99999999999}`, `{"reps":1,"share":0,"weight":1}`},
		{"keeps large integers whole", `{"weight":9007199254740993,"reps":1}`, `{"reps":1,"weight":9007199254740993}`},
		{"lets the last of two equal names win", `{"weight":1,"weight":2,"reps":1}`, `{"reps":1,"weight":2}`},
		{"does not escape HTML", `{"weight":1,"reps":1,"note":"a<b"}`, `{"note":"a<b","reps":1,"weight":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := setTool().Arguments(json.RawMessage(c.args))
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
	for _, absent := range []string{"", "  ", "null", " null ", "{}"} {
		got, err := New(honest("none"), nothing).argumentsOf(absent)
		if err != nil || string(got) != "{}" {
			t.Errorf("%q: got %s, %v, want {}", absent, got, err)
		}
	}
}

func TestArgumentsOverTheirLimit(t *testing.T) {
	t.Parallel()
	s := honest("small")
	s.MaxBody = 40
	_, err := smallTool(s).Arguments(json.RawMessage(`{"weight":1,"reps":` + strings.Repeat(" ", 40) + `1}`))
	r := wantRefusal(t, err, fault.CodeTooLarge, "The arguments are 61 bytes and the limit for small is 40. Send less in one call.")
	if r.HTTPStatus() != 413 || r.Details == nil || *r.Details.Bytes != 61 {
		t.Errorf("got status %d, details %+v", r.HTTPStatus(), r.Details)
	}
}

func TestLongRefusalsStayShort(t *testing.T) {
	t.Parallel()
	t.Run("names at most twenty failures", func(t *testing.T) {
		t.Parallel()
		_, err := setTool().Arguments(json.RawMessage(`{"weight":1,"reps":1,"tags":[` + strings.Repeat("1,", 999) + `1]}`))
		r := fault.From(err)
		if len(r.Fields) != mostFailures || !strings.HasSuffix(r.Message, "; and 980 more.") {
			t.Errorf("got %d fields, %s", len(r.Fields), r.Message)
		}
	})
	t.Run("repeats a long value only in part", func(t *testing.T) {
		t.Parallel()
		_, err := setTool().Arguments(json.RawMessage(`{"weight":1,"reps":1,"measure":"` + strings.Repeat("x", 5000) + `"}`))
		if n := len(fault.From(err).Message); n > 200 {
			t.Errorf("the sentence has %d bytes", n)
		}
	})
}

func TestFailuresInPlace(t *testing.T) {
	t.Parallel()
	tool := setTool()
	args, err := tool.Arguments(json.RawMessage(`{"weight":1e30,"reps":1}`))
	if err != nil {
		t.Fatal(err)
	}
	_, err = tool.Run(t.Context(), nil, Caller{}, args)
	wantRefusal(t, err, fault.CodeBadArguments, "Invalid arguments: /weight: is a number out of range."+again)
}

// FuzzArguments checks that no JSON of a stranger stops the program, that the
// answer is either arguments that the handler can decode or a refusal, and
// that checked arguments stay as they are when they are checked again.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		`{"weight":155.0,"reps":5}`, `{"weight":"x","reps":0,"foo":1}`, `null`, ``, `[]`, `{"weight":1e999999999,"reps":1}`,
		`{"share":1e-99999999,"weight":1,"reps":1}`, `{"extra":{"position":1},"places":[{"position":2,"name":"a"}],"weight":1,"reps":1}`,
		`{"note":"\u0000\ud800","weight":1,"reps":1}`, `{"day":"2026-02-30","weight":1,"reps":1}`, `{"weight":-0.0,"reps":1}`,
	} {
		f.Add([]byte(seed))
	}
	tool := setTool()
	f.Fuzz(func(t *testing.T, raw []byte) {
		args, err := tool.Arguments(raw)
		if err != nil {
			if r, ok := errors.AsType[*fault.Refusal](err); !ok || r.Message == "" {
				t.Fatalf("got %v, want a refusal", err)
			}
			return
		}
		if _, err := tool.Run(t.Context(), nil, Caller{}, args); err != nil && fault.From(err).Code != fault.CodeBadArguments {
			t.Fatalf("%s was checked but not decoded: %v", args, err)
		}
		twice, err := tool.Arguments(args)
		if err != nil || string(twice) != string(args) {
			t.Fatalf("got %s, %v\nwant %s", twice, err, args)
		}
	})
}
