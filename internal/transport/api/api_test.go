package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"tectonic/internal/config"
	"tectonic/internal/testkit/product"
)

// script calls the API as a program with a token does.
type script struct {
	t     *testing.T
	base  string
	token string
}

func open(t *testing.T, adjust ...func(*config.Config)) (*product.Product, *product.Person, script) {
	t.Helper()
	p := product.New(t, product.DB(t), adjust...)
	who := p.Person(t, "a@example.com")
	return p, who, script{t, p.Server.URL + "/api/v1/training/", who.Token()}
}

type reply struct {
	status int
	header http.Header
	body   map[string]any
}

func (s script) send(method, path, body string, header ...string) reply {
	s.t.Helper()
	address := path
	if !strings.HasPrefix(path, "http") {
		address = s.base + path
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header = http.Header{"Authorization": {"Bearer " + s.token}}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	out := reply{status: res.StatusCode, header: res.Header}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out.body); err != nil {
		s.t.Fatalf("%s %s answered %d %s", method, path, res.StatusCode, text)
	}
	return out
}

func (r reply) failure() (code, sentence string) {
	e, _ := r.body["error"].(map[string]any)
	code, _ = e["code"].(string)
	sentence, _ = e["message"].(string)
	return code, sentence
}

func TestRefusalsHaveTheStatusOfTheirKind(t *testing.T) {
	t.Parallel()
	_, who, s := open(t)
	reader := s
	reader.token = who.Token("read")
	for name, c := range map[string]struct {
		from               script
		method, path, body string
		header             []string
		status             int
		code, says         string
	}{
		"no token":            {s, "POST", "whoami", "{}", []string{"Authorization", ""}, 401, "unauthenticated", "This address needs a token."},
		"a wrong token":       {s, "POST", "whoami", "{}", []string{"Authorization", "Bearer tpt_x"}, 401, "unauthenticated", ""},
		"a cookie":            {s, "POST", "whoami", "{}", []string{"Authorization", "", "Cookie", "tectonic_session=x"}, 401, "unauthenticated", ""},
		"another plate":       {s, "POST", strings.Replace(s.base, "training", "cooking", 1) + "whoami", "{}", nil, 404, "unknown_tool", ""},
		"no tool":             {s, "POST", s.base, "{}", nil, 404, "unknown_tool", ""},
		"an unknown tool":     {s, "POST", "deploy", "{}", nil, 404, "unknown_tool", `There is no tool "deploy" here.`},
		"a tool of pages":     {s, "POST", "save_rack", "{}", nil, 404, "unknown_tool", ""},
		"no scope":            {reader, "POST", "create_workout", `{"date":"today"}`, nil, 403, "scope_missing", "This tool needs the 'write' scope; this token grants: read."},
		"no JSON":             {s, "POST", "whoami", "{", nil, 400, "bad_arguments", "The arguments are not valid JSON."},
		"another type":        {s, "POST", "whoami", "a=b", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "media_type", ""},
		"wrong arguments":     {s, "POST", "create_set", `{"weight":"x","reps":0,"foo":1}`, nil, 400, "bad_arguments", "Invalid arguments: "},
		"a mistyped argument": {s, "GET", "list_exercises?qery=squat", "", nil, 400, "bad_arguments", ""},
		"no whole number":     {s, "GET", "list_exercises?limit=many", "", nil, 400, "bad_arguments", `Limit "many" is not a whole number.`},
		"a write with GET":    {s, "GET", "create_workout?date=today", "", nil, 405, "method_not_allowed", ""},
		"PUT":                 {s, "PUT", "whoami", "{}", nil, 405, "method_not_allowed", ""},
		"an unknown row":      {s, "POST", "get_workout", `{"workout_id":999}`, nil, 404, "not_found", "No workout with id 999 on this account."},
		"too large":           {s, "POST", "create_set", `{"note":"` + strings.Repeat("x", 2<<20) + `"}`, nil, 413, "too_large", ""},
		"against a rule":      {s, "POST", "generate_program_week", `{"program_id":999}`, nil, 404, "not_found", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := c.from
			from.t = t
			got := from.send(c.method, c.path, c.body, c.header...)
			if code, says := got.failure(); got.status != c.status || code != c.code || !strings.HasPrefix(says, c.says) {
				t.Errorf("got %d %s %q, want %d %s %q", got.status, code, says, c.status, c.code, c.says)
			}
			if got.status == 401 && !strings.HasPrefix(got.header.Get("WWW-Authenticate"), "Bearer") {
				t.Errorf("a 401 without a challenge: %v", got.header)
			}
			if got.status == 405 && got.header.Get("Allow") == "" {
				t.Error("a 405 does not say what is allowed")
			}
		})
	}
}

func TestReadsTakeTheirArgumentsFromTheAddress(t *testing.T) {
	t.Parallel()
	_, _, s := open(t)
	posted := s.send("POST", "list_exercises", `{"query":"squat","limit":3}`)
	asked := s.send("GET", "list_exercises?query=squat&limit=3", "")
	if diff := cmp.Diff(posted.body, asked.body); diff != "" || asked.status != 200 {
		t.Errorf("%d -POST +GET\n%s", asked.status, diff)
	}
	if posted.header.Get("X-Tectonic-Contract") != "4" || posted.header.Get("Cache-Control") != "no-store" {
		t.Errorf("headers %v", posted.header)
	}
}

func TestAWriteWithAKeyHappensOnce(t *testing.T) {
	t.Parallel()
	_, _, s := open(t)
	const set = `{"exercise":"Deadlift","weight":225,"reps":5}`
	first, again := s.send("POST", "create_set", set, "Idempotency-Key", "k"), s.send("POST", "create_set", set, "Idempotency-Key", "k")
	if diff := cmp.Diff(first.body, again.body); diff != "" || again.header.Get("Idempotency-Replayed") != "true" || first.header.Get("Idempotency-Replayed") != "" {
		t.Errorf("-first +again\n%s", diff)
	}
	other := s.send("POST", "create_set", strings.Replace(set, "225", "230", 1), "Idempotency-Key", "k")
	if code, says := other.failure(); other.status != 409 || code != "conflict" || says != `request_id "k" was already used for a call with different contents. Use a new one.` {
		t.Errorf("got %d %s %q", other.status, code, says)
	}
}

func TestTheKillSwitchStopsWrites(t *testing.T) {
	t.Parallel()
	p, who, s := open(t)
	c := p.Config
	c.WritesEnabled = false
	p.Reload(c)
	got := s.send("POST", "create_workout", `{"date":"today"}`)
	if code, _ := got.failure(); got.status != 403 || code != "writes_disabled" {
		t.Errorf("got %d %s", got.status, code)
	}
	if got := s.send("GET", "whoami", ""); got.status != 200 {
		t.Errorf("a read was stopped: %d", got.status)
	}
	who.Must("create_workout", map[string]any{"date": "today"}) // a lifter can always press Done
}

func TestTheDocumentDescribesEveryTool(t *testing.T) {
	t.Parallel()
	p, _, s := open(t)
	s.token = "none"
	document := s.send("GET", p.Server.URL+"/api/openapi.json", "")
	paths, _ := document.body["paths"].(map[string]any)
	if document.status != 200 || document.body["openapi"] != "3.1.0" || len(paths) < 15 {
		t.Fatalf("got %d %v with %d paths", document.status, document.body["openapi"], len(paths))
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("document.json", map[string]any(document.body)); err != nil {
		t.Fatal(err)
	}
	for path, item := range paths {
		for method := range item.(map[string]any) {
			at := fmt.Sprintf("document.json#/paths/%s/%s/responses/200/content/application~1json/schema", strings.ReplaceAll(path, "/", "~1"), method)
			if _, err := compiler.Compile(at); err != nil {
				t.Errorf("%s %s: %v", method, path, err)
			}
		}
	}
}
