package db

import (
	"embed"
	"io/fs"
)

//go:embed migrations
var migrations embed.FS

// Bedrock is the first migration line: the tables that every plate stands on.
var Bedrock = Line{Name: "bedrock", Postgres: folder("migrations/postgres"), SQLite: folder("migrations/sqlite")}

func folder(path string) fs.FS {
	f, err := fs.Sub(migrations, path)
	if err != nil {
		panic(err) // the path is a constant of this file
	}
	return f
}
