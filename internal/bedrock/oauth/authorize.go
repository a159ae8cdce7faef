package oauth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/oauth/store"
)

// application is a client as the authorization page knows it: registered, or
// described by its document.
type application struct {
	uid       string
	kind      string
	name      string
	redirects []string
}

// asked is a checked authorization request.
type asked struct {
	app       application
	redirect  string // where the answer goes
	sent      string // redirect_uri as it came; "" when it was left out
	state     string
	challenge string
	scopes    []string // known ones, in the order of the request; all when none is known
	plates    []string // the named ones; nil = none named
	resources []string // as they came
}

// unknown is a request that must not be answered by a redirect, because it is
// not known where that would lead.
type unknown struct{ problem Problem }

// Error returns what the page says.
func (u unknown) Error() string { return u.problem.Sentence }

var (
	notKnown = unknown{Problem{
		Status: http.StatusBadRequest, Title: "Connection not known",
		Sentence: "This connection is not known here (it may have been removed). Remove the connector in your assistant and add it again.",
	}}
	notVerified = unknown{Problem{
		Status: http.StatusBadRequest, Title: "Application not verified",
		Sentence: "We could not verify this application: its description could not be read. Try again in a minute, or ask its maker.",
	}}
)

// challengeShape is an S256 challenge: 32 bytes in base64url.
var challengeShape = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// authorize is the page on which a person decides. Nothing is stored by it.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	q, err := s.readRequest(r, r.URL.Query())
	if err != nil {
		s.turnAway(w, r, q, err)
		return
	}
	person, ok := s.o.People.Person(r)
	if !ok {
		w.Header().Set("Cache-Control", "no-store")
		s.o.People.SignIn(w, r)
		return
	}
	s.showConsent(w, r, q, person, "")
}

// readRequest checks everything about a request but the person. With an error
// of type failure the answer goes to q.redirect; with any other to a page.
func (s *Server) readRequest(r *http.Request, form url.Values) (q asked, err error) {
	if len(form["client_id"]) != 1 || len(form["redirect_uri"]) > 1 {
		return q, notKnown
	}
	if q.app, err = s.application(r, form.Get("client_id")); err != nil {
		return q, err
	}
	q.sent = form.Get("redirect_uri")
	if q.redirect, err = s.chooseRedirect(q.app, q.sent); err != nil {
		return q, err
	}
	q.state = form.Get("state")
	q.challenge = form.Get("code_challenge")
	q.resources = form["resource"]
	q.scopes = s.offered(strings.Fields(form.Get("scope")))
	if err := checkShape(form); err != nil {
		return q, err
	}
	named, ok := s.resources(q.resources)
	if !ok {
		return q, failure{Code: "invalid_target", Description: "The resource is not one of this server."}
	}
	q.plates = named
	return q, nil
}

func checkShape(form url.Values) error {
	for _, name := range []string{"response_type", "state", "scope", "code_challenge", "code_challenge_method"} {
		if len(form[name]) > 1 {
			return failure{Code: "invalid_request", Description: name + " is given more than once."}
		}
	}
	switch {
	case form.Get("response_type") == "":
		return failure{Code: "invalid_request", Description: "response_type is missing; it must be code."}
	case form.Get("response_type") != "code":
		return failure{Code: "unsupported_response_type", Description: "response_type must be code."}
	case form.Get("code_challenge_method") != "S256":
		return failure{Code: "invalid_request", Description: "code_challenge_method must be S256."}
	case !challengeShape.MatchString(form.Get("code_challenge")):
		return failure{Code: "invalid_request", Description: "code_challenge must be 43 characters of base64url."}
	}
	return nil
}

// application finds who asks. A metadata document is fetched when it is not in
// memory, but not often for one network.
func (s *Server) application(r *http.Request, clientID string) (application, error) {
	if isDocumentURL(clientID) {
		if !s.o.CIMD {
			return application{}, notKnown
		}
		return s.described(r, clientID)
	}
	var c store.Client
	err := s.o.DB.Read(r.Context(), func(tx *db.Tx) (err error) {
		c, err = store.New(tx).ClientByUID(r.Context(), clientID)
		return err
	})
	if errors.Is(err, sql.ErrNoRows) || err == nil && c.Kind != kindRegistered {
		return application{}, notKnown
	}
	if err != nil {
		return application{}, fmt.Errorf("read client: %w", err)
	}
	return application{uid: c.UID, kind: c.Kind, name: c.Name, redirects: redirectsOf(c)}, nil
}

func (s *Server) described(r *http.Request, clientID string) (application, error) {
	doc, err := s.documents.get(r.Context(), clientID, func() error {
		if wait := s.throttle.take("document", s.o.Address(r), fetches); wait > 0 {
			return errors.New("too many documents were asked for from this address")
		}
		return nil
	})
	if err != nil {
		s.o.Log.WarnContext(r.Context(), "client metadata", "client", forLog(clientID), "error", fault.Redact(err.Error()))
		return application{}, notVerified
	}
	return application{uid: clientID, kind: kindDocument, name: doc.Name, redirects: doc.Redirects}, nil
}

// chooseRedirect returns where the answer goes: the requested address when it
// is a registered one and still allowed, or the only registered one.
func (s *Server) chooseRedirect(app application, requested string) (string, error) {
	if requested == "" && len(app.redirects) == 1 {
		requested = app.redirects[0]
	}
	registered := func(own string) bool { return sameRedirect(own, requested) }
	allowed := s.o.Redirects.Allow(requested) || app.kind == kindDocument && ownHost(app.uid, requested)
	own := slices.ContainsFunc(app.redirects, registered)
	if own && !allowed {
		s.o.Trouble(redirectsSetting, forLog(requested))
	}
	if !own || !allowed {
		return "", notKnown
	}
	return requested, nil
}

// offered returns the scopes that are known, in the order asked; all when none
// of them is. Unknown ones are ignored, since clients ask for openid and more.
func (s *Server) offered(asked []string) []string {
	if known := both(asked, s.scopes); len(known) > 0 {
		return known
	}
	return s.scopes
}

// resources returns the plates that a list of resource indicators names, in
// the product's order; nil when it names none, or only the server as a whole.
// ok is false when one of them is not ours.
func (s *Server) resources(list []string) (names []string, ok bool) {
	for _, text := range list {
		address, err := normal(text)
		if err != nil {
			return nil, false
		}
		if address == "" || same(s.o.BaseURL, address) {
			continue
		}
		i := slices.IndexFunc(s.o.Plates, func(p Plate) bool { return same(s.Audience(p), address) })
		if i < 0 {
			return nil, false
		}
		names = append(names, s.o.Plates[i].Name)
	}
	return s.known(names), true
}

// same compares an address of ours, as the operator wrote it, with a normal one.
func same(own, address string) bool {
	own, err := normal(own)
	return err == nil && own == address
}

// normal brings a resource indicator into the form of ours: scheme and host in
// lower case, no default port, no final slash, no query.
func normal(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Fragment != "" || u.User != nil || u.Opaque != "" {
		return "", errors.New("is no resource")
	}
	host := strings.ToLower(u.Host)
	if u.Port() != "" && u.Port() == map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		host = strings.TrimSuffix(host, ":"+u.Port())
	}
	return u.Scheme + "://" + host + strings.TrimSuffix(u.EscapedPath(), "/"), nil
}

// turnAway answers a request that cannot be decided: by a redirect when it is
// known where to, else by a page.
func (s *Server) turnAway(w http.ResponseWriter, r *http.Request, q asked, err error) {
	if f, ok := errors.AsType[failure](err); ok {
		s.redirect(w, q, url.Values{"error": {f.Code}, "error_description": {f.Description}})
		return
	}
	if u, ok := errors.AsType[unknown](err); ok {
		s.showProblem(w, r, u.problem)
		return
	}
	f := s.asFailure(r, err)
	s.showProblem(w, r, Problem{Status: f.status, Title: "Not available", Sentence: f.Description})
}

// redirect sends the browser back to the client, with the state as it came and
// the issuer, so that a client of several servers cannot mix them up.
func (s *Server) redirect(w http.ResponseWriter, q asked, answer url.Values) {
	if q.state != "" {
		answer.Set("state", q.state)
	}
	answer.Set("iss", s.o.BaseURL)
	to := q.redirect + "?"
	if strings.Contains(q.redirect, "?") {
		to = q.redirect + "&"
	}
	w.Header().Set("Location", to+answer.Encode())
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "same-origin")
	w.WriteHeader(http.StatusSeeOther)
}

// newCode stores the decision as a grant that begins when its code is used.
func (s *Server) newCode(ctx context.Context, q asked, d decision) (code string, err error) {
	err = s.write(ctx, func(tx *db.Tx) (Event, error) {
		if err := mustBeMember(ctx, tx, d.person.Account, d.workspace); err != nil {
			return Event{}, err
		}
		code = secret()
		client, err := s.clientFor(ctx, tx, q.app)
		if err != nil {
			return Event{}, err
		}
		grant, err := store.New(tx).InsertGrant(ctx, d.grant(q, client, code, tx.Now()))
		if err != nil {
			return Event{}, fmt.Errorf("insert the grant of client %d: %w", client, err)
		}
		return Event{Name: GrantAllowed, Account: d.person.Account, Workspace: d.workspace, Client: client, Grant: grant}, nil
	})
	return code, err
}
