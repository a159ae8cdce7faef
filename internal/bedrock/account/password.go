package account

import (
	"context"
	"fmt"
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
// answer takes as long as a wrong password. No password is known to match it.
const nobody = "$argon2id$v=19$m=65536,t=1,p=2$Z+IjZjnqYrC1lk2LYn3ToQ$uk/qhhQzVl1h+ZmeyCjBFwMKbA32nw0IVxyYY7iz4HY"

func hash(ctx context.Context, password string) (hashed string, err error) {
	err = takingTurns(ctx, func() error {
		hashed, err = argon2id.CreateHash(password, cost)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return hashed, nil
}

func matches(ctx context.Context, password, hashed string) (ok bool, err error) {
	err = takingTurns(ctx, func() error {
		ok, err = argon2id.ComparePasswordAndHash(password, hashed)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("compare password: %w", err)
	}
	return ok, nil
}

// takingTurns runs work when there is a place for it, or gives up with ctx: a
// queue of sign-ins must not outlive those who wait in it.
func takingTurns(ctx context.Context, work func() error) error {
	select {
	case computing <- struct{}{}:
		defer func() { <-computing }()
		return work()
	case <-ctx.Done():
		return ctx.Err()
	}
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
