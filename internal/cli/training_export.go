package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training"
)

func (p *program) trainingExport() *cobra.Command {
	var ws int64
	var format, out string
	c := &cobra.Command{
		Use: "export", Short: "Write everything of a workspace into a file", Args: none,
		Long:    "Write workouts with their sets, movements, blocks, goals, readings, the rack and the settings.\njson is one object with a list for each table; csv is a zip with a table in each file.",
		Example: "  tectonic training export --out training.json\n  tectonic training export --format csv --out training.zip",
		RunE: func(c *cobra.Command, _ []string) error {
			if format != "json" && format != "csv" {
				return fault.BadArgument("Format %q is not one of json or csv.", format).At("format")
			}
			return p.withCaller(c, ws, func(ctx context.Context, a *app.App, who contract.Caller) error {
				return p.writeExport(ctx, a, who, format, out)
			})
		},
	}
	workspaceFlag(c, &ws)
	c.Flags().StringVar(&format, "format", "json", "json or csv")
	c.Flags().StringVar(&out, "out", "", "the file to write; it must not exist (default: standard output)")
	return c
}

func (p *program) writeExport(ctx context.Context, a *app.App, who contract.Caller, format, out string) (err error) {
	to := p.Stdout
	if out != "" {
		file, openErr := os.OpenFile(out, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if openErr != nil {
			return fault.BadArgument("Cannot write %s: it exists already, or its folder cannot be written to.", out).At("out").Because(openErr)
		}
		defer func() {
			if err = errors.Join(err, file.Close()); err != nil {
				_ = os.Remove(out) // half an export would pass for a whole one
			}
		}()
		to = file
	}
	err = training.WriteExport(ctx, a.DB, who.Workspace, format, to)
	if err == nil && out != "" {
		fmt.Fprintf(p.Stderr, "Wrote %s\n", out)
	}
	return err
}
