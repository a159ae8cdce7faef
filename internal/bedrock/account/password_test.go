package account

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/alexedwards/argon2id"
	"github.com/google/go-cmp/cmp"
)

func TestPasswordLengthIsCountedInCharacters(t *testing.T) {
	t.Parallel()
	for _, length := range []int{10, 256} {
		if err := checkPassword(strings.Repeat("é", length), "password"); err != nil {
			t.Errorf("%d characters: %v", length, err)
		}
	}
}

// The hash of nobody costs what every other one does, and can be read.
func TestNobodyCostsTheSame(t *testing.T) {
	t.Parallel()
	params, _, _, err := argon2id.DecodeHash(nobody)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(cost, params); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestHashingGivesUpWithTheRequest(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 { // select takes either case at random while a place is free
		if _, err := hash(ctx, password); errors.Is(err, context.Canceled) {
			return
		}
	}
	t.Error("hashes were computed for nobody")
}
