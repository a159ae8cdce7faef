package training

import (
	"context"
	"fmt"
	"slices"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// LoadLibrary adds the built-in movements that are missing. It returns how
// many were made and how many were there; a second run makes none.
func LoadLibrary(ctx context.Context, d *db.DB) (created, present int64, err error) {
	err = d.Write(ctx, func(tx *db.Tx) error {
		created, present, err = loadLibrary(ctx, tx)
		return err
	})
	return created, present, err
}

// setup is the standing data of the plate: the library is there before the
// first sign-up.
func setup(ctx context.Context, tx *db.Tx) error {
	_, _, err := loadLibrary(ctx, tx)
	return err
}

// loadLibrary looks before it inserts: an insert that meets its conflict would
// still use up an id, at every start.
func loadLibrary(ctx context.Context, tx *db.Tx) (created, present int64, err error) {
	q := store.New(tx)
	held, err := q.LibraryKeys(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("read the library: %w", err)
	}
	for _, name := range strength.LibraryNames() {
		key := strength.NameKey(name)
		if slices.Contains(held, key) {
			present++
			continue
		}
		n, err := q.InsertLibraryExercise(ctx, store.InsertLibraryExerciseParams{
			Name: name, NameKey: key, IsBarbell: true, DefaultMeasure: "reps", DefaultIsWeighted: true, CreatedAt: dbtype.At(tx.Now()),
		})
		if err != nil {
			return 0, 0, fmt.Errorf("load movement %s: %w", name, err)
		}
		created += n
	}
	return created, present, nil
}
