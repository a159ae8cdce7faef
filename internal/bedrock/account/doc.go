// Package account holds people and where they work: accounts, workspaces,
// members, passwords and the rows of browser sessions.
//
// A password is 10 to 256 characters and is stored as argon2id (64 MiB, one
// pass, two lanes); at most two are computed at once, so that a burst of
// sign-ins cannot take the machine's memory. Every failed sign-in answers with
// one sentence after the same work, whether or not the address is known. Five
// failures a minute per account and twenty per address are the limit.
//
// A change of password raises the account's session epoch; sessions that were
// started under an older epoch are signed out.
//
// It owns the tables accounts, workspaces, members and sessions, and appends
// one event to the record in the transaction of each change.
//
// Reason to be a package: authority over these tables.
package account
