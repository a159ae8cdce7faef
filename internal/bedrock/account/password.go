package account

import (
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"tectonic/internal/bedrock/fault"
)

// The length of a password in characters.
const (
	PasswordMin = 10
	PasswordMax = 256
)

// cost is argon2id with 64 MiB of memory, one pass and two lanes.
var cost = &argon2id.Params{Memory: 64 << 10, Iterations: 1, Parallelism: 2, SaltLength: 16, KeyLength: 32}

// computing holds a place for each hash that may be computed at once.
var computing = make(chan struct{}, 2)

// nobody is the hash that an unknown address is compared with, so that its
// answer takes as long as a wrong password.
var nobody = sync.OnceValues(func() (string, error) { return hash("a password that nobody has") })

func hash(password string) (string, error) {
	computing <- struct{}{}
	defer func() { <-computing }()
	h, err := argon2id.CreateHash(password, cost)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return h, nil
}

func matches(password, hashed string) (bool, error) {
	computing <- struct{}{}
	defer func() { <-computing }()
	ok, err := argon2id.ComparePasswordAndHash(password, hashed)
	if err != nil {
		return false, fmt.Errorf("compare password: %w", err)
	}
	return ok, nil
}

// checkPassword refuses a password that is too short or too long; name is the
// field of the form.
func checkPassword(password, name string) error {
	switch n := utf8.RuneCountInString(password); {
	case n < PasswordMin:
		return fault.BadArgument("A password needs at least %d characters; this one has %d.", PasswordMin, n).At(name)
	case n > PasswordMax:
		return fault.BadArgument("A password has at most %d characters; this one has %d.", PasswordMax, n).At(name)
	}
	return nil
}
