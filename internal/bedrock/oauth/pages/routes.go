package pages

import (
	"net/http"
	"strconv"
	"time"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth"
	"tectonic/internal/web"
)

const (
	connectionsPath = "/connections"
	tokensPath      = "/settings/tokens"
	settingsPath    = "/settings"
	referencePath   = "/api" // of the JSON API
)

// Deps is what the pages of the site stand on.
type Deps struct {
	Server   *oauth.Server
	Plates   []oauth.Plate // that tokens can be for, the flagship first
	Scopes   []oauth.Scope // in the order of the consent page
	Address  string        // origin of the endpoints, without a final slash
	Public   bool          // the owner has said that Address is the public one
	Allows   func(redirect string) bool
	Troubles func() []Trouble // the newest first
	Now      func() time.Time
}

// Trouble is why a program could not connect, and the setting that lets it.
type Trouble struct {
	At    time.Time
	Count int    // times that it happened
	What  string // the host, origin or redirect that is not allowed
	Line  string // NAME=value as the settings would have to say it; "" when nothing can allow it
	Kind  TroubleKind
}

// TroubleKind says what of a program was not allowed.
type TroubleKind string

// The kinds of trouble.
const (
	ByHost     TroubleKind = "host"
	ByOrigin   TroubleKind = "origin"
	ByRedirect TroubleKind = "redirect"
)

// Nav returns the entries of bedrock's part of the rail.
func Nav() []web.Item {
	return []web.Item{{Key: "connections", Title: "Connections", Href: connectionsPath}}
}

// Routes returns the pages of the site.
func Routes(d Deps) []web.Route {
	p := pages{Deps: d, shown: once{now: d.Now}}
	member := func(pattern string, h web.Handler) web.Route {
		return web.Route{Pattern: pattern, Handler: web.Member(h)}
	}
	return []web.Route{
		member("GET /connections", p.connections),
		member("GET /connections/{id}", p.askDisconnect),
		member("POST /connections/{id}", p.disconnect),
		member("GET /settings/tokens", p.tokens),
		member("POST /settings/tokens", p.createToken),
		member("GET /settings/tokens/{id}/rotate", p.askRotate),
		member("POST /settings/tokens/{id}/rotate", p.rotate),
		member("GET /settings/tokens/{id}/revoke", p.askRevoke),
		member("POST /settings/tokens/{id}/revoke", p.revoke),
	}
}

type pages struct {
	Deps
	shown once
}

// grantIn returns the id in the address; 0 stands for none.
func grantIn(r *http.Request) id.GrantID {
	n, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return 0
	}
	return id.GrantID(n)
}

func grantText(g id.GrantID) string { return strconv.FormatInt(int64(g), 10) }

// endGrant takes a grant back. One that the reader does not have, or that is
// not there, is missing in the words of the page.
func (p *pages) endGrant(r *http.Request, g id.GrantID, none *fault.Refusal) error {
	who := web.CallerOf(r)
	err := p.Server.Revoke(r.Context(), who.Account, who.Workspace, g)
	if refusal := fault.From(err); refusal != nil && refusal.Code == fault.CodeNotFound {
		return none
	}
	return err
}
