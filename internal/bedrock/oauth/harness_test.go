package oauth

import (
	"bytes"
	"context"
	"crypto/rsa"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/testkit"
)

const (
	base     = "https://tectonic.example"
	callback = "https://claude.ai/api/mcp/auth_callback"
	verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
)

// testKey is made once: a key takes long to make.
var testKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := NewKey()
	if err != nil {
		panic(err)
	}
	return key
})

// clock is moved by hand.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// browser is who sits in front of /authorize: the person of the header.
type browser struct{ home []Workspace }

func (b *browser) Person(r *http.Request) (Person, bool) {
	session := r.Header.Get("X-Session")
	return Person{Account: 1, Email: "mira@example.com", Session: strings.TrimPrefix(session, "-")}, session != ""
}

func (b *browser) SignIn(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/login?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
}

func (b *browser) Workspaces(*http.Request, id.AccountID) ([]Workspace, error) { return b.home, nil }

// paper renders pages as JSON, so that tests read what they would show.
type paper struct{}

func (paper) Consent(_ context.Context, w io.Writer, c Consent) error {
	return json.NewEncoder(w).Encode(c)
}

func (paper) Problem(_ context.Context, w io.Writer, p Problem) error {
	return json.NewEncoder(w).Encode(p)
}

// world is a server with one person in two workspaces.
type world struct {
	*Server
	t      testing.TB
	db     *db.DB
	clock  *clock
	log    *bytes.Buffer
	mu     sync.Mutex
	events []Event
	web    http.Handler
}

type change = func(*Options)

func (w *world) record(_ context.Context, tx *db.Tx, e Event) error {
	tx.OnCommit(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.events = append(w.events, e)
	})
	return nil
}

func (w *world) happened(name string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, e := range w.events {
		if e.Name == name {
			n++
		}
	}
	return n
}

// each runs fn on both engines.
func each(t *testing.T, fn func(*testing.T, *world), changes ...change) {
	t.Helper()
	c := &clock{at: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)}
	testkit.Each(t, func(t *testing.T, d *db.DB) { fn(t, newWorld(t, d, c, changes...)) }, func(o *db.Options) { o.Now = c.now })
}

func newWorld(t testing.TB, d *db.DB, c *clock, changes ...change) *world {
	t.Helper()
	w := &world{t: t, db: d, clock: c, log: &bytes.Buffer{}}
	list, err := ParseRedirects("")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		DB: d, Log: slog.New(slog.NewTextHandler(&syncWriter{w: w.log}, nil)), BaseURL: base, Secret: bytes.Repeat([]byte("s"), 64), Key: testKey(),
		Grace: 30 * time.Second, Redirects: list, CIMD: true, People: &browser{}, Pages: paper{}, Record: w.record,
		Plates: []Plate{
			{Name: "training", Title: "Training", Path: "/mcp", Scopes: []string{"read", "write"}},
			{Name: "memory", Title: "Memory", Path: "/mcp/memory", Scopes: []string{"read", "write", "operate"}},
		},
		Scopes: []Scope{{"read", "Read", "See everything"}, {"write", "Write", "Change things"}, {"operate", "Operate", "Run the memory"}},
	}
	o.People = &browser{home: people(t, d)}
	for _, apply := range changes {
		apply(&o)
	}
	if w.Server, err = New(o); err != nil {
		t.Fatal(err)
	}
	w.web = w.Handler()
	return w
}

type syncWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *syncWriter) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(b)
}

// people makes account 1, who owns workspace 1 and looks into workspace 2, and
// account 2, who owns workspace 3.
func people(t testing.TB, d *db.DB) []Workspace {
	t.Helper()
	err := d.Write(t.Context(), func(tx *db.Tx) error {
		at := dbtype.At(tx.Now())
		for _, statement := range []string{
			"INSERT INTO accounts (email, email_key, password_hash, created_at) VALUES ('mira@example.com', 'mira@example.com', '', $1)",
			"INSERT INTO accounts (email, email_key, password_hash, created_at) VALUES ('ola@example.com', 'ola@example.com', '', $1)",
			"INSERT INTO workspaces (uid, name, time_zone, created_at) VALUES ('u1', 'Mira', 'Europe/Oslo', $1)",
			"INSERT INTO workspaces (uid, name, time_zone, created_at) VALUES ('u2', 'Team', 'UTC', $1)",
			"INSERT INTO workspaces (uid, name, time_zone, created_at) VALUES ('u3', 'Ola', 'UTC', $1)",
			"INSERT INTO members (workspace_id, account_id, role, created_at) VALUES (1, 1, 'owner', $1)",
			"INSERT INTO members (workspace_id, account_id, role, created_at) VALUES (2, 1, 'viewer', $1)",
			"INSERT INTO members (workspace_id, account_id, role, created_at) VALUES (3, 2, 'owner', $1)",
		} {
			if _, err := tx.ExecContext(t.Context(), statement, at); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return []Workspace{{1, "Mira", "owner"}, {2, "Team", "viewer"}}
}

func (w *world) exec(statement string, args ...any) {
	w.t.Helper()
	err := w.db.Write(w.t.Context(), func(tx *db.Tx) error {
		_, err := tx.ExecContext(w.t.Context(), statement, args...)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) count(statement string, args ...any) (n int) {
	w.t.Helper()
	err := w.db.Read(w.t.Context(), func(tx *db.Tx) error {
		return tx.QueryRowContext(w.t.Context(), statement, args...).Scan(&n)
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// reply is an answer with its body read.
type reply struct {
	*httptest.ResponseRecorder
	body map[string]any
}

func (r reply) text(name string) string {
	s, _ := r.body[name].(string)
	return s
}

// location returns the query of the redirect.
func (r reply) location() url.Values {
	u, err := url.Parse(r.Header().Get("Location"))
	if err != nil {
		return nil
	}
	return u.Query()
}

func (w *world) do(r *http.Request) reply {
	rec := httptest.NewRecorder()
	w.web.ServeHTTP(rec, r)
	out := reply{ResponseRecorder: rec}
	json.Unmarshal(rec.Body.Bytes(), &out.body)
	return out
}

func (w *world) get(path string) reply {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("X-Session", "session-of-mira")
	return w.do(r)
}

func (w *world) post(path string, form url.Values) reply {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("X-Session", "session-of-mira")
	return w.do(r)
}

func (w *world) basic(path, user, password string, form url.Values) reply {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.SetBasicAuth(url.QueryEscape(user), url.QueryEscape(password))
	return w.do(r)
}

func (w *world) registerWith(body map[string]any) reply {
	text, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.do(httptest.NewRequest(http.MethodPost, "/register", bytes.NewReader(text)))
}

// newClient registers a public client.
func (w *world) newClient() string {
	w.t.Helper()
	r := w.registerWith(map[string]any{"client_name": "Claude", "redirect_uris": []string{callback}, "token_endpoint_auth_method": "none"})
	if r.Code != http.StatusCreated {
		w.t.Fatalf("register: %d %s", r.Code, r.Body)
	}
	return r.text("client_id")
}

// request is a good authorization request of the client.
func request(client string, more ...string) url.Values {
	q := url.Values{
		"client_id": {client}, "response_type": {"code"}, "redirect_uri": {callback}, "state": {"a state/&="},
		"code_challenge": {digest(verifier)}, "code_challenge_method": {"S256"},
	}
	for i := 0; i+1 < len(more); i += 2 {
		if more[i+1] == "" {
			q.Del(more[i])
		} else {
			q[more[i]] = append([]string(nil), strings.Split(more[i+1], "|")...)
		}
	}
	return q
}

// form returns what the consent page for the request would send when the
// person ticks the given plates and scopes.
func (w *world) form(q url.Values, plates, scopes string) url.Values {
	w.t.Helper()
	r := w.get("/authorize?" + q.Encode())
	if r.Code != http.StatusOK {
		w.t.Fatalf("authorize: %d %s %s", r.Code, r.Body, r.Header().Get("Location"))
	}
	var c Consent
	if err := json.Unmarshal(r.Body.Bytes(), &c); err != nil {
		w.t.Fatal(err)
	}
	form := url.Values{"workspace": {"1"}, "decision": {"allow"}, "plate": strings.Fields(plates), "scope": strings.Fields(scopes)}
	for _, h := range c.Hidden {
		form.Add(h.Name, h.Value)
	}
	return form
}

// code gets a code for both plates.
func (w *world) code(client string) string {
	w.t.Helper()
	r := w.post("/authorize", w.form(request(client), "training memory", "read write"))
	code := r.location().Get("code")
	if code == "" {
		w.t.Fatalf("no code: %d %s %s", r.Code, r.Body, r.Header().Get("Location"))
	}
	return code
}

func exchangeForm(client, code string) url.Values {
	return url.Values{"grant_type": {"authorization_code"}, "client_id": {client}, "code": {code}, "code_verifier": {verifier}, "redirect_uri": {callback}}
}

func refreshForm(client, token string) url.Values {
	return url.Values{"grant_type": {"refresh_token"}, "client_id": {client}, "refresh_token": {token}}
}

// tokens connects the client.
func (w *world) tokens(client string) reply {
	w.t.Helper()
	r := w.post("/token", exchangeForm(client, w.code(client)))
	if r.Code != http.StatusOK {
		w.t.Fatalf("exchange: %d %s", r.Code, r.Body)
	}
	return r
}

func (w *world) good(token, plate string) bool {
	_, err := w.Verify(w.t.Context(), token, plate)
	return err == nil
}

func (r reply) want(t testing.TB, status int, code string) {
	t.Helper()
	if r.Code != status || r.text("error") != code {
		t.Errorf("got %d %s, want %d %s", r.Code, r.Body, status, code)
	}
}

func with(form url.Values, name, value string) url.Values {
	out := url.Values{}
	for k, v := range form {
		out[k] = v
	}
	out[name] = []string{value}
	if value == "" {
		out.Del(name)
	}
	return out
}

func newGet(path string) *http.Request { return httptest.NewRequest(http.MethodGet, path, nil) }

func newPost(path string, form url.Values) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("X-Session", "session-of-mira")
	return r
}

func decode(t *testing.T, r reply, v any) {
	t.Helper()
	if r.Code != http.StatusOK {
		t.Fatalf("got %d %s %s", r.Code, r.Body, r.Header().Get("Location"))
	}
	if err := json.Unmarshal(r.Body.Bytes(), v); err != nil {
		t.Fatal(err)
	}
}
