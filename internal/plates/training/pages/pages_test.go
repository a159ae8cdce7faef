package pages_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/plate"
	"tectonic/internal/plates/training"
	"tectonic/internal/plates/training/pages"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/testkit"
	"tectonic/internal/web"
)

func TestMain(m *testing.M) {
	p := training.New(plate.Bed{})
	testkit.Lines, testkit.Standing = []db.Line{db.Bedrock, p.Migrations}, p.Setup
	os.Exit(m.Run())
}

// monday is what the clock of every test shows: 2026-03-02, noon in UTC.
var monday = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

// sessionBody is the id of the fragment that every action of a session
// answers with.
const sessionBody = "session-body"

// gym is the pages on a database with the tools behind the gate.
type gym struct {
	db   *db.DB
	gate *gate.Gate
	mux  *http.ServeMux
	site *web.Site
}

// now is the clock of the tests.
func now() time.Time { return monday }

// each runs fn on both engines.
func each(t *testing.T, fn func(*testing.T, *gym)) {
	t.Helper()
	testkit.Each(t, func(t *testing.T, d *db.DB) { fn(t, newGym(t, d)) }, func(o *db.Options) { o.Now = now })
}

func newGym(t testing.TB, d *db.DB) *gym {
	t.Helper()
	registry, err := contract.NewRegistry("training", []string{"read", "write"}, tools.All("")...)
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	g := &gym{db: d, gate: gate.New(gate.Options{DB: d, Log: quiet, CheckOutput: true}), mux: http.NewServeMux()}
	if err := g.gate.Register(registry); err != nil {
		t.Fatal(err)
	}
	g.site = web.New(web.Options{Log: quiet, Now: now})
	for _, route := range pages.Routes(pages.Deps{DB: d, Gate: g.gate, Now: now}) {
		g.mux.Handle(route.Pattern, signedIn(route.Handler))
	}
	return g
}

type personKey struct{}

// signedIn lets the test's person through as a session would.
func signedIn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if who, ok := r.Context().Value(personKey{}).(web.Identity); ok {
			r = web.As(r, who)
		}
		next.ServeHTTP(w, r)
	})
}

// lifter is a person in a workspace of their own.
type lifter struct {
	*gym
	t   testing.TB
	who web.Identity
}

func (g *gym) lifter(t testing.TB, email string) *lifter {
	t.Helper()
	who := contract.Caller{Email: email, WorkspaceName: "Personal", Zone: time.UTC, Role: contract.Owner, Scopes: contract.Owner.Scopes(), Transport: contract.OverWeb}
	err := g.db.Write(t.Context(), func(tx *db.Tx) error {
		account := tx.QueryRowContext(t.Context(),
			"INSERT INTO accounts (email, email_key, password_hash, created_at) VALUES ($1, $2, '', $3) RETURNING id", email, email, dbtype.At(tx.Now()))
		if err := account.Scan(&who.Account); err != nil {
			return err
		}
		workspace := tx.QueryRowContext(t.Context(),
			"INSERT INTO workspaces (uid, name, time_zone, created_at) VALUES ($1, 'Personal', 'UTC', $2) RETURNING id", id.UID(), dbtype.At(tx.Now()))
		return workspace.Scan(&who.Workspace)
	})
	if err != nil {
		t.Fatal(err)
	}
	return &lifter{gym: g, t: t, who: web.Identity{Caller: who}}
}

// ctx is the context of the person's requests.
func (l *lifter) ctx() context.Context {
	return context.WithValue(l.t.Context(), personKey{}, l.who)
}

// call runs a tool that has to succeed and returns its payload.
func (l *lifter) call(tool string, args map[string]any) map[string]any {
	l.t.Helper()
	text, err := json.Marshal(args)
	if err != nil {
		l.t.Fatal(err)
	}
	wire, err := l.gate.Call(l.t.Context(), l.who.Caller, gate.Request{Plate: "training", Tool: tool, Args: text})
	if err != nil {
		l.t.Fatalf("%s: %v", tool, err)
	}
	out, err := contract.Into[map[string]any](wire)
	if err != nil {
		l.t.Fatal(err)
	}
	return out
}

// week writes Block 0, generates its first week and returns the path of
// Monday's workout.
func (l *lifter) week() string {
	l.t.Helper()
	block := l.call("seed_program", map[string]any{})["id"]
	made := l.call("generate_program_week", map[string]any{"program_id": block, "week": 1})
	return pathOf(made["workouts"].([]any)[0].(map[string]any))
}

func pathOf(workout map[string]any) string {
	return "/workouts/" + strconv.FormatInt(int64(workout["id"].(float64)), 10)
}

// answer is a response with its page.
type answer struct {
	*http.Response
	body string
	page *goquery.Document
}

func (l *lifter) send(method, path string, form url.Values, header http.Header) answer {
	l.t.Helper()
	r := httptest.NewRequestWithContext(l.ctx(), method, path, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, values := range header {
		r.Header[name] = values
	}
	w := httptest.NewRecorder()
	l.site.Handler(l.mux).ServeHTTP(w, r)
	a := answer{Response: w.Result(), body: w.Body.String()}
	page, err := goquery.NewDocumentFromReader(strings.NewReader(a.body))
	if err != nil {
		l.t.Fatal(err)
	}
	a.page = page
	return a
}

// get asks for a page that has to be there.
func (l *lifter) get(path string) answer {
	l.t.Helper()
	a := l.send(http.MethodGet, path, nil, nil)
	if a.StatusCode != http.StatusOK {
		l.t.Fatalf("GET %s: status %d, to %q", path, a.StatusCode, a.Header.Get("Location"))
	}
	return a
}

// post sends a form with its tokens and expects the status.
func (l *lifter) post(status int, path string, fields ...string) answer {
	l.t.Helper()
	return l.postWith(status, nil, path, fields...)
}

// swap sends a form as htmx does and expects the status.
func (l *lifter) swap(status int, path string, fields ...string) answer {
	l.t.Helper()
	return l.postWith(status, http.Header{"Hx-Request": {"true"}, "Hx-Target": {"div#" + sessionBody}}, path, fields...)
}

func (l *lifter) postWith(status int, header http.Header, path string, fields ...string) answer {
	l.t.Helper()
	form := url.Values{"workspace": {strconv.FormatInt(int64(l.who.Caller.Workspace), 10)}, "request_id": {id.Token(12)}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	a := l.send(http.MethodPost, path, form, header)
	if a.StatusCode != status {
		l.t.Fatalf("POST %s %v: status %d, want %d\n%.900s", path, fields, a.StatusCode, status, text1(a.page.Find("body")))
	}
	return a
}

// text1 is the text of a selection with single blanks.
func text1(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }

// says fails when the selection does not hold the text.
func (a answer) says(t *testing.T, selector, want string) {
	t.Helper()
	if got := text1(a.page.Find(selector)); !strings.Contains(got, want) {
		t.Errorf("%s says %q, want %q", selector, got, want)
	}
}

// count fails when the selector matches another number of elements.
func (a answer) count(t *testing.T, selector string, want int) {
	t.Helper()
	if got := a.page.Find(selector).Length(); got != want {
		t.Errorf("%d of %s, want %d", got, selector, want)
	}
}

// action returns where the form of the nth row that matches is posted.
func (a answer) action(t *testing.T, selector string) string {
	t.Helper()
	to, ok := a.page.Find(selector).First().Attr("action")
	if !ok {
		t.Fatalf("no form matches %s", selector)
	}
	return to
}
