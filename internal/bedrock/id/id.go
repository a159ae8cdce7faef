package id

import (
	"crypto/rand"
	"encoding/base32"
	"strings"

	"github.com/google/uuid"
)

// AccountID names a person who can sign in.
type AccountID int64

// WorkspaceID names the tenant: everything a plate stores belongs to one.
type WorkspaceID int64

// ClientID names a connected program that acts for an account. Zero is none.
type ClientID int64

// GrantID names what an account allowed a client to do. Zero is none.
type GrantID int64

var lower = base32.NewEncoding(strings.ToLower("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")).WithPadding(base32.NoPadding)

// Ref returns a new reference of a record row: "rf_" and 26 base32 characters
// that hold 128 random bits.
func Ref() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: crypto/rand aborts the process instead
	return "rf_" + lower.EncodeToString(b[:])
}

// UID returns a new UUIDv7 in its text form: unique anywhere, ordered by time.
func UID() string {
	return uuid.Must(uuid.NewV7()).String()
}

// Token returns n random bytes as lower-case base32, for secrets that are
// shown once and stored as a hash.
func Token(n int) string {
	b := make([]byte, n)
	rand.Read(b)
	return lower.EncodeToString(b)
}
