package web

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// The lives of a session. They are absolute: a session that is used lives no
// longer, so that reading a page never writes.
const (
	shortLife = 24 * time.Hour
	longLife  = 30 * 24 * time.Hour // with "remember this device"
)

const (
	sessionCookie = "tectonic_session"

	keyAccount   = "account"
	keyWorkspace = "workspace"
	keyEpoch     = "epoch"
	keyFlash     = "flash"
)

// FlashKind says how a flash looks.
type FlashKind string

// The flashes: lime for what was done, amber for what to know about it.
const (
	FlashDone FlashKind = "done"
	FlashNote FlashKind = "changed"
)

type flash struct {
	Kind     FlashKind
	Sentence string
	Undo     string // address of a form that takes it back, "" = none
}

func init() { gob.Register(flash{}) }

func newSessions(o Options) *scs.SessionManager {
	m := scs.New()
	m.Lifetime = shortLife
	m.HashTokenInStore = true
	m.Cookie.Name = sessionCookie
	m.Cookie.Secure = o.Secure
	m.Cookie.Persist = false // RememberMe makes single cookies persistent
	if o.Store != nil {
		m.Store = o.Store
	}
	return m
}

// SignIn starts the session of an account in one of its workspaces, under a
// new token. The session ends when the account's epoch moves on, which is how
// a change of password ends all others. It lives 24 hours, with remember 30
// days.
func SignIn(ctx context.Context, account id.AccountID, workspace id.WorkspaceID, epoch int64, remember bool) error {
	s := visitOf(ctx).site
	if err := s.sessions.RenewToken(ctx); err != nil {
		return fmt.Errorf("start the session of account %d: %w", account, err)
	}
	life := shortLife
	if remember {
		life = longLife
	}
	s.sessions.SetDeadline(ctx, s.o.Now().Add(life).UTC())
	s.sessions.RememberMe(ctx, remember)
	s.sessions.Put(ctx, keyAccount, int64(account))
	s.sessions.Put(ctx, keyWorkspace, int64(workspace))
	s.sessions.Put(ctx, keyEpoch, epoch)
	return nil
}

// SignOut ends the session of the request and removes its cookie.
func SignOut(ctx context.Context) error {
	if err := visitOf(ctx).site.sessions.Destroy(ctx); err != nil {
		return fmt.Errorf("end the session: %w", err)
	}
	return nil
}

// EnterWorkspace makes the workspace the one that the session works in. The
// caller checks first that the account is a member of it.
func EnterWorkspace(ctx context.Context, workspace id.WorkspaceID) {
	visitOf(ctx).site.sessions.Put(ctx, keyWorkspace, int64(workspace))
}

// Flash keeps one sentence for the next page, which shows it once under its
// heading. A refusal is never a flash: it is shown where it happened.
func Flash(ctx context.Context, kind FlashKind, sentence string) {
	if v := visitOf(ctx); v.hasSession(ctx) {
		v.site.sessions.Put(ctx, keyFlash, flash{Kind: kind, Sentence: sentence})
	}
}

// FlashUndo is Flash about something done that can be taken back at once: its
// button posts to the address.
func FlashUndo(ctx context.Context, sentence, address string) {
	if v := visitOf(ctx); v.hasSession(ctx) {
		v.site.sessions.Put(ctx, keyFlash, flash{Kind: FlashDone, Sentence: sentence, Undo: address})
	}
}

// takeFlash returns the flash and forgets it. While a fragment is rendered it
// returns none: the sentence would be lost with the rest of the page.
func takeFlash(ctx context.Context) (flash, bool) {
	v := visitOf(ctx)
	if v.part || !v.hasSession(ctx) {
		return flash{}, false
	}
	f, ok := v.site.sessions.Pop(ctx, keyFlash).(flash)
	return f, ok
}

type sessionKey struct{}

// hasSession reports whether the session middleware has run, without which
// scs panics.
func (v *visit) hasSession(ctx context.Context) bool {
	return ctx.Value(sessionKey{}) != nil
}

// withSession loads the session before the handler and stores it, when it
// changed, before the first byte of the answer.
func (s *Site) withSession(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Cookie")
		token := ""
		if c, err := r.Cookie(sessionCookie); err == nil {
			token = c.Value
		}
		ctx, err := s.sessions.Load(r.Context(), token)
		if err != nil {
			showError(w, r, unreachable(err))
			return
		}
		r = r.WithContext(context.WithValue(ctx, sessionKey{}, true))
		sw := &sessionWriter{ResponseWriter: w, r: r, sessions: s.sessions}
		next.ServeHTTP(sw, r)
		sw.store()
	})
}

// unreachable makes a refusal of a session store that does not answer.
func unreachable(err error) error {
	if r, ok := errors.AsType[*fault.Refusal](err); ok {
		return r
	}
	return fault.NotReachable(fmt.Errorf("read the session: %w", err))
}

// sessionWriter stores a changed session before the header goes out. When
// that fails the answer of the handler is dropped, because it may claim a
// sign-in that did not happen.
type sessionWriter struct {
	http.ResponseWriter
	r              *http.Request
	sessions       *scs.SessionManager
	stored, failed bool
}

func (w *sessionWriter) store() {
	if w.stored {
		return
	}
	w.stored = true
	ctx := w.r.Context()
	switch w.sessions.Status(ctx) {
	case scs.Modified:
		token, expiry, err := w.sessions.Commit(account.OfAccount(ctx, id.AccountID(w.sessions.GetInt64(ctx, keyAccount))))
		if err != nil {
			w.failed = true
			clear(w.Header())
			secure(w.Header(), visitOf(ctx).site.o.Secure)
			showError(w.ResponseWriter, w.r, unreachable(err))
			return
		}
		w.sessions.WriteSessionCookie(ctx, w.ResponseWriter, token, expiry)
	case scs.Destroyed:
		w.sessions.WriteSessionCookie(ctx, w.ResponseWriter, "", time.Time{})
	}
}

func (w *sessionWriter) WriteHeader(status int) {
	w.store()
	if !w.failed {
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *sessionWriter) Write(b []byte) (int, error) {
	w.store()
	if w.failed {
		return len(b), nil
	}
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *sessionWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
