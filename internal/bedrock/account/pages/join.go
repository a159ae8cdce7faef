package pages

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/web"
)

// invite makes a link and shows it, this once.
func (p pages) invite(w http.ResponseWriter, r *http.Request) error {
	if err := posted(r); err != nil {
		return err
	}
	role := contract.Role(r.PostFormValue("role"))
	token, err := p.Accounts.Invite(r.Context(), door(r), web.CallerOf(r), role)
	if err != nil {
		return p.workspaceRefused(w, r, err, func(v *workspaceView, f web.Form) { v.Invite = f })
	}
	return p.showWorkspace(w, r, http.StatusOK, func(v *workspaceView) { v.Link, v.LinkRole = p.Address+joinPath+token, role })
}

func (p pages) revokeInvite(w http.ResponseWriter, r *http.Request) error {
	if err := posted(r); err != nil {
		return err
	}
	if err := p.Accounts.RevokeInvite(r.Context(), door(r), web.CallerOf(r), numberIn(r, "id")); err != nil {
		return p.workspaceRefused(w, r, err, func(v *workspaceView, f web.Form) { v.Invite = f })
	}
	return done(w, r, "The invitation was taken back. Its link does nothing any more.", workspacePath)
}

// joinView is what somebody with a link sees.
type joinView struct {
	account.Invitation
	Token    string
	Email    string // of the reader; "" for nobody
	Member   bool   // the reader is in the workspace already
	SignUp   bool   // the link can be used to create an account
	Sentence string // why the last press of the button was refused
}

// joinForm says where the link leads. A link that does not work gets one
// sentence, whatever the reason.
func (p pages) joinForm(w http.ResponseWriter, r *http.Request) error {
	return p.showJoin(w, r, http.StatusOK, "")
}

func (p pages) showJoin(w http.ResponseWriter, r *http.Request, status int, sentence string) error {
	w.Header().Set("Cache-Control", "no-store")
	who, _ := web.IdentityOf(r)
	found, err := p.Accounts.Invitation(r.Context(), r.PathValue("token"), who.Caller.Account)
	if err != nil {
		return noInvitation(w, r, err)
	}
	v := joinView{
		Invitation: found, Token: r.PathValue("token"), Email: who.Caller.Email, SignUp: p.SignUp != account.SignUpClosed,
		Member: member(who, found.Workspace), Sentence: sentence,
	}
	return web.Render(w, r, status, joinPage(v))
}

// noInvitation shows the refusal of a link; another error is the caller's.
func noInvitation(w http.ResponseWriter, r *http.Request, err error) error {
	refusal, ok := errors.AsType[*fault.Refusal](err)
	if !ok || refusal.Kind != fault.NotFound {
		return err
	}
	_, signedIn := web.IdentityOf(r)
	return web.Render(w, r, http.StatusNotFound, deadLinkPage(refusal.Sentence(), signedIn))
}

func member(who web.Identity, ws id.WorkspaceID) bool {
	for _, own := range who.Workspaces {
		if own.ID == ws {
			return true
		}
	}
	return false
}

// join makes the reader a member and goes there.
func (p pages) join(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	who := web.CallerOf(r)
	joined, err := p.Accounts.Join(r.Context(), door(r), who.Account, r.PathValue("token"))
	if refusal, ok := errors.AsType[*fault.Refusal](err); ok && refusal.Kind != fault.NotFound && refusal.Kind != fault.Unavailable {
		return p.showJoin(w, r, refusal.HTTPStatus(), refusal.Sentence())
	}
	if err != nil {
		return noInvitation(w, r, err)
	}
	web.EnterWorkspace(r.Context(), joined.Workspace)
	return done(w, r, "You joined "+joined.Name+" as "+article(joined.Role)+".", homePath)
}

// inviteIn returns the token of the link that the sign-up came from, "" when
// it came from elsewhere.
func inviteIn(r *http.Request) string {
	token, ok := strings.CutPrefix(web.Next(r, ""), joinPath)
	if !ok || strings.ContainsAny(token, "/?#") {
		return ""
	}
	return token
}

// mayDo says what a role may do, in the words of an invitation.
var mayDo = map[contract.Role]string{
	contract.Viewer: "you see everything in it and change nothing.",
	contract.Member: "you see everything in it and write in it too.",
	contract.Admin:  "you see everything, write in it, and invite people.",
	contract.Owner:  "you can do everything in it.",
}

func workspaceNumber(ws id.WorkspaceID) string { return strconv.FormatInt(int64(ws), 10) }
