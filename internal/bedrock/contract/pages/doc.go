// Package pages shows the tools to people who write programs: a reference of
// the JSON API, made from the registries, so that it says what the server does.
//
// Reason to be a package: the contract itself must not know the site.
package pages
