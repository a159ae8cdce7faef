package pages

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth"
	"tectonic/internal/web"
)

// client is a connected program with everything that the reader lets it do: it
// may have been let in more than once.
type client struct {
	oauth.Connection
	grants []id.GrantID
}

// kind says how the program is known.
func (c client) kind() string {
	switch {
	case c.Own:
		return "acts by its own credentials"
	case c.Host != "":
		return "identified by " + c.Host
	case onOwnMachine(c.ReturnHost):
		return "registered itself · on a machine of yours"
	case c.ReturnHost != "":
		return "registered itself · " + c.ReturnHost
	}
	return "registered itself"
}

func onOwnMachine(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	return name == "localhost" || name == "127.0.0.1" || name == "::1"
}

// clients lists the programs of the reader in the workspace, last used first.
func (p *pages) clients(r *http.Request) ([]client, error) {
	who := web.CallerOf(r)
	connections, err := p.Server.Connections(r.Context(), who.Account, who.Workspace)
	if err != nil {
		return nil, err
	}
	var list []client
	for _, c := range connections {
		i := slices.IndexFunc(list, func(known client) bool { return known.ClientUID == c.ClientUID })
		if i < 0 {
			list = append(list, client{Connection: c, grants: []id.GrantID{c.Grant}})
			continue
		}
		list[i].add(c)
	}
	slices.SortStableFunc(list, func(a, b client) int {
		return cmp.Or(b.Used.Compare(a.Used), b.Created.Compare(a.Created))
	})
	return list, nil
}

// add takes in an older grant of the same program.
func (c *client) add(older oauth.Connection) {
	c.grants = append(c.grants, older.Grant)
	c.Plates, c.Scopes = union(c.Plates, older.Plates), union(c.Scopes, older.Scopes)
	c.Created = older.Created
	if older.Used.After(c.Used) {
		c.Used = older.Used
	}
}

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}

// client finds the program that has the grant of the address.
func (p *pages) client(r *http.Request) (client, error) {
	list, err := p.clients(r)
	if err != nil {
		return client{}, err
	}
	i := slices.IndexFunc(list, func(c client) bool { return slices.Contains(c.grants, grantIn(r)) })
	if i < 0 {
		return client{}, noConnection()
	}
	return list[i], nil
}

func noConnection() *fault.Refusal {
	return fault.Missing("You have no such connection in this workspace.").Next("Look at the list under Connections.")
}

type connectionsView struct {
	Deps
	Clients  []client
	Troubles []Trouble
	Admin    bool
	Who      contract.Caller
	At       time.Time
}

func (p *pages) connections(w http.ResponseWriter, r *http.Request) error {
	list, err := p.clients(r)
	if err != nil {
		return err
	}
	who, _ := web.IdentityOf(r)
	view := connectionsView{Deps: p.Deps, Clients: list, Admin: who.Admin, Who: who.Caller, At: p.Now()}
	if who.Admin {
		view.Troubles = p.Troubles()
	}
	return web.Render(w, r, http.StatusOK, connectionsPage(view))
}

func (p *pages) askDisconnect(w http.ResponseWriter, r *http.Request) error {
	c, err := p.client(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, disconnectPage(c))
}

// disconnect ends every grant of the program. A second press of the button
// finds them ended and says the same.
func (p *pages) disconnect(w http.ResponseWriter, r *http.Request) error {
	if _, err := web.Posted(r); err != nil {
		return err
	}
	c, err := p.client(r)
	if refusal := fault.From(err); refusal != nil && refusal.Code == fault.CodeNotFound {
		c, err = client{Connection: oauth.Connection{Name: "The program"}, grants: []id.GrantID{grantIn(r)}}, nil
	}
	if err != nil {
		return err
	}
	for _, g := range c.grants {
		if err := p.endGrant(r, g, noConnection()); err != nil {
			return err
		}
	}
	web.Flash(r.Context(), web.FlashDone, c.Name+" is disconnected. To let it in again, connect it there.")
	web.Redirect(w, r, connectionsPath)
	return nil
}

// endpoint is the address of a plate.
type endpoint struct {
	oauth.Plate
	Origin string
	Server string // what the settings of a program call it
}

func (e endpoint) url() string { return e.Origin + e.Path }

func (d Deps) endpoints() []endpoint {
	var list []endpoint
	for i, p := range d.Plates {
		e := endpoint{Plate: p, Origin: d.Address, Server: "tectonic"}
		if i > 0 {
			e.Server += "-" + p.Name
		}
		list = append(list, e)
	}
	return list
}

// claudeCode returns the commands that add the endpoints.
func (d Deps) claudeCode() string {
	var lines []string
	for _, e := range d.endpoints() {
		lines = append(lines, "claude mcp add --transport http "+e.Server+" "+e.url())
	}
	return strings.Join(lines, "\n")
}

// settingsFile returns the JSON file that a program reads its endpoints from:
// the member that holds them, and what stands in each beside its address.
func (d Deps) settingsFile(member string, more ...string) string {
	const indent = "\n      "
	var servers []string
	for _, e := range d.endpoints() {
		inside := strings.Join(append(more, `"url": "`+e.url()+`"`), ","+indent)
		servers = append(servers, `    "`+e.Server+`": {`+indent+inside+"\n    }")
	}
	return "{\n  \"" + member + "\": {\n" + strings.Join(servers, ",\n") + "\n  }\n}"
}

// cursorReturn is where Cursor asks codes to be sent.
const cursorReturn = "cursor://anysphere.cursor-mcp/oauth/callback"
