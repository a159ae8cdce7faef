//go:build conformance

package app

import (
	"net/http"

	"tectonic/internal/transport/mcp"
	"tectonic/internal/transport/mcp/conformance"
)

func init() {
	mountFixture = func(a *App, root *http.ServeMux) {
		c := a.Config.MCP
		root.Handle(conformance.Path, conformance.Door(a.log, mcp.HTTPOptions{
			BaseURL: a.Config.BaseURL(), Hosts: c.Hosts, Origins: c.Origins, Scopes: c.Scopes,
			Challenge: c.Challenge, MaxBody: c.MaxBody, Rates: a.rates, Denied: a.deniedToken, Trouble: a.Troubles.add, Stopping: a.draining,
		}))
	}
}
