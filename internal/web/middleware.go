package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// Handler puts the chain that every page route needs around the routes. The
// assets take a short way: they need no session and no log line.
func (s *Site) Handler(mux *http.ServeMux) http.Handler {
	chain := s.identify(storable(s.route(mux)))
	chain = s.withSession(chain)
	chain = s.cross.Handler(chain)
	chain = s.limit(chain)
	chain = s.recoverPanic(chain)
	chain = s.logAccess(chain)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header(), s.o.Secure)
		if strings.HasPrefix(r.URL.Path, staticPrefix) {
			mux.ServeHTTP(w, r)
			return
		}
		v := &visit{site: s, path: r.URL.RequestURI(), reference: id.Ref(), theme: themeOf(r)}
		w.Header().Set("X-Request-Id", v.reference)
		chain.ServeHTTP(w, enter(r, v))
	})
}

// policy allows what the server itself serves and nothing inline.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// secure sets the headers that every answer carries. Referrer-Policy is not
// no-referrer, since that makes browsers send "Origin: null" with forms.
func secure(h http.Header, https bool) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	if https {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// recoverPanic shows the error page instead of a broken connection.
func (s *Site) recoverPanic(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			showError(w, r, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}()
		next.ServeHTTP(w, r)
	})
}

// limit gives the request a deadline and its body a size.
func (s *Site) limit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visitOf(r.Context()).base = r.Context()
		if s.o.Timeout > 0 {
			ctx, cancel := context.WithTimeout(r.Context(), s.o.Timeout)
			defer cancel()
			r = r.WithContext(ctx)
		}
		r.Body = &limitedBody{ReadCloser: http.MaxBytesReader(w, r.Body, s.o.BodyLimit), whole: r.Body}
		next.ServeHTTP(w, r)
	})
}

// storable refuses an address whose parameters hold bytes that are no text, or
// U+0000: no page can mean them, and a database would fail on them.
func storable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, values := range r.URL.Query() {
			for _, v := range values {
				if !utf8.ValidString(v) || strings.ContainsRune(v, 0) {
					showError(w, r, fault.BadArgument("The address holds characters that are not text.").Next("Type it again."))
					return
				}
			}
		}
		next.ServeHTTP(w, r)
	})
}

// limitedBody keeps the body as it came, for routes that take more.
type limitedBody struct {
	io.ReadCloser
	whole io.ReadCloser
}

// BodyLimit gives one route another size of body, in bytes, than the site's.
func BodyLimit(bytes int64, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if b, ok := r.Body.(*limitedBody); ok {
			r.Body = http.MaxBytesReader(w, b.whole, bytes)
		}
		next.ServeHTTP(w, r)
	})
}

// Stream frees one route from the site's deadline: it runs until the reader
// goes away. Server-sent events need it.
func Stream(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if base := visitOf(r.Context()).base; base != nil {
			r = r.WithContext(endless{Context: r.Context(), base: base})
		}
		next.ServeHTTP(w, r)
	})
}

// endless has the values of one context and the end of another.
type endless struct {
	context.Context
	base context.Context
}

func (e endless) Deadline() (time.Time, bool) { return e.base.Deadline() }
func (e endless) Done() <-chan struct{}       { return e.base.Done() }
func (e endless) Err() error                  { return e.base.Err() }

// refuseCrossSite answers a form that another site posted.
func refuseCrossSite(_ http.ResponseWriter, r *http.Request) error {
	refusal := fault.Deny("cross_site", "That request could not be verified. Reload the page and try again.")
	if v := visitOf(r.Context()); v.site.o.Denied != nil {
		who := contract.Caller{Transport: contract.OverWeb, Correlator: v.reference, Address: r.RemoteAddr}
		v.site.o.Denied(r.Context(), who, refusal)
	}
	return refusal
}

// route runs the mux and shows our own page where the mux has none.
func (s *Site) route(mux *http.ServeMux) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h, pattern := mux.Handler(r)
		if pattern != "" {
			mux.ServeHTTP(w, r)
			visitOf(r.Context()).pattern = r.Pattern
			return
		}
		status := &statusOnly{header: http.Header{}}
		h.ServeHTTP(status, r)
		if allow := status.header.Get("Allow"); allow != "" {
			w.Header().Set("Allow", allow)
		}
		showError(w, r, &missingRoute{status: status.code})
	})
}

// missingRoute is the error of an address or a method that no route has.
type missingRoute struct{ status int }

func (m *missingRoute) Error() string { return fmt.Sprintf("no route: status %d", m.status) }

// statusOnly keeps the status and the headers of an answer and drops its body.
type statusOnly struct {
	header http.Header
	code   int
}

func (s *statusOnly) Header() http.Header         { return s.header }
func (s *statusOnly) WriteHeader(code int)        { s.code = code }
func (s *statusOnly) Write(b []byte) (int, error) { return len(b), nil }

// logAccess writes one line per request. The route's pattern stands for the
// address, so that no ids, queries or personal data reach the log.
func (s *Site) logAccess(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		lw := &loggedWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(lw, r)
		v := visitOf(r.Context())
		s.o.Log.LogAttrs(r.Context(), slog.LevelInfo, "request",
			slog.String("method", r.Method),
			slog.String("route", v.route()),
			slog.Int("status", lw.status),
			slog.Float64("ms", float64(time.Since(start).Microseconds())/1000),
			slog.String("ref", v.reference))
	})
}

func (v *visit) route() string {
	if v.pattern == "" {
		return "none"
	}
	return v.pattern
}

type loggedWriter struct {
	http.ResponseWriter
	status int
	wrote  bool
}

func (w *loggedWriter) WriteHeader(status int) {
	if !w.wrote {
		w.status, w.wrote = status, true
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *loggedWriter) Write(b []byte) (int, error) {
	w.wrote = true
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *loggedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// gone reports whether the reader closed the connection.
func gone(r *http.Request) bool {
	return errors.Is(r.Context().Err(), context.Canceled)
}
