package oauth

import (
	"cmp"
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
)

// Plate is one that tokens can be for.
type Plate struct {
	Name   string   // as grants store it, such as "training"
	Title  string   // what people read
	Says   string   // what is in it, in a few words for the consent page
	Path   string   // of its MCP endpoint, such as "/mcp" or "/mcp/memory"
	Scopes []string // the vocabulary of its grants
}

// Scope is a right, in a word of the protocol and in words for people.
type Scope struct {
	Name  string // such as "read"
	Title string // such as "Read"; "" = the name with a capital
	Says  string // what it lets a program do, such as "See everything in the plates ticked above"
}

func (s Scope) title() string {
	if s.Title != "" || s.Name == "" {
		return s.Title
	}
	return strings.ToUpper(s.Name[:1]) + s.Name[1:]
}

// Person is who sits at a browser.
type Person struct {
	Account id.AccountID
	Email   string
	Session string // any secret that lasts as long as the session; the consent form is bound to it
	Theme   string // "light", "dark" or "" for the device's
}

// Workspace is one that a person may let a client into.
type Workspace struct {
	ID   id.WorkspaceID
	Name string
	Role string // the person's, such as "viewer"
}

// People tells who sits at the browser. It is asked on /authorize only.
type People interface {
	// Person returns who is signed in, and false when nobody is.
	Person(*http.Request) (Person, bool)
	// SignIn sends the browser to the sign-in page, from where it comes back
	// to the address of the request.
	SignIn(http.ResponseWriter, *http.Request)
	// Workspaces lists those that the account is a member of, the one that it
	// works in first.
	Workspaces(*http.Request, id.AccountID) ([]Workspace, error)
}

// Pages renders what people see. The package sends the status and the headers.
type Pages interface {
	Consent(context.Context, io.Writer, Consent) error
	Problem(context.Context, io.Writer, Problem) error
}

// Event is one line for the record.
type Event struct {
	Name      string // such as "grant.allowed"
	Account   id.AccountID
	Workspace id.WorkspaceID
	Client    id.ClientID
	Grant     id.GrantID
	Denied    bool // somebody was turned away and the grant was taken back
}

// The names of events.
const (
	ClientRegistered = "client.registered"
	GrantAllowed     = "grant.allowed"
	GrantDenied      = "grant.denied"
	GrantRevoked     = "grant.revoked"
	CodeReused       = "grant.code_reuse"    // a used code was presented again; the grant is revoked
	RefreshReused    = "grant.refresh_reuse" // an old refresh token was presented; the grant is revoked
	TokenCreated     = "token.created"
	TokenRotated     = "token.rotated"
	TokenRevoked     = "token.revoked"
)

// Options is what a Server is made from.
type Options struct {
	DB      *db.DB
	Log     *slog.Logger
	BaseURL string          // public origin without a final slash; the issuer
	Name    string          // of the product, for metadata; "" = Tectonic
	Plates  []Plate         // the first is the flagship, for the root documents
	Scopes  []Scope         // recognised and offered, in the order of the consent page
	Secret  []byte          // SESSION_SECRET, at least 64 bytes; refresh tokens and consent forms depend on it
	Key     *rsa.PrivateKey // signs access tokens; see ParseKey and NewKey
	Grace   time.Duration   // in which the last refresh token gets its successor again; 0 = strict

	Redirects Redirects // where codes may be sent; see ParseRedirects
	CIMD      bool      // whether a client_id may be the URL of a metadata document
	CIMDHosts []string  // hosts or host:port that may be private and may use another port than 443, for tests

	People People
	Pages  Pages
	// Record appends the event inside the transaction of its change.
	Record func(context.Context, *db.Tx, Event) error
	// Trouble is told which setting refused what, such as the redirect of a
	// registration, so that the owner can be told; nil tells nobody.
	Trouble func(setting, what string)
	// Address returns the client's network address, for limits; nil takes
	// RemoteAddr.
	Address func(*http.Request) string
}

// Server is the authorization server and the verifier of its tokens. It is
// safe for concurrent use.
type Server struct {
	o         Options
	scopes    []string
	keys      keys
	documents *documents
	throttle  *throttle
	uses      uses
}

// New returns a Server, or an error that names the option that is wrong.
func New(o Options) (*Server, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("set up the authorization server: %w", err)
	}
	o.Log, o.Name = cmp.Or(o.Log, slog.Default()), cmp.Or(o.Name, "Tectonic")
	if o.Trouble == nil {
		o.Trouble = func(string, string) {}
	}
	if o.Address == nil {
		o.Address = func(r *http.Request) string { return r.RemoteAddr }
	}
	s := &Server{o: o, throttle: newThrottle(o.DB.Now), documents: newDocuments(o)}
	for _, scope := range o.Scopes {
		s.scopes = append(s.scopes, scope.Name)
	}
	keys, err := newKeys(o.Key, o.Secret)
	if err != nil {
		return nil, fmt.Errorf("set up the authorization server: %w", err)
	}
	s.keys = keys
	return s, nil
}

func (o Options) check() error {
	switch {
	case o.DB == nil || o.People == nil || o.Pages == nil || o.Record == nil:
		return errors.New("DB, People, Pages and Record must be set")
	case o.BaseURL == "" || strings.HasSuffix(o.BaseURL, "/"):
		return fmt.Errorf("the public base URL %q must be an origin without a final slash", o.BaseURL)
	case len(o.Plates) == 0 || len(o.Scopes) == 0:
		return errors.New("there must be a plate and a scope")
	case len(o.Secret) < 64:
		return fmt.Errorf("the session secret has %d bytes and needs 64", len(o.Secret))
	}
	return nil
}

// Route is one address of the protocol.
type Route struct {
	Pattern string // for http.ServeMux
	Browser bool   // a page: session and cross-site checks belong in front of it, and nowhere else
	Handler http.Handler
}

// Routes returns the addresses to serve on the public origin.
func (s *Server) Routes() []Route {
	protocol := func(pattern string, h http.HandlerFunc) Route {
		return Route{Pattern: pattern, Handler: h}
	}
	routes := []Route{
		protocol("GET /.well-known/oauth-protected-resource", s.resourceDocument),
		protocol("GET /.well-known/oauth-protected-resource/{path...}", s.resourceDocument),
		protocol("GET /jwks", s.keySet),
		protocol("POST /register", s.register),
		protocol("POST /token", s.token),
		protocol("POST /revoke", s.revoke),
		protocol("POST /introspect", s.introspect),
		{Pattern: "GET /authorize", Browser: true, Handler: http.HandlerFunc(s.authorize)},
		{Pattern: "POST /authorize", Browser: true, Handler: http.HandlerFunc(s.decide)},
	}
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
		routes = append(routes, protocol("GET "+path, s.serverDocument), protocol("GET "+path+"/{path...}", s.serverDocument))
	}
	for _, r := range slices.Clone(routes) {
		if method, path, _ := strings.Cut(r.Pattern, " "); !r.Browser {
			routes = append(routes, protocol("OPTIONS "+path, preflight(method)))
		}
	}
	return routes
}

// Handler serves all routes; a product with sessions mounts Routes instead.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, r := range s.Routes() {
		mux.Handle(r.Pattern, r.Handler)
	}
	return mux
}

// Audience returns the address of the plate as tokens and metadata name it.
func (s *Server) Audience(p Plate) string { return s.o.BaseURL + p.Path }

func (s *Server) plate(name string) (Plate, bool) {
	i := slices.IndexFunc(s.o.Plates, func(p Plate) bool { return p.Name == name })
	if i < 0 {
		return Plate{}, false
	}
	return s.o.Plates[i], true
}

// known returns the plates among names, in the order of the product.
func (s *Server) known(names []string) []string {
	var list []string
	for _, p := range s.o.Plates {
		if slices.Contains(names, p.Name) {
			list = append(list, p.Name)
		}
	}
	return list
}

// write runs fn in a transaction and appends the event in it.
func (s *Server) write(ctx context.Context, fn func(*db.Tx) (Event, error)) error {
	return s.o.DB.Write(ctx, func(tx *db.Tx) error {
		e, err := fn(tx)
		if err != nil || e.Name == "" {
			return err
		}
		return s.o.Record(ctx, tx, e)
	})
}
