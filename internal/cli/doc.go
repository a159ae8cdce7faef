// Package cli is the command line: one file per command.
//
// Main is the whole program but for signals and the exit code, so that tests
// call what people run. Results go to stdout, everything else to stderr. The
// exit codes are those of package fault: 0 done, 1 a fault of ours, 2 wrong
// usage or arguments, 3 refused, 4 not found, 5 conflict, 6 too large, 7
// unavailable; 130 when it was interrupted.
//
// Commands act as the local operator on the database of this machine: whoever
// can run them may do everything. They call the gate like every other door.
package cli
