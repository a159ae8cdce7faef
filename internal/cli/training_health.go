package cli

import (
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"tectonic/internal/bedrock/fault"
)

func (p *program) healthImport() *cobra.Command {
	var ws int64
	var dry, replace bool
	said := map[string]*string{"format": new(string), "source": new(string), "unit": new(string), "time_zone": new(string)}
	c := &cobra.Command{
		Use: "import FILE", Short: "Import a file of scale readings", Args: one("the file to read"),
		Example: "  tectonic training health import --source Body+ weights.csv\n  tectonic training health import --dry-run apple_health_export.zip",
		RunE: func(c *cobra.Command, files []string) error {
			args := map[string]any{"file_name": filepath.Base(files[0]), "dry_run": dry, "replace": replace}
			for name, value := range said {
				if *value != "" {
					args[name] = *value
				}
			}
			return p.fileCommand(c, ws, "import_health", args, files[0])
		},
	}
	workspaceFlag(c, &ws)
	c.Flags().StringVar(said["format"], "format", "", "withings, garmin, apple_health, csv or json (default: by its beginning)")
	c.Flags().StringVar(said["source"], "source", "", "name of the instrument, where the file names none")
	c.Flags().StringVar(said["unit"], "unit", "", "kg or lb, where the file does not say")
	c.Flags().StringVar(said["time_zone"], "time-zone", "", "zone of times without one (default: the workspace's)")
	c.Flags().BoolVar(&dry, "dry-run", false, "only count")
	c.Flags().BoolVar(&replace, "replace", false, "let values of the file win over stored ones")
	return c
}

func (p *program) healthUndo() *cobra.Command {
	var ws int64
	c := &cobra.Command{
		Use: "undo IMPORT", Short: "Remove the readings of one import", Args: one("the number of the import"),
		Example: "  tectonic training health undo 3",
		RunE: func(c *cobra.Command, ids []string) error {
			id, err := strconv.ParseInt(ids[0], 10, 64)
			if err != nil {
				return fault.BadArgument("%q is not the number of an import.", ids[0])
			}
			return p.gateCommand(c, ws, "undo_health_import", map[string]any{"import_id": id})
		},
	}
	workspaceFlag(c, &ws)
	return c
}
