// Package ui holds the components that pages are built from: icons, buttons,
// fields, states, messages, tables, empty states, dialogs, paging and figures.
//
// A component is a templ component over a struct of display values. It knows
// no request and no store. Class names are those of the stylesheet in
// web/css; variants are typed constants. A field wires its label, hint and
// error to its control, so that a page cannot forget it.
//
// Owns no tables. Reason to be a package: bedrock and every plate use the
// same parts, and the gallery shows each of them once.
package ui
