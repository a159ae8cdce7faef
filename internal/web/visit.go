package web

import (
	"context"
	"net/http"

	"tectonic/internal/bedrock/contract"
)

// visit is what one request carries to its templates. It is made by the
// outermost middleware and filled by the inner ones; only the goroutine of
// the request touches it.
type visit struct {
	site      *Site
	path      string // path and query of the request, for the way back
	reference string
	pattern   string // of the route, known once the mux has run
	identity  Identity
	signedIn  bool
	left      bool   // the workspace of the session is no longer the account's, so identity has another
	theme     string // "light", "dark" or "" for the system's choice
	part      bool   // a fragment is being rendered: nothing outside it reaches the reader
	base      context.Context
}

type visitKey struct{}

// visitOf returns what the request carries. Without a site around it, as in a
// test of one component, that is a bare site's visit.
func visitOf(ctx context.Context) *visit {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		return v
	}
	o := Options{}
	o.fill()
	return &visit{site: &Site{o: o}}
}

func enter(r *http.Request, v *visit) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
}

// CallerOf returns who the request acts for. Without a session it is the zero
// Caller, which holds no scope. Pages behind RequireLogin always have one.
func CallerOf(r *http.Request) contract.Caller {
	return visitOf(r.Context()).identity.Caller
}

// IdentityOf returns the person behind the request and whether there is one.
func IdentityOf(r *http.Request) (Identity, bool) {
	v := visitOf(r.Context())
	return v.identity, v.signedIn
}

// SessionToken returns the secret of the browser's session, for forms that are
// bound to it; "" when there is none.
func SessionToken(r *http.Request) string {
	c, err := r.Cookie(sessionCookie)
	if err != nil {
		return ""
	}
	return c.Value
}

// Theme returns the colour scheme that the reader chose: light, dark, or ""
// for the device's.
func Theme(r *http.Request) string { return themeOf(r) }

// Reference returns the request id that the log, the record and the error
// page share.
func Reference(r *http.Request) string {
	return visitOf(r.Context()).reference
}

// As returns the request as if who had signed in, for tests of pages that run
// without a session.
func As(r *http.Request, who Identity) *http.Request {
	v := *visitOf(r.Context())
	v.identity, v.signedIn = who, true
	return enter(r, &v)
}
