package pages

import (
	"net/http"

	"tectonic/internal/web"
)

// welcome says to a visitor what this is.
func (p pages) welcome(w http.ResponseWriter, r *http.Request) error {
	if homeWhenSignedIn(w, r) {
		return nil
	}
	return web.Render(w, r, http.StatusOK, welcomePage(p.offersSignUp(), r.URL.Query().Has("deleted")))
}

func (p pages) about(w http.ResponseWriter, r *http.Request) error {
	_, signedIn := web.IdentityOf(r)
	return web.Render(w, r, http.StatusOK, aboutPageFor(p.Deps, signedIn))
}
