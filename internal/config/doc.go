// Package config reads the product's settings once, at the start, into one
// struct that is handed down as values.
//
// A setting comes from a flag, else from the environment, else from the file
// .env in the working folder, else from its default; an empty value counts as
// unset. One table (settings.go) names them all and also makes .env.example
// and docs/reference/config.md, so the three cannot drift apart.
//
// Imports nothing of ours but the refusals. Reason to be a package: the stable
// contract between the operator and the program.
package config
