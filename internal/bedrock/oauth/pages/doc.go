// Package pages renders what a person sees of the authorization server.
//
// The consent page, and the page that ends a request which cannot be answered,
// are documents of their own: no site layout and no script, so that nothing of
// the site runs where a person hands out access. Connections and personal
// tokens are pages of the site.
//
// A personal token is in the answer to the form that made it and nowhere else:
// not in an address, the session or the log.
//
// Reason to be a package: the server itself must not know the site.
package pages
