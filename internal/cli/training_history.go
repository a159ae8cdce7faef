package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"tectonic/internal/bedrock/fault"
)

func (p *program) historyImport() *cobra.Command {
	var ws int64
	var dry, dayFirst bool
	var names string
	said := map[string]*string{"format": new(string), "unit": new(string), "time_zone": new(string)}
	c := &cobra.Command{
		Use: "import FILE", Short: "Import the training that another app exported", Args: one("the file to read"),
		Long: "Import the export of Strong, Hevy or FitNotes, or a table with the columns date, exercise, weight, unit, reps, seconds, rpe, type, note, workout and workout_notes.\n" +
			"With --dry-run it says what the file would bring, what each movement would be called and which weights change. --map names a JSON file such as {\"Squat (Barbell)\": \"Back Squat\", \"Running\": \"\"}; a blank name leaves the movement out.",
		Example: "  tectonic training history import --dry-run --unit kg strong.csv\n  tectonic training history import --unit kg --map names.json strong.csv",
		RunE: func(c *cobra.Command, files []string) error {
			args := map[string]any{"file_name": filepath.Base(files[0])}
			for name, value := range said {
				if *value != "" {
					args[name] = *value
				}
			}
			if c.Flags().Changed("day-first") {
				args["day_first"] = dayFirst
			}
			mapped, err := namesFrom(names)
			if err != nil {
				return err
			}
			args["names"] = mapped
			tool := "import_history"
			if dry {
				tool = "preview_history_import"
			}
			return p.fileCommand(c, ws, tool, args, files[0])
		},
	}
	workspaceFlag(c, &ws)
	c.Flags().StringVar(said["format"], "format", "", "strong, hevy, fitnotes or csv (default: by its columns)")
	c.Flags().StringVar(said["unit"], "unit", "", "kg or lb, where the file does not say")
	c.Flags().StringVar(said["time_zone"], "time-zone", "", "zone of times without one (default: the workspace's)")
	c.Flags().BoolVar(&dayFirst, "day-first", false, "read 03/04/2026 as the third of April (false: as March 4)")
	c.Flags().StringVar(&names, "map", "", "JSON file: the file's name of a movement to the name here")
	c.Flags().BoolVar(&dry, "dry-run", false, "only say what the file would bring")
	return c
}

// namesFrom reads the file of names.
func namesFrom(path string) ([]map[string]string, error) {
	list := []map[string]string{}
	if path == "" {
		return list, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.BadArgument("Cannot read %s: there is no such file, or it may not be opened.", path).Because(err)
	}
	var names map[string]string
	if err := json.Unmarshal(text, &names); err != nil {
		return nil, fault.BadArgument("%s is not a JSON object of names, such as {\"Squat (Barbell)\": \"Back Squat\"}.", path).Because(err)
	}
	froms := make([]string, 0, len(names))
	for from := range names {
		froms = append(froms, from)
	}
	slices.Sort(froms)
	for _, from := range froms {
		list = append(list, map[string]string{"from": from, "to": names[from]})
	}
	return list, nil
}

func (p *program) historyUndo() *cobra.Command {
	var ws int64
	c := &cobra.Command{
		Use: "undo IMPORT", Short: "Remove the training that one import brought", Args: one("the number of the import"),
		Example: "  tectonic training history undo 3",
		RunE: func(c *cobra.Command, ids []string) error {
			id, err := strconv.ParseInt(ids[0], 10, 64)
			if err != nil {
				return fault.BadArgument("%q is not the number of an import.", ids[0])
			}
			return p.gateCommand(c, ws, "undo_history_import", map[string]any{"history_import_id": id})
		},
	}
	workspaceFlag(c, &ws)
	return c
}
