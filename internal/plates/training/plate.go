package training

import (
	"context"
	"embed"
	"io/fs"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/plate"
	"tectonic/internal/plates/training/pages"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
)

//go:embed migrations
var migrations embed.FS

const instructions = `Tectonic is a barbell strength-training tracker. Workouts hold sets of an exercise, in the order they are lifted; a planned set is one that is not completed yet, and what was planned stays beside what was done. All weights are whole pounds. Every tool acts only on the connected account's workspace. Health numbers come from instruments and are reported per source.`

// New returns the plate.
func New(bed plate.Bed) plate.Plate {
	return plate.Plate{
		Name: "training", Title: "Training", MCPPath: "/mcp",
		Instructions: instructions,
		Scopes:       []string{"read", "write"},
		Tools:        tools.All(bed.BaseURL),
		Migrations:   db.Line{Name: "training", Postgres: folder("postgres"), SQLite: folder("sqlite")},
		Setup:        setup,
		Sweep:        func(ctx context.Context) (int64, error) { return store.EmptyBin(ctx, bed.DB) },
		Export:       Export,
		Demo: func(ctx context.Context, who contract.Caller, today dbtype.Date) error {
			return demo{bed.Gate, who}.write(ctx, today)
		},
		Pages: pages.Routes(pages.Deps{DB: bed.DB, Gate: bed.Gate, Now: bed.Now, Uploads: bed.Uploads}),
		Nav: web.Section{Plate: "training", Title: "Training", Href: "/", Items: []web.Item{
			{Key: "today", Title: "Today", Href: "/", Tab: "Today", Icon: "today"},
			{Key: "plan", Title: "Blocks", Href: "/programs", Tab: "Plan", Icon: "plan"},
			{Key: "history", Title: "History", Href: "/workouts", Tab: "History", Icon: "history"},
			{Key: "exercises", Title: "Exercises", Href: "/exercises"},
			{Key: "volume", Title: "Volume", Href: "/volume", Tab: "Volume", Icon: "volume"},
			{Key: "goals", Title: "Goals", Href: "/goals"},
			{Key: "import", Title: "Import training", Href: "/import"},
			{Key: "equipment", Title: "Equipment", Href: "/equipment"},
			{Key: "health", Title: "Health", Href: "/health"},
			{Key: "bin", Title: "Bin", Href: "/bin"},
			{Key: "athletes", Title: "People", Href: "/athletes", Several: true},
		}, Settings: []web.Link{{Text: "Training settings", Href: "/settings/training"}}},
	}
}

func folder(engine string) fs.FS {
	f, err := fs.Sub(migrations, "migrations/"+engine)
	if err != nil {
		panic(err) // the path is a constant of this file
	}
	return f
}
