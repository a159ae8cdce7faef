package oauth

import (
	"bytes"
	"context"
	"crypto/hmac"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth/store"
)

const (
	codeLife  = time.Minute
	grantLife = 360 * 24 * time.Hour // from the consent
)

// Consent is what the consent page shows and sends back: the hidden fields, and
// workspace, plate (repeated), scope (repeated) and decision (allow or deny).
type Consent struct {
	Action       string // where the form is posted
	Hidden       []Pair
	Name         string // of the application, as it calls itself
	Host         string // that identifies it; "" when it only registered itself
	ReturnHost   string // where the answer goes
	LoopbackOnly bool   // this time it returns to this machine, where any program could pose as it
	Person       Person
	Workspaces   []WorkspaceChoice
	Plates       []Choice
	Scopes       []Choice
	Problem      string // why the form came back; "" the first time
}

// Pair is a hidden field.
type Pair struct{ Name, Value string }

// Choice is a check box.
type Choice struct {
	Name   string
	Label  string
	Hint   string // what that means
	Chosen bool
}

// WorkspaceChoice is a workspace in the selector.
type WorkspaceChoice struct {
	Workspace
	Chosen bool
}

// Problem is a page that ends a request.
type Problem struct {
	Status   int
	Title    string
	Sentence string
	Theme    string
}

// policy is the content policy of these pages. It has no form-action, because
// Chromium applies that to the redirects after the form as well, and they lead
// to other hosts.
const policy = "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"

func (s *Server) sendPage(w http.ResponseWriter, r *http.Request, status int, render func(*bytes.Buffer) error) {
	var page bytes.Buffer
	if err := render(&page); err != nil {
		s.o.Log.ErrorContext(r.Context(), "render a page of the authorization server", "error", err)
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	w.WriteHeader(status)
	w.Write(page.Bytes())
}

func (s *Server) showProblem(w http.ResponseWriter, r *http.Request, p Problem) {
	if person, ok := s.o.People.Person(r); ok {
		p.Theme = person.Theme
	}
	s.sendPage(w, r, p.Status, func(b *bytes.Buffer) error { return s.o.Pages.Problem(r.Context(), b, p) })
}

// showConsent renders the form; the ticks are the request's, or on a form that
// came back what was ticked.
func (s *Server) showConsent(w http.ResponseWriter, r *http.Request, q asked, person Person, problem string) {
	workspaces, err := s.o.People.Workspaces(r, person.Account)
	if err != nil {
		s.turnAway(w, r, q, fmt.Errorf("list workspaces of account %d: %w", person.Account, err))
		return
	}
	if len(workspaces) == 0 {
		s.showProblem(w, r, Problem{Status: http.StatusForbidden, Title: "No workspace", Sentence: "You are not a member of a workspace, so there is nothing to connect."})
		return
	}
	status := http.StatusOK
	if problem != "" {
		status = http.StatusUnprocessableEntity
	}
	page := s.consent(r, q, person, workspaces, problem)
	s.sendPage(w, r, status, func(b *bytes.Buffer) error { return s.o.Pages.Consent(r.Context(), b, page) })
}

func (s *Server) consent(r *http.Request, q asked, person Person, workspaces []Workspace, problem string) Consent {
	c := Consent{
		Action: "/authorize", Hidden: s.hidden(q, person), Name: q.app.name, ReturnHost: host(q.redirect), Person: person,
		LoopbackOnly: isLoopback(q.redirect), Problem: problem,
	}
	if q.app.kind == kindDocument {
		c.Host = host(q.app.uid)
	}
	plates, scopes := q.plates, q.scopes
	if plates == nil {
		plates = []string{s.o.Plates[0].Name}
	}
	if r.Method == http.MethodPost {
		plates, scopes = r.PostForm["plate"], r.PostForm["scope"]
	}
	chosen, _ := strconv.ParseInt(r.PostForm.Get("workspace"), 10, 64)
	for i, ws := range workspaces {
		c.Workspaces = append(c.Workspaces, WorkspaceChoice{ws, ws.ID == id.WorkspaceID(chosen) || chosen == 0 && i == 0})
	}
	for _, p := range s.o.Plates {
		c.Plates = append(c.Plates, Choice{p.Name, p.Title, p.Says, slices.Contains(plates, p.Name)})
	}
	for _, scope := range s.o.Scopes {
		c.Scopes = append(c.Scopes, Choice{scope.Name, scope.title(), scope.Says, slices.Contains(scopes, scope.Name)})
	}
	return c
}

func isLoopback(address string) bool {
	u, err := parseRedirect(address)
	return err == nil && loopback(u)
}

func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// hidden carries the request through the form. All of it is checked again.
func (s *Server) hidden(q asked, person Person) []Pair {
	pairs := []Pair{
		{"csrf", s.formToken(person)},
		{"client_id", q.app.uid},
		{"response_type", "code"},
		{"code_challenge", q.challenge},
		{"code_challenge_method", "S256"},
	}
	if q.sent != "" {
		pairs = append(pairs, Pair{"redirect_uri", q.sent})
	}
	if q.state != "" {
		pairs = append(pairs, Pair{"state", q.state})
	}
	for _, resource := range q.resources {
		pairs = append(pairs, Pair{"resource", resource})
	}
	return pairs
}

// formToken binds a form to the session of the person who looks at it.
func (s *Server) formToken(p Person) string {
	return mac(s.keys.consent, fmt.Sprintf("form|%d|%s", p.Account, p.Session))
}

// decision is what the person chose.
type decision struct {
	person    Person
	workspace id.WorkspaceID
	plates    []string
	scopes    []string
}

// decide takes the answer of the person.
func (s *Server) decide(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, bodyMax)
	person, ok := s.o.People.Person(r)
	if err := r.ParseForm(); err != nil || !ok || person.Session == "" || !hmac.Equal([]byte(r.PostForm.Get("csrf")), []byte(s.formToken(person))) {
		s.showProblem(w, r, Problem{
			Status: http.StatusForbidden, Title: "Not verified",
			Sentence: "That request could not be verified. Reload the page and try again.",
		})
		return
	}
	form := r.PostForm
	ticked := form["scope"]
	form = withoutScope(form)
	q, err := s.readRequest(r, form)
	if err != nil {
		s.turnAway(w, r, q, err)
		return
	}
	if form.Get("decision") != "allow" {
		s.refuse(w, r, q, person)
		return
	}
	d, problem, err := s.readDecision(r, person, ticked)
	switch {
	case err != nil:
		s.turnAway(w, r, q, err)
	case problem != "":
		s.showConsent(w, r, q, person, problem)
	default:
		s.allow(w, r, q, d)
	}
}

// withoutScope leaves out the check boxes, which in the form have the name that
// one list has in the request.
func withoutScope(form url.Values) url.Values {
	rest := url.Values{}
	for name, values := range form {
		if name != "scope" {
			rest[name] = values
		}
	}
	return rest
}

func (s *Server) readDecision(r *http.Request, person Person, ticked []string) (d decision, problem string, err error) {
	workspaces, err := s.o.People.Workspaces(r, person.Account)
	if err != nil {
		return d, "", fmt.Errorf("list workspaces of account %d: %w", person.Account, err)
	}
	number, _ := strconv.ParseInt(r.PostForm.Get("workspace"), 10, 64)
	d = decision{person: person, workspace: id.WorkspaceID(number), plates: s.known(r.PostForm["plate"])}
	d.scopes = both(s.vocabulary(d.plates), ticked)
	switch {
	case !slices.ContainsFunc(workspaces, func(ws Workspace) bool { return ws.ID == d.workspace }):
		problem = "Choose one of your workspaces."
	case len(d.plates) == 0:
		problem = "Choose at least one part of the product."
	case len(d.scopes) == 0:
		problem = "Choose at least one thing that the application may do."
	}
	return d, problem, nil
}

func (s *Server) allow(w http.ResponseWriter, r *http.Request, q asked, d decision) {
	code, err := s.newCode(r.Context(), q, d)
	if err != nil {
		s.turnAway(w, r, q, err)
		return
	}
	s.redirect(w, q, url.Values{"code": {code}})
}

// refuse tells the client no, and the record that somebody said it.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, q asked, person Person) {
	err := s.write(r.Context(), func(*db.Tx) (Event, error) {
		return Event{Name: GrantDenied, Account: person.Account}, nil
	})
	if err != nil {
		s.turnAway(w, r, q, err)
		return
	}
	s.turnAway(w, r, q, failure{Code: "access_denied", Description: "The person did not allow the connection."})
}

// clientFor returns the row of the application. One that is known by its
// document gets its row with the first consent.
func (s *Server) clientFor(ctx context.Context, tx *db.Tx, app application) (id.ClientID, error) {
	if app.kind != kindDocument {
		c, err := store.New(tx).ClientByUID(ctx, app.uid)
		if err != nil {
			return 0, fmt.Errorf("read client: %w", err)
		}
		return c.ID, nil
	}
	c, err := store.New(tx).UpsertClient(ctx, store.UpsertClientParams{
		UID: app.uid, Kind: kindDocument, Name: app.name, AuthMethod: authNone,
		Metadata: details{Redirects: app.redirects}.document(), CreatedAt: dbtype.At(tx.Now()),
	})
	if err != nil {
		return 0, fmt.Errorf("store client: %w", err)
	}
	return c.ID, nil
}

func (d decision) grant(q asked, client id.ClientID, code string, now time.Time) store.InsertGrantParams {
	hash := hashed(code)
	return store.InsertGrantParams{
		WorkspaceID: d.workspace, AccountID: d.person.Account, ClientID: client,
		Scopes: strings.Join(d.scopes, " "), Plates: strings.Join(d.plates, " "), Rules: dbtype.Doc(map[string]any{}),
		RedirectURI: &q.redirect, CodeHash: &hash, CodeChallenge: &q.challenge, CodeExpiresAt: dbtype.At(now.Add(codeLife)),
		Seed: secret(), CreatedAt: dbtype.At(now), ExpiresAt: dbtype.At(now.Add(grantLife)),
	}
}
