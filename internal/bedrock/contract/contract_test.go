package contract

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
)

func nothing(context.Context, *db.Tx, Caller, struct{}) (Answer[struct{}], error) {
	return Answer[struct{}]{}, nil
}

func (t Tool) argumentsOf(text string) (json.RawMessage, error) {
	return t.Arguments(json.RawMessage(text))
}

// A blank text that is required reaches the tool, which says what it needs.
func TestFromTextSendsARequiredBlank(t *testing.T) {
	t.Parallel()
	type in struct {
		Name string      `json:"name"`
		Note Opt[string] `json:"note"`
		Reps int         `json:"reps"`
	}
	tool := New(honest("create_set"), func(context.Context, *db.Tx, Caller, in) (Answer[struct{}], error) { return Answer[struct{}]{}, nil })
	got, err := tool.FromText(url.Values{"name": {" "}, "reps": {""}})
	if err != nil || string(got) != `{"name":" "}` {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestFromText(t *testing.T) {
	t.Parallel()
	tool := setTool()
	for _, c := range []struct {
		name  string
		typed url.Values
		want  string
	}{
		{"reads each type", url.Values{"weight": {" 225 "}, "share": {"0.5"}, "done": {"on"}, "day": {"2026-03-02"}, "tags": {`["a"]`}}, `{"day":"2026-03-02","done":true,"share":0.5,"tags":["a"],"weight":225}`},
		{"leaves a blank out", url.Values{"weight": {"1"}, "measure": {" "}}, `{"weight":1}`},
		{"sends null for a blank where null means something", url.Values{"note": {""}}, `{"note":null}`},
		{"keeps a text as it was typed", url.Values{"note": {" two  words "}}, `{"note":" two  words "}`},
		{"takes the last of several values", url.Values{"done": {"false", "true"}}, `{"done":true}`},
		{"ignores what is no argument", url.Values{"csrf": {"x"}, "request_id": {"y"}}, `{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := tool.FromText(c.typed)
			if err != nil || string(got) != c.want {
				t.Errorf("got %s, %v\nwant %s", got, err, c.want)
			}
		})
	}
	for typed, want := range map[string]string{
		"weight=heavy":                `Weight "heavy" is not a whole number.`,
		"weight=99999999999999999999": `Weight 99999999999999999999 is out of range.`,
		"share=NaN":                   `Share "NaN" is not a number.`,
		"share=half":                  `Share "half" is not a number.`,
		"done=maybe":                  `Done "maybe" is not yes or no.`,
		"tags=a":                      "Tags is not valid JSON.",
	} {
		t.Run("refuses "+typed, func(t *testing.T) {
			t.Parallel()
			values, _ := url.ParseQuery(typed)
			_, err := tool.FromText(values)
			r := wantRefusal(t, err, fault.CodeBadArguments, want)
			name, _, _ := strings.Cut(typed, "=")
			if r.Problem(name) == "" {
				t.Errorf("the refusal is not about %s: %+v", name, r.Fields)
			}
		})
	}
}

func TestProperties(t *testing.T) {
	t.Parallel()
	got := setTool().Properties()[:6]
	want := []Property{
		{Name: "weight", Label: "Weight", Type: "integer", Doc: "Weight in pounds.", Required: true},
		{Name: "reps", Label: "Reps", Type: "integer", Required: true},
		{Name: "measure", Label: "Measure", Type: "string", Enum: []string{"reps", "time"}},
		{Name: "day", Label: "Day", Type: "string"},
		{Name: "done_at", Label: "Done at", Type: "string"},
		{Name: "note", Label: "Note", Type: "string", Doc: "Free text; null clears it.", Nullable: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestOpt(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]Opt[string]{
		`{"weight":1,"reps":1}`:             {},
		`{"weight":1,"reps":1,"note":null}`: {Set: true, Null: true},
		`{"weight":1,"reps":1,"note":""}`:   {Set: true},
		`{"weight":1,"reps":1,"note":"a"}`:  {Set: true, V: "a"},
	} {
		in, err := decode[setIn](json.RawMessage(args))
		if err != nil || in.Note != want {
			t.Errorf("%s: got %+v, %v, want %+v", args, in.Note, err, want)
		}
		if (in.Note.Ptr() == nil) != (!want.Set || want.Null) {
			t.Errorf("%s: got the pointer %v", args, in.Note.Ptr())
		}
	}
	got, err := json.Marshal([]Opt[int]{{}, {Set: true, Null: true}, {Set: true, V: 3}})
	if err != nil || string(got) != "[null,null,3]" {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestNewRegistryRefuses(t *testing.T) {
	t.Parallel()
	outside := func(s Spec) Tool {
		return NewOutside(s, func(context.Context, Steps, Caller, struct{}) (Answer[struct{}], error) {
			return Answer[struct{}]{}, nil
		})
	}
	inside := func(s Spec) Tool { return New(s, nothing) }
	taking := func(s Spec) Tool {
		return NewImport(s, func(context.Context, Steps, Attachment, Caller, struct{}) (Closing[struct{}], error) { return nil, nil })
	}
	for name, c := range map[string]struct {
		make   func(Spec) Tool
		change func(*Spec)
		want   string
	}{
		"a name in upper case":                {inside, func(s *Spec) { s.Name = "Create" }, "the name does not match"},
		"a name that is too long":             {inside, func(s *Spec) { s.Name = strings.Repeat("a", 65) }, "the name does not match"},
		"a tool without a title":              {inside, func(s *Spec) { s.Title = "" }, "must be written"},
		"a tool without a description":        {inside, func(s *Spec) { s.Says = "" }, "must be written"},
		"hints without a reason":              {inside, func(s *Spec) { s.Why = "" }, "must be written"},
		"a description that is too long":      {inside, func(s *Spec) { s.Says = strings.Repeat("é", 2049) }, "characters, at most 2048"},
		"a tool without a scope":              {inside, func(s *Spec) { s.Scope = "" }, `scope ""`},
		"a scope that nobody knows":           {inside, func(s *Spec) { s.Scope = "admin" }, `scope "admin" is not one of read, write`},
		"a hint that was not written":         {inside, func(s *Spec) { s.OpenWorld = 0 }, "all four hints"},
		"a read that destroys":                {inside, func(s *Spec) { s.ReadOnly, s.Destructive = Yes, Yes }, "cannot be destructive"},
		"an open world without steps":         {inside, func(s *Spec) { s.OpenWorld = Yes }, "go together"},
		"steps without an open world":         {outside, func(*Spec) {}, "go together"},
		"an outside write without own keys":   {outside, func(s *Spec) { s.OpenWorld = Yes }, "keep request ids itself"},
		"a file without its limit":            {taking, func(s *Spec) { s.Surfaces = OnWeb }, "go together"},
		"a limit of a file that is not taken": {inside, func(s *Spec) { s.Attachment = 1 }, "go together"},
		"a file that a program sends":         {taking, func(s *Spec) { s.Attachment = 1 }, "for pages and the command line"},
		"a limit below zero":                  {inside, func(s *Spec) { s.ByteCap = -1 }, "below zero"},
		"a tool without a handler":            {func(s Spec) Tool { return Tool{Spec: s, shape: &schema{Properties: &properties{}}} }, func(*Spec) {}, "no handler"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := honest("create")
			c.change(&s)
			_, err := NewRegistry("training", []string{"read", "write"}, c.make(s))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	t.Run("two tools of one name", func(t *testing.T) {
		t.Parallel()
		_, err := NewRegistry("training", []string{"write"}, New(honest("a"), nothing), New(honest("a"), nothing))
		if err == nil || !strings.Contains(err.Error(), `two tools named "a"`) {
			t.Errorf("got %v", err)
		}
	})
}

func TestNewRegistryRefusesTenantsAsArguments(t *testing.T) {
	t.Parallel()
	tools := map[string]Tool{
		"account": New(honest("x"), func(context.Context, *db.Tx, Caller, struct {
			V int `json:"account"`
		},
		) (Answer[struct{}], error) {
			return Answer[struct{}]{}, nil
		}),
		"workspace_id": New(honest("x"), func(context.Context, *db.Tx, Caller, struct {
			V *int `json:"workspace_id"`
		},
		) (Answer[struct{}], error) {
			return Answer[struct{}]{}, nil
		}),
	}
	for name, tool := range tools {
		_, err := NewRegistry("training", []string{"write"}, tool)
		if err == nil || !strings.Contains(err.Error(), `names "`+name+`"`) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestRegistryTool(t *testing.T) {
	t.Parallel()
	hidden := honest("delete")
	hidden.Surfaces = OnWeb | OnCLI
	r, err := NewRegistry("training", []string{"write"}, New(honest("update"), nothing), New(hidden, nothing), New(honest("create"), nothing))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, tool string
		over       Transport
		want       string // "" = found
	}{
		{"finds a tool", "create", OverMCPHTTP, ""},
		{"finds a tool of pages on a page", "delete", OverWeb, ""},
		{"lets a job use every tool", "delete", OverJob, ""},
		{"hides a tool of pages from assistants, like an unknown one", "delete", OverMCPHTTP, `There is no tool "delete" here. The tools are: create, update.`},
		{"lists the known ones in order", "destroy", OverCLI, `There is no tool "destroy" here. The tools are: create, delete, update.`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := r.Tool(c.tool, c.over)
			if c.want == "" {
				if err != nil || got.Name != c.tool {
					t.Errorf("got %v, %v", got, err)
				}
				return
			}
			if refusal := wantRefusal(t, err, fault.CodeUnknownTool, c.want); refusal.HTTPStatus() != 404 {
				t.Errorf("got status %d, want 404", refusal.HTTPStatus())
			}
		})
	}
}

func TestCaller(t *testing.T) {
	t.Parallel()
	t.Run("holds no scope that was not granted", func(t *testing.T) {
		t.Parallel()
		c := Caller{Scopes: []string{"read"}}
		if !c.Has("read") || c.Has("write") || c.Has("") {
			t.Errorf("got %v %v %v", c.Has("read"), c.Has("write"), c.Has(""))
		}
		local := LocalOperator(Caller{}, OverCLI)
		if !local.Has("anything") || local.Has("") {
			t.Error("the local operator holds every scope but the empty one")
		}
	})
	t.Run("has the day of its own zone", func(t *testing.T) {
		t.Parallel()
		now := time.Date(2026, 3, 2, 23, 30, 0, 0, time.UTC)
		kyiv := time.FixedZone("Kyiv", 2*60*60)
		if got := (Caller{Zone: kyiv}).Today(now); got != "2026-03-03" {
			t.Errorf("got %s, want 2026-03-03", got)
		}
		if got := (Caller{}).Today(now); got != "2026-03-02" {
			t.Errorf("got %s, want 2026-03-02", got)
		}
	})
	t.Run("has the scopes of its role", func(t *testing.T) {
		t.Parallel()
		want := map[Role][]string{Viewer: {"read"}, Member: {"read", "write"}, Admin: {"read", "write"}, Owner: {"read", "write"}, "guest": nil}
		for role, scopes := range want {
			if diff := cmp.Diff(scopes, role.Scopes()); diff != "" {
				t.Errorf("%s: %s", role, diff)
			}
		}
	})
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	r, err := encode(Answer[map[string]string]{Out: map[string]string{"a": "<b>"}}, nil)
	if err != nil || string(r.Structured) != `{"a":"<b>"}` || r.Text != `{"a":"<b>"}` {
		t.Errorf("got %s, %q, %v", r.Structured, r.Text, err)
	}
	out, err := Into[map[string]string](Wire{Structured: r.Structured})
	if err != nil || out["a"] != "<b>" {
		t.Errorf("got %v, %v", out, err)
	}
}
