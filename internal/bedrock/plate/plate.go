package plate

import (
	"archive/zip"
	"context"
	"log/slog"
	"time"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/web"
)

// Plate is what a plate hands in. Only Name and Title are required.
type Plate struct {
	Name         string   // "training"; part of tool names, addresses and tables
	Title        string   // "Training"
	MCPPath      string   // "/mcp"
	Instructions string   // what an assistant is told when it connects
	Scopes       []string // the vocabulary of its grants
	Tools        []contract.Tool
	Migrations   db.Line
	// Setup loads the plate's standing data. It runs after every migration,
	// under the migration lock, and changes nothing the second time.
	Setup func(context.Context, *db.Tx) error
	// Sweep deletes what is over in all workspaces and returns how many rows
	// that were. It runs every hour, on several nodes at once. nil = nothing.
	Sweep func(context.Context) (int64, error)
	// Export writes everything that the plate keeps of a workspace into an
	// archive, under names that begin with the plate's and a slash. It reads
	// one snapshot and holds no more than a row in memory. nil = nothing.
	Export func(context.Context, *db.Tx, id.WorkspaceID, *zip.Writer) error
	// Demo writes what a demo account starts with, through the gate; today is
	// the account's. nil = nothing.
	Demo  func(ctx context.Context, who contract.Caller, today dbtype.Date) error
	Pages []web.Route
	Nav   web.Section
}

// Bed is what a plate stands on.
type Bed struct {
	DB       *db.DB
	Gate     *gate.Gate
	Accounts *account.Service
	Log      *slog.Logger
	Now      func() time.Time
	BaseURL  string       // what links that leave the site begin with
	Uploads  *web.Uploads // files that wait between the preview of an import and the import
}
