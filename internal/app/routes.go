package app

import (
	"net/http"
	"slices"

	"tectonic/internal/bedrock/account"
	accountpages "tectonic/internal/bedrock/account/pages"
	"tectonic/internal/web"
)

// mount connects every address to its handler. Health checks stand outside
// the site: they have no session and are not in the access log.
func (a *App) mount() (http.Handler, error) {
	pages := http.NewServeMux()
	a.Site.Mount(pages)
	a.routes = accountpages.Routes(accountpages.Deps{Accounts: a.Accounts, SignUp: account.SignUp(a.Config.SignUp), Version: Version, Address: a.Config.BaseURL(), Export: a.Export})
	a.routes = append(append(a.routes, a.connectionPages()...), a.referencePages()...)
	for _, p := range a.Plates {
		a.routes = append(a.routes, p.Pages...)
	}
	for _, r := range a.routes {
		pages.Handle(r.Pattern, r.Handler)
	}
	root := http.NewServeMux()
	if err := a.mountAssistants(root, pages); err != nil {
		return nil, err
	}
	a.mountHealth(root)
	site := a.Site.Handler(pages)
	root.Handle("/", site)
	root.Handle("GET /api", site) // a page, beside the addresses of the API
	root.Handle("GET /api/{$}", http.RedirectHandler("/api", http.StatusMovedPermanently))
	return clientAddress(a.Config.TrustedProxies, root), nil
}

// Routes returns the pages of bedrock and of all plates.
func (a *App) Routes() []web.Route { return slices.Clone(a.routes) }
