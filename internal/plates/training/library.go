package training

import (
	"context"
	"embed"
	"io/fs"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/plates/training/store"
)

//go:embed migrations
var migrations embed.FS

// Line is the migration line of the plate's tables.
var Line = db.Line{Name: "training", Postgres: folder("migrations/postgres"), SQLite: folder("migrations/sqlite")}

func folder(path string) fs.FS {
	f, err := fs.Sub(migrations, path)
	if err != nil {
		panic(err) // the path is a constant of this file
	}
	return f
}

// Setup loads the plate's standing data, the built-in movements. It runs after
// every migration and changes nothing the second time.
func Setup(ctx context.Context, tx *db.Tx) error {
	_, _, err := store.LoadLibrary(ctx, tx)
	return err
}

// LoadLibrary adds the built-in movements that are missing and returns how
// many it made and how many were there already.
func LoadLibrary(ctx context.Context, d *db.DB) (created, present int, err error) {
	err = d.Write(ctx, func(tx *db.Tx) error {
		created, present, err = store.LoadLibrary(ctx, tx)
		return err
	})
	return created, present, err
}
