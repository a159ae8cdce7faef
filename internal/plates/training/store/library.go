package store

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/strength"
)

// LoadLibrary adds the built-in movements that are missing and returns how
// many it made and how many were there already. A second load adds nothing.
func LoadLibrary(ctx context.Context, tx *db.Tx) (created, present int, err error) {
	q, at := New(tx), dbtype.At(tx.Now())
	for _, name := range strength.LibraryNames() {
		made, err := q.InsertLibraryExercise(ctx, InsertLibraryExerciseParams{
			Name: name, NameKey: strength.NameKey(name),
			IsBarbell: true, DefaultMeasure: "reps", DefaultIsWeighted: true, CreatedAt: at,
		})
		if err != nil {
			return 0, 0, fmt.Errorf("load the movement %q: %w", name, err)
		}
		created += int(made)
		present += 1 - int(made)
	}
	return created, present, nil
}
