package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// newNames collects the movements that one call makes on its way. It travels
// in the context, since a block names movements three lists deep.
type newNames struct{ names []string }

type newNamesKey struct{}

// noteNew remembers that the call made a movement.
func noteNew(ctx context.Context, name string) {
	if made, ok := ctx.Value(newNamesKey{}).(*newNames); ok {
		made.names = append(made.names, name)
	}
}

// tellingNew lets a tool that names movements say which ones it made: a
// mistyped name makes one too, and nobody would see it otherwise.
func tellingNew[In, Out any](do func(context.Context, *db.Tx, contract.Caller, In) (contract.Answer[Out], error)) func(context.Context, *db.Tx, contract.Caller, In) (contract.Answer[Out], error) {
	return func(ctx context.Context, tx *db.Tx, who contract.Caller, in In) (contract.Answer[Out], error) {
		made := &newNames{}
		answer, err := do(context.WithValue(ctx, newNamesKey{}, made), tx, who, in)
		if err != nil || len(made.names) == 0 {
			return answer, err
		}
		said, err := newSentences(ctx, tx, who, made.names)
		answer.Text += said
		return answer, err
	}
}

// newSentences tells of each movement that was made, with the name that was
// probably meant.
func newSentences(ctx context.Context, tx *db.Tx, who contract.Caller, made []string) (string, error) {
	all, err := store.ExerciseNames(ctx, tx, who.Workspace)
	if err != nil {
		return "", err
	}
	byKey, keys := map[string]string{}, []string{}
	for _, name := range all {
		if !slices.Contains(made, name) {
			key := strength.NameKey(name)
			byKey[key], keys = name, append(keys, key)
		}
	}
	var said strings.Builder
	for _, name := range made {
		fmt.Fprintf(&said, " Made a new exercise \"%s\".", name)
		if near, ok := byKey[contract.Nearest(strength.NameKey(name), keys)]; ok {
			fmt.Fprintf(&said, " Did you mean \"%s\"?", near)
		}
	}
	return said.String(), nil
}
