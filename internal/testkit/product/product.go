package product

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth"
	"tectonic/internal/config"
	"tectonic/internal/testkit"
)

// Product is the app with its server.
type Product struct {
	*app.App
	Server *httptest.Server
}

// Each runs fn with the product on every engine: SQLite, and PostgreSQL when
// TEST_DATABASE_URL is set.
func Each(t *testing.T, fn func(*testing.T, *Product)) {
	t.Helper()
	catalog := app.Catalog()
	testkit.EachWith(t, app.Lines(catalog), app.Setup(catalog), func(t *testing.T, d *db.DB) { fn(t, New(t, d)) })
}

// signingKey is made once per run of the tests, since that takes a while.
var signingKey = sync.OnceValue(func() config.Secret {
	folder, err := os.MkdirTemp("", "tectonic-key")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	c := config.Config{Tier: config.Test, Data: folder}
	if _, err := c.EnsureSecrets(); err != nil {
		panic(err)
	}
	return c.OAuth.PrivateKey
})

// DB returns a migrated database on SQLite, for tests of what does not depend
// on the engine.
func DB(t testing.TB) *db.DB {
	t.Helper()
	catalog := app.Catalog()
	return testkit.DBWith(t, app.Lines(catalog), app.Setup(catalog))
}

// New returns the product on a migrated database. Its clock is the database's.
func New(t testing.TB, d *db.DB, adjust ...func(*config.Config)) *Product {
	t.Helper()
	tier := "test"
	if _, ok := t.(*testing.B); ok {
		tier = "production" // benchmarks measure what people get, without the checks of development
	}
	c, err := config.Load(config.Inputs{Flags: map[string]string{"env": tier, "data": t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(nil)
	c.PublicURL = "http://" + server.Listener.Addr().String()
	c.SessionSecret, c.OAuth.PrivateKey = config.Secret(strings.Repeat("test only ", 7)), signingKey()
	c.RequestTimeout = 2 * time.Minute // a busy machine must not fail what is not about time
	for _, change := range adjust {
		change(&c)
	}
	a, err := app.New(t.Context(), app.Options{Config: c, Log: slog.New(slog.DiscardHandler), DB: d, Now: d.Now})
	if err != nil {
		t.Fatal(err)
	}
	p := &Product{App: a, Server: server}
	p.Server.Config.Handler = a.Handler()
	p.Server.Start()
	t.Cleanup(func() { p.Server.Close(); a.Close() })
	return p
}

// Password is every test account's.
const Password = "chalk and steel"

// Person is an account in its own workspace.
type Person struct {
	p      *Product
	t      testing.TB
	Email  string
	Caller contract.Caller
}

// Person creates an account. Its zone is UTC.
func (p *Product) Person(t testing.TB, email string) *Person {
	t.Helper()
	return p.PersonIn(t, email, "UTC")
}

// PersonIn creates an account in a time zone.
func (p *Product) PersonIn(t testing.TB, email, zone string) *Person {
	t.Helper()
	started, err := p.Accounts.Create(t.Context(), account.Door{Transport: contract.OverCLI}, account.NewAccount{Email: email, Password: Password, TimeZone: zone})
	if err != nil {
		t.Fatal(err)
	}
	who, err := p.Accounts.Local(t.Context(), started.Workspace, contract.OverCLI)
	if err != nil {
		t.Fatal(err)
	}
	return &Person{p: p, t: t, Email: email, Caller: who}
}

// Workspace returns the id of the person's workspace.
func (q *Person) Workspace() id.WorkspaceID { return q.Caller.Workspace }

// Call runs a tool as the person on the command line. The argument "file" of a
// map is no argument but what the file beside them holds.
func (q *Person) Call(tool string, args any) (contract.Wire, error) {
	request := gate.Request{Plate: "training", Tool: tool}
	if in, ok := args.(map[string]any); ok && in["file"] != nil {
		file := in["file"].(string)
		request.File = &contract.Attachment{Content: strings.NewReader(file), Size: int64(len(file))}
		rest := maps.Clone(in)
		delete(rest, "file")
		args = rest
	}
	text, err := json.Marshal(args)
	if err != nil {
		q.t.Fatal(err)
	}
	request.Args = text
	return q.p.Gate.Call(context.WithoutCancel(q.t.Context()), q.Caller, request)
}

// Must runs a tool that is expected to work and decodes its payload.
func (q *Person) Must(tool string, args any) map[string]any {
	q.t.Helper()
	wire, err := q.Call(tool, args)
	if err != nil {
		q.t.Fatalf("%s: %v", tool, err)
	}
	out, err := contract.Into[map[string]any](wire)
	if err != nil {
		q.t.Fatal(err)
	}
	return out
}

// Week writes Block 0 for the person and generates its first week. It returns
// the id of the block and of Monday's workout.
func (q *Person) Week() (program, workout int64) {
	q.t.Helper()
	program = int64(q.Must("seed_program", map[string]any{})["id"].(float64))
	made := q.Must("generate_program_week", map[string]any{"program_id": program, "week": 1})
	return program, int64(made["workouts"].([]any)[0].(map[string]any)["id"].(float64))
}

// Browser returns a client that keeps cookies and does not follow redirects,
// signed in as the person.
func (q *Person) Browser() *Browser {
	q.t.Helper()
	b := q.p.Browser(q.t)
	b.Post("/login", url.Values{"email": {q.Email}, "password": {Password}}, http.StatusSeeOther)
	b.workspace = strconv.FormatInt(int64(q.Workspace()), 10)
	return b
}

// Browser is a browser without script.
type Browser struct {
	t         testing.TB
	base      string
	client    *http.Client
	workspace string
}

// Browser returns a client that nobody has signed in with.
func (p *Product) Browser(t testing.TB) *Browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Browser{t: t, base: p.Server.URL, client: &http.Client{
		Jar: jar, Timeout: 30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Answer is a response whose body has been read.
type Answer struct {
	Status   int
	Location string
	Header   http.Header
	Body     string
}

// Page parses the body.
func (a Answer) Page(t testing.TB) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(a.Body))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Get asks for a page and expects the status.
func (b *Browser) Get(path string, status int) Answer {
	b.t.Helper()
	return b.send(http.MethodGet, path, nil, nil, status)
}

// Post sends a form with its tokens and expects the status.
func (b *Browser) Post(path string, form url.Values, status int) Answer {
	b.t.Helper()
	return b.PostWith(path, form, nil, status)
}

// PostWith sends a form with more headers, such as those of htmx.
func (b *Browser) PostWith(path string, form url.Values, header http.Header, status int) Answer {
	b.t.Helper()
	filled := url.Values{"request_id": {id.Token(10)}, "workspace": {b.workspace}}
	for name, values := range form {
		filled[name] = values
	}
	return b.send(http.MethodPost, path, filled, header, status)
}

// Upload sends a form with its tokens and a file in the field of that name, and
// expects the status.
func (b *Browser) Upload(path string, form url.Values, field, name, content string, status int) Answer {
	b.t.Helper()
	var body bytes.Buffer
	parts := multipart.NewWriter(&body)
	filled := url.Values{"request_id": {id.Token(10)}, "workspace": {b.workspace}}
	maps.Copy(filled, form)
	for key, values := range filled {
		for _, v := range values {
			if err := parts.WriteField(key, v); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	file, err := parts.CreateFormFile(field, name)
	if err == nil {
		_, err = io.WriteString(file, content)
	}
	if err = errors.Join(err, parts.Close()); err != nil {
		b.t.Fatal(err)
	}
	return b.exchange(http.MethodPost, path, &body, http.Header{"Content-Type": {parts.FormDataContentType()}}, status)
}

func (b *Browser) send(method, path string, form url.Values, header http.Header, status int) Answer {
	b.t.Helper()
	with := http.Header{}
	maps.Copy(with, header)
	if method == http.MethodPost {
		with.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return b.exchange(method, path, strings.NewReader(form.Encode()), with, status)
}

func (b *Browser) exchange(method, path string, content io.Reader, header http.Header, status int) Answer {
	b.t.Helper()
	r, err := http.NewRequestWithContext(context.WithoutCancel(b.t.Context()), method, b.base+path, content)
	if err != nil {
		b.t.Fatal(err)
	}
	maps.Copy(r.Header, header)
	res, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	a := Answer{Status: res.StatusCode, Location: res.Header.Get("Location"), Header: res.Header, Body: string(body)}
	if status != 0 && a.Status != status {
		b.t.Fatalf("%s %s: status %d, want %d\n%s", method, path, a.Status, status, clip(a.Body))
	}
	return a
}

func clip(s string) string { return s[:min(len(s), 1500)] }

// Token makes a personal token of the person for the flagship plate with the
// scopes; none means read and write.
func (q *Person) Token(scopes ...string) string {
	q.t.Helper()
	if len(scopes) == 0 {
		scopes = []string{"read", "write"}
	}
	token, _, err := q.p.OAuth.CreateToken(q.t.Context(), oauth.TokenRequest{
		Account: q.Caller.Account, Workspace: q.Caller.Workspace, Name: "A script", Plates: []string{"training"}, Scopes: scopes,
	})
	if err != nil {
		q.t.Fatal(err)
	}
	return token
}

// Join makes the person a member of another's workspace, by an invitation.
func (q *Person) Join(host *Person, role contract.Role) {
	q.t.Helper()
	door := account.Door{Transport: contract.OverCLI}
	token, err := q.p.Accounts.Invite(q.t.Context(), door, host.Caller, role)
	if err != nil {
		q.t.Fatal(err)
	}
	if _, err := q.p.Accounts.Join(q.t.Context(), door, q.Caller.Account, token); err != nil {
		q.t.Fatal(err)
	}
}

// In returns the person at work in another's workspace, for Token.
func (q *Person) In(host *Person) *Person {
	there := *q
	there.Caller.Workspace, there.Caller.WorkspaceName = host.Workspace(), host.Caller.WorkspaceName
	return &there
}

// Enter goes to another workspace of the account.
func (b *Browser) Enter(host *Person) {
	b.t.Helper()
	b.workspace = strconv.FormatInt(int64(host.Workspace()), 10)
	b.Post("/workspace", url.Values{"to": {b.workspace}}, http.StatusSeeOther)
}
