// Package pages renders what a person sees of the authorization server: the
// consent page, and a page that ends a request which cannot be answered.
//
// They are documents of their own: no site layout and no script, so that
// nothing of the site runs where a person hands out access.
//
// Reason to be a package: the server itself must not know the site.
package pages
