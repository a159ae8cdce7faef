// Package resilience tests what is left when something breaks: a killed
// server, a full disk, a database that goes away, six nodes that start at
// once. It runs the real binary on real databases and has only tests.
package resilience
