package web

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
)

// DefaultTimeout is how long a page may take when Options does not say.
const DefaultTimeout = 20 * time.Second

// DefaultBodyLimit is the largest request body in bytes, 1 MiB, when neither
// Options nor the route says otherwise.
const DefaultBodyLimit = 1 << 20

// Options is what a Site is made from. Paths have defaults.
type Options struct {
	Origin    string        // public base URL, such as "https://log.example"; trusted as the origin of forms
	Secure    bool          // the public base URL is https: Secure cookies and HSTS
	Dev       bool          // serves the gallery
	Timeout   time.Duration // deadline of a request; 0 = DefaultTimeout, negative = none
	BodyLimit int64         // bytes; 0 = DefaultBodyLimit
	Log       *slog.Logger  // nil = slog.Default
	Now       func() time.Time

	Store      scs.CtxStore // where sessions are kept; nil = in memory, for tests
	Identities Identities   // who a session stands for; nil = everybody is signed out

	// Denied writes down a request that was turned away before anybody was
	// known. It may be nil.
	Denied func(ctx context.Context, who contract.Caller, r *fault.Refusal)

	// Report hands an unexpected error to an error reporter. It may be nil.
	Report func(ctx context.Context, err error, reference string)

	SignInPath    string // default /login
	SignOutPath   string // default /logout, a form posts to it
	WorkspacePath string // default /workspace; a form posts the field "to" to it
	Home          string // default /

	Sections []Section // the plates of the rail, in order
	Bedrock  []Item    // the entries under the plates: connections, members, settings
	Version  string    // shown on the signed-out pages
}

// Site holds what all pages of one server share. It is made once by New and
// safe for concurrent use.
type Site struct {
	o        Options
	sessions *scs.SessionManager
	cross    *http.CrossOriginProtection
}

// New makes a Site. It panics on an Origin that is not a URL, which is a
// mistake of the program that starts it.
func New(o Options) *Site {
	o.fill()
	s := &Site{o: o, sessions: newSessions(o), cross: http.NewCrossOriginProtection()}
	if o.Origin != "" {
		if err := s.cross.AddTrustedOrigin(o.Origin); err != nil {
			panic("web: public origin " + o.Origin + ": " + err.Error())
		}
	}
	s.cross.SetDenyHandler(Handle(refuseCrossSite))
	return s
}

func (o *Options) fill() {
	setDefault(&o.Timeout, DefaultTimeout)
	setDefault(&o.BodyLimit, DefaultBodyLimit)
	setDefault(&o.SignInPath, "/login")
	setDefault(&o.SignOutPath, "/logout")
	setDefault(&o.WorkspacePath, "/workspace")
	setDefault(&o.Home, "/")
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Mount adds the routes that the site itself serves: the assets, what makes
// it installable, the colour scheme, the list of all entries for phones and, in development, the gallery.
func (s *Site) Mount(mux *http.ServeMux) {
	mux.Handle("GET "+staticPrefix, Static())
	mux.Handle("GET /favicon.ico", http.RedirectHandler(Asset("favicon.svg"), http.StatusFound))
	mux.Handle("GET /manifest.webmanifest", http.HandlerFunc(manifest))
	mux.Handle("GET /sw.js", http.HandlerFunc(s.worker))
	mux.Handle("GET "+offlinePath, Handle(offline))
	mux.Handle("POST "+themePath, Handle(chooseTheme))
	mux.Handle("GET /more", Member(morePage))
	if s.o.Dev {
		mux.Handle("GET /-/gallery", Handle(galleryPage))
	}
}
