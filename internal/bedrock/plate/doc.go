// Package plate says what a plate hands to the product and what it gets to
// stand on.
//
// A plate is one vertical piece of the product: tools, pages, tables and the
// rules between them. Plates never import each other; package app lists them
// and connects what they export.
//
// Reason to be a package: the stable contract between every plate and app.
package plate
