package web

import "net/http"

// Route is one address that a package of pages serves. Pages hand their routes
// over as data, so that tests can visit every one of them.
type Route struct {
	Pattern string // as http.ServeMux reads it: "GET /workouts/{id}"
	Handler http.Handler
}
