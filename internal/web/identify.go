package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// Identities tells who a session stands for.
type Identities interface {
	// Identity returns the account as it is now in the workspace, or in
	// another of its workspaces when it is no member of that one any more. A
	// refusal of kind Denied or NotFound ends the session: the account is
	// gone, its epoch moved on, or it has no workspace.
	Identity(ctx context.Context, account id.AccountID, workspace id.WorkspaceID, epoch int64) (Identity, error)
}

// Identity is a signed-in person at work in one workspace.
type Identity struct {
	Caller     contract.Caller
	Name       string // as the person wrote it; may be empty
	Admin      bool   // instance administrator
	Workspaces []Workspace
}

// Workspace is one that the account is a member of, for the menu.
type Workspace struct {
	ID   id.WorkspaceID
	Name string
	Role contract.Role
	Zone *time.Location // decides which day it is there
}

// identify turns the session into the caller of the request.
func (s *Site) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, ok, err := s.lookUp(r.Context())
		if err != nil {
			showError(w, r, err)
			return
		}
		v := visitOf(r.Context())
		if ok {
			who.Caller.Transport = contract.OverWeb
			who.Caller.Correlator = v.reference
			who.Caller.Address = r.RemoteAddr
			v.identity, v.signedIn = who, true
			s.noticeLeft(r)
		}
		w.Header().Set(WhoHeader, v.who())
		if s.moveWorkspace(w, r) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *Site) lookUp(ctx context.Context) (Identity, bool, error) {
	account := s.sessions.GetInt64(ctx, keyAccount)
	if account == 0 || s.o.Identities == nil {
		return Identity{}, false, nil
	}
	workspace := s.sessions.GetInt64(ctx, keyWorkspace)
	who, err := s.o.Identities.Identity(ctx, id.AccountID(account), id.WorkspaceID(workspace), s.sessions.GetInt64(ctx, keyEpoch))
	if ends(err) {
		return Identity{}, false, SignOut(ctx)
	}
	return who, err == nil, err
}

// noticeLeft notices that the session worked in a workspace that the account
// left, or that is gone. The session goes on in the one that its identity has;
// CheckWorkspace refuses a change that was meant for the other.
func (s *Site) noticeLeft(r *http.Request) {
	v := visitOf(r.Context())
	now := v.identity.Caller
	if s.sessions.GetInt64(r.Context(), keyWorkspace) == int64(now.Workspace) {
		return
	}
	v.left = true
	EnterWorkspace(r.Context(), now.Workspace)
	if r.Method == http.MethodGet {
		Flash(r.Context(), FlashNote, "You are no longer in the workspace that you worked in. This is "+now.WorkspaceName+".")
	}
}

func ends(err error) bool {
	r, ok := errors.AsType[*fault.Refusal](err)
	return ok && (r.Kind == fault.Denied || r.Kind == fault.NotFound)
}

// moveWorkspace follows a link that names its workspace by ?w=: it enters it
// and goes to the same page without the parameter. A workspace that the
// account does not know is left to the page, which will not find its rows.
func (s *Site) moveWorkspace(w http.ResponseWriter, r *http.Request) bool {
	v := visitOf(r.Context())
	if r.Method != http.MethodGet || !v.signedIn || !r.URL.Query().Has("w") {
		return false
	}
	n, err := strconv.ParseInt(r.URL.Query().Get("w"), 10, 64)
	if err != nil || !v.identity.member(id.WorkspaceID(n)) {
		return false
	}
	if id.WorkspaceID(n) != v.identity.Caller.Workspace {
		EnterWorkspace(r.Context(), id.WorkspaceID(n))
	}
	to, query := *r.URL, r.URL.Query()
	query.Del("w")
	to.RawQuery = query.Encode()
	http.Redirect(w, r, LocalPath(to.RequestURI(), s.o.Home), http.StatusSeeOther)
	return true
}

func (i Identity) member(w id.WorkspaceID) bool {
	for _, own := range i.Workspaces {
		if own.ID == w {
			return true
		}
	}
	return i.Caller.Workspace == w
}

// workspace returns the one of that id, if the account is in it.
func (i Identity) workspace(text string) (Workspace, bool) {
	for _, own := range i.Workspaces {
		if workspaceText(own.ID) == text {
			return own, true
		}
	}
	return Workspace{}, false
}

// MayWrite reports whether the reader of the page may change the workspace.
// Controls that change something are drawn only then.
func MayWrite(ctx context.Context) bool { return visitOf(ctx).identity.Caller.Has("write") }

// Initials returns one or two letters for the account menu.
func (i Identity) Initials() string {
	words := strings.Fields(i.Name)
	if len(words) == 0 {
		words = strings.FieldsFunc(strings.SplitN(i.Caller.Email, "@", 2)[0], func(r rune) bool { return r == '.' || r == '_' || r == '-' })
	}
	out := ""
	for n, w := range words {
		if n == 0 || n == len(words)-1 {
			out += strings.ToUpper(string([]rune(w)[:1]))
		}
	}
	return out
}

// RequireLogin lets only signed-in people through. Others go to the sign-in
// page and come back afterwards; an htmx request makes the whole page go.
func RequireLogin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if v := visitOf(r.Context()); !v.signedIn {
			toSignIn(w, r, v)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// Member is a page for signed-in people: RequireLogin around Handle.
func Member(h Handler) http.Handler { return RequireLogin(Handle(h)) }

// Next returns where to go after the sign-in: the form's or the address's
// "next" when it is a path of this site, else the fallback.
func Next(r *http.Request, fallback string) string {
	return LocalPath(r.FormValue("next"), fallback)
}

// LocalPath returns path when it can only lead to this site, else fallback.
// A browser reads "//host", "/\host" and control characters as ways out.
func LocalPath(path, fallback string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\x00\t\r\n") {
		return fallback
	}
	u, err := url.Parse(path)
	if err != nil || u.Host != "" || u.Scheme != "" {
		return fallback
	}
	return path
}

// Redirect answers a finished form: 303 to the page to look at next. An htmx
// request gets the same as a whole page load.
func Redirect(w http.ResponseWriter, r *http.Request, to string) {
	if IsHTMX(r) {
		w.Header().Set("HX-Redirect", to)
		w.WriteHeader(http.StatusOK)
		return
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// IsHTMX reports whether the script sent the request, which then swaps a part
// of its page rather than going to another.
func IsHTMX(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }
