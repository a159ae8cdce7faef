package pages

import (
	"context"
	"net/http"
	"os"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/web"
)

// The addresses that other pages lead to.
const (
	homePath     = "/"
	signInPath   = "/login"
	signUpPath   = "/create-account"
	welcomePath  = "/welcome"
	aboutPath    = "/about"
	settingsPath = "/settings"
	joinPath     = "/join/"

	workspacePath     = "/workspace"
	invitesPath       = workspacePath + "/invites"
	deleteAccountPath = "/settings/delete-account"
	exportPath        = "/settings/export"

	connectionsPath = "/connections" // of the programs that act for people
	tokensPath      = "/settings/tokens"
)

// Deps is what the pages stand on.
type Deps struct {
	Accounts *account.Service
	SignUp   account.SignUp // whether the pages offer to create an account; zero = open
	Version  string         // of the product, for about and settings; may be empty
	Contact  string         // e-mail address of the person who runs the server; may be empty
	Address  string         // public origin that links to send begin with

	// Export writes everything of the caller's workspace into the file.
	Export func(ctx context.Context, who contract.Caller, file *os.File) error
}

// Nav returns the entries of bedrock's part of the rail.
func Nav() []web.Item {
	return []web.Item{
		{Key: "workspace", Title: "Workspace", Href: workspacePath},
		{Key: "settings", Title: "Settings", Href: settingsPath},
		{Key: "about", Title: "About", Href: aboutPath},
	}
}

// Routes returns the pages.
func Routes(d Deps) []web.Route {
	p := pages{Deps: d, exports: make(exporting, exportsMax)}
	return []web.Route{
		{Pattern: "GET /welcome", Handler: web.Handle(p.welcome)},
		{Pattern: "GET /about", Handler: web.Handle(p.about)},
		{Pattern: "GET /create-account", Handler: web.Handle(p.signUpForm)},
		{Pattern: "POST /create-account", Handler: web.Handle(p.signUp)},
		{Pattern: "GET /login", Handler: web.Handle(p.signInForm)},
		{Pattern: "POST /login", Handler: web.Handle(p.signIn)},
		{Pattern: "POST /logout", Handler: web.Handle(signOut)},
		{Pattern: "GET /join/{token}", Handler: web.Handle(p.joinForm)},
		{Pattern: "POST /join/{token}", Handler: web.Member(p.join)},
		{Pattern: "GET /workspace", Handler: web.Member(p.workspace)},
		{Pattern: "POST /workspace", Handler: web.Member(switchWorkspace)},
		{Pattern: "POST /workspace/settings", Handler: web.Member(p.changeWorkspace)},
		{Pattern: "POST /workspace/new", Handler: web.Member(p.newWorkspace)},
		{Pattern: "POST /workspace/invites", Handler: web.Member(p.invite)},
		{Pattern: "POST /workspace/invites/{id}/revoke", Handler: web.Member(p.revokeInvite)},
		{Pattern: "POST /workspace/members/{id}/role", Handler: web.Member(p.changeRole)},
		{Pattern: "GET /workspace/members/{id}/remove", Handler: web.Member(p.askRemove)},
		{Pattern: "POST /workspace/members/{id}/remove", Handler: web.Member(p.remove)},
		{Pattern: "GET /workspace/leave", Handler: web.Member(p.askLeave)},
		{Pattern: "POST /workspace/leave", Handler: web.Member(p.leave)},
		{Pattern: "GET /workspace/delete", Handler: web.Member(p.askDeleteWorkspace)},
		{Pattern: "POST /workspace/delete", Handler: web.Member(p.deleteWorkspace)},
		{Pattern: "GET /settings", Handler: web.Member(p.settings)},
		{Pattern: "POST /settings/password", Handler: web.Member(p.changePassword)},
		{Pattern: "GET /settings/export", Handler: web.Member(p.exportForm)},
		{Pattern: "GET /settings/export/all.zip", Handler: web.Stream(web.Member(p.export))},
		{Pattern: "GET /settings/delete-account", Handler: web.Member(p.askDeleteAccount)},
		{Pattern: "POST /settings/delete-account", Handler: web.Member(p.deleteAccount)},
	}
}

type pages struct {
	Deps
	exports exporting
}

// offersSignUp reports whether a visitor can create an account without help.
func (p pages) offersSignUp() bool { return p.SignUp == "" || p.SignUp == account.SignUpOpen }

// door says over which door the request changes an account.
func door(r *http.Request) account.Door {
	return account.Door{Transport: contract.OverWeb, Correlator: web.Reference(r), Address: r.RemoteAddr}
}

// homeWhenSignedIn sends people who are signed in past the door.
func homeWhenSignedIn(w http.ResponseWriter, r *http.Request) bool {
	if _, signedIn := web.IdentityOf(r); !signedIn {
		return false
	}
	web.Redirect(w, r, web.Next(r, homePath))
	return true
}
