package app

import (
	"context"
	"crypto/rsa"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth"
	oauthpages "tectonic/internal/bedrock/oauth/pages"
	"tectonic/internal/bedrock/plate"
	"tectonic/internal/bedrock/record"
	"tectonic/internal/transport/api"
	"tectonic/internal/transport/mcp"
	"tectonic/internal/web"
)

// scopes are those of grants, in the words of the consent page.
var scopes = []oauth.Scope{
	{Name: "read", Says: "See what is in the workspace"},
	{Name: "write", Says: "Add to it and change it"},
}

// sessionSecretMin is the least length of SESSION_SECRET in bytes.
const sessionSecretMin = 64

// connect makes the authorization server. A program without secrets, such as
// a command that runs and ends, has none.
func (a *App) connect() error {
	if a.Config.SessionSecret == "" {
		return nil
	}
	if n := len(a.Config.SessionSecret); n < sessionSecretMin {
		return fault.BadArgument("SESSION_SECRET has %d characters and needs %d. Make one with: openssl rand -base64 48", n, sessionSecretMin)
	}
	key, err := a.signingKey()
	if err != nil {
		return err
	}
	redirects, err := oauth.ParseRedirects(a.Config.OAuth.Redirects)
	if err != nil {
		return fault.BadArgument("OAUTH_REDIRECT_URI_ALLOWLIST: %v", err)
	}
	a.OAuth, err = oauth.New(oauth.Options{
		DB: a.DB, Log: a.log, BaseURL: a.Config.BaseURL(), Name: a.Config.MCP.ServerName, Plates: a.endpoints(), Scopes: a.offered(),
		Secret: []byte(a.Config.SessionSecret), Key: key, Grace: a.Config.OAuth.Grace,
		Redirects: redirects, CIMD: a.Config.OAuth.CIMD, CIMDHosts: a.Config.OAuth.CIMDHosts,
		People: people{}, Pages: oauthpages.Pages{}, Record: recordEvent, Trouble: a.Troubles.add,
	})
	return err
}

func (a *App) signingKey() (*rsa.PrivateKey, error) {
	if a.Config.OAuth.PrivateKey == "" {
		return oauth.NewKey() // for as long as the program runs
	}
	key, err := oauth.ParseKey([]byte(strings.ReplaceAll(string(a.Config.OAuth.PrivateKey), `\n`, "\n")))
	if err != nil {
		return nil, fault.BadArgument("OAUTH_JWT_PRIVATE_KEY: %v", err).Because(err)
	}
	return key, nil
}

// endpoints lists the plates that have one, the flagship first.
func (a *App) endpoints() []oauth.Plate {
	var list []oauth.Plate
	for i, p := range a.Plates {
		if p.MCPPath != "" {
			list = append(list, oauth.Plate{Name: p.Name, Title: p.Title, Path: a.endpoint(i), Scopes: a.vocabulary(p)})
		}
	}
	return list
}

// endpoint returns the path of a plate's MCP endpoint; the setting moves the
// flagship's.
func (a *App) endpoint(i int) string {
	if i == 0 {
		return a.Config.MCP.Path
	}
	return a.Plates[i].MCPPath
}

func (a *App) vocabulary(p plate.Plate) []string {
	return slices.DeleteFunc(slices.Clone(p.Scopes), func(s string) bool { return !slices.Contains(a.Config.MCP.Scopes, s) })
}

func (a *App) offered() []oauth.Scope {
	return slices.DeleteFunc(slices.Clone(scopes), func(s oauth.Scope) bool { return !slices.Contains(a.Config.MCP.Scopes, s.Name) })
}

// mountAssistants adds the MCP endpoints and the protocol of the
// authorization server. They read no cookie and stand outside the site.
func (a *App) mountAssistants(root, pages *http.ServeMux) error {
	if a.OAuth == nil {
		return nil
	}
	programs, err := a.api()
	if err != nil {
		return err
	}
	programs.Mount(root)
	for _, route := range a.OAuth.Routes() {
		if route.Browser {
			pages.Handle(route.Pattern, route.Handler)
		} else {
			root.Handle(route.Pattern, route.Handler)
		}
	}
	for i, p := range a.Plates {
		if p.MCPPath == "" {
			continue
		}
		door := a.frontDoor(p, a.endpoint(i))
		root.Handle(a.endpoint(i), door)
		root.Handle(a.endpoint(i)+"/{$}", door) // clients disagree about the slash, and a redirect would lose the body
	}
	mountFixture(a, root)
	return nil
}

// mountFixture adds what only a build for the conformance suite has.
var mountFixture = func(*App, *http.ServeMux) {}

func (a *App) api() (*api.API, error) {
	o := api.Options{
		Gate: a.Gate, BaseURL: a.Config.BaseURL(), Version: Version, Log: a.log, Rates: a.rates,
		Credentials: a.credentials, Denied: a.deniedToken,
	}
	for _, p := range a.Plates {
		tools, _ := a.Gate.Registry(p.Name)
		o.Plates = append(o.Plates, api.Plate{Title: p.Title, Tools: tools})
	}
	return api.New(o)
}

func (a *App) frontDoor(p plate.Plate, path string) http.Handler {
	tools, _ := a.Gate.Registry(p.Name)
	c := a.Config.MCP
	version := c.Version
	if version == "" {
		version = Version
	}
	e := &mcp.Endpoint{
		Gate: a.Gate, Tools: tools, Title: "Tectonic " + p.Title, Name: c.ServerName, Version: version, Instructions: p.Instructions, Log: a.log,
	}
	return mcp.NewFrontDoor(e, mcp.HTTPOptions{
		BaseURL: a.Config.BaseURL(), Path: path, Hosts: c.Hosts, Origins: c.Origins, Scopes: a.vocabulary(p),
		Challenge: c.Challenge, Slow: !c.FastPath, MaxBody: c.MaxBody, Rates: a.rates,
		Credentials: a.credentials, Denied: a.deniedToken, Trouble: a.Troubles.add, Stopping: a.draining,
	})
}

// credentials turns a verified token into the caller of a call: what the grant
// allows, as far as the account's role allows it now.
func (a *App) credentials(ctx context.Context, bearer, plate string) (contract.Caller, time.Time, error) {
	p, err := a.OAuth.Verify(ctx, bearer, plate)
	if err != nil {
		return contract.Caller{}, time.Time{}, err
	}
	role := contract.Role(p.Role)
	allowed := role.Scopes()
	return contract.Caller{
		Account: p.Account, Email: p.Email, Workspace: p.Workspace, WorkspaceName: p.WorkspaceName, Role: role,
		Scopes: slices.DeleteFunc(slices.Clone(p.Scopes), func(s string) bool { return !slices.Contains(allowed, s) }),
		Client: p.Client, ClientName: p.ClientName, Grant: p.Grant, Zone: account.ZoneOrUTC(p.TimeZone),
	}, p.Expires, nil
}

// deniedToken writes down who was turned away at a door for programs.
func (a *App) deniedToken(ctx context.Context, who contract.Caller, claim string, r *fault.Refusal, folded bool) {
	row := record.Row{Ref: id.Ref(), Phase: record.Denial, Event: string(r.Code), Caller: who, Claim: claim, Refusal: r}
	if folded {
		a.Denials.Fold(ctx, row)
		return
	}
	if _, err := a.Denials.Append(ctx, row); err != nil {
		a.log.ErrorContext(ctx, "denial not recorded", "error", fault.Explain(err))
	}
}

// recordEvent appends what the authorization server did, in its transaction.
func recordEvent(ctx context.Context, tx *db.Tx, e oauth.Event) error {
	row := record.Row{
		Ref: id.Ref(), Phase: record.Event, Event: e.Name,
		Caller: contract.Caller{Account: e.Account, Workspace: e.Workspace, Client: e.Client, Grant: e.Grant, Transport: contract.OverWeb},
	}
	if e.Denied {
		row.Phase, row.Refusal = record.Denial, fault.Deny(fault.CodeUnauthenticated, "%s", e.Name)
	}
	return record.Append(ctx, tx, row)
}

// people tells the authorization server who sits at the browser: the person
// of the site's session.
type people struct{}

func (people) Person(r *http.Request) (oauth.Person, bool) {
	who, signedIn := web.IdentityOf(r)
	if !signedIn {
		return oauth.Person{}, false
	}
	return oauth.Person{Account: who.Caller.Account, Email: who.Caller.Email, Session: web.SessionToken(r), Theme: web.Theme(r)}, true
}

func (people) SignIn(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/login?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
}

// Workspaces lists the one that the person works in first.
func (people) Workspaces(r *http.Request, _ id.AccountID) ([]oauth.Workspace, error) {
	who, _ := web.IdentityOf(r)
	var list []oauth.Workspace
	for _, w := range who.Workspaces {
		choice := oauth.Workspace{ID: w.ID, Name: w.Name, Role: string(w.Role)}
		if w.ID == who.Caller.Workspace {
			list = slices.Insert(list, 0, choice)
		} else {
			list = append(list, choice)
		}
	}
	return list, nil
}
