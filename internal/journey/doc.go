// Package journey drives the product in a real Chromium, as a newcomer would:
// on a phone and at a desk, in light and in dark, with script and without.
// Its tests need Debian's chromium and the npm packages of web/, so they have
// the build tag browser; `make test` runs them.
//
// With SHOTS set to a folder they also leave screenshots there; the pictures
// in docs/images come from `make pictures`.
package journey
