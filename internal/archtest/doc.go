// Package archtest holds the rules of the repository as tests: who may import
// whom, where third-party libraries live, one package document each, tools and
// their files, words that the product does not use.
//
// It is a statement of policy. The sources are parsed with go/parser rather
// than listed by the go command, whose answers are served from the test cache.
package archtest
