package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/plates/training"
)

// The commands of the training plate are safe to run on every deploy: none of
// them changes a row that it did not make in the same run.
func (p *program) training() *cobra.Command {
	return group("training", "Load the library, write a block, generate its weeks, import readings and past training",
		group("library", "The built-in movements", p.libraryLoad()),
		group("program", "Blocks", p.programSeed(), p.programGenerate()),
		group("health", "Scale readings", p.healthImport(), p.healthUndo()),
		group("history", "Training from other apps", p.historyImport(), p.historyUndo()),
		p.trainingExport(),
	)
}

func (p *program) libraryLoad() *cobra.Command {
	return &cobra.Command{
		Use: "load", Short: "Add the built-in movements that are missing", Args: none,
		Example: "  tectonic training library load\n  tectonic training library load --data ./data",
		RunE: func(c *cobra.Command, _ []string) error {
			// Migrating loads the movements too; this command counts them, so
			// it brings the tables up to date without the standing data.
			a, err := p.create(c)
			if err != nil {
				return err
			}
			defer a.Close()
			if err := a.DB.Migrate(c.Context(), a.Lines(), nil); err != nil {
				return err
			}
			created, present, err := training.LoadLibrary(c.Context(), a.DB)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.Stdout, "Library exercises: %d created, %d already present\n", created, present)
			return err
		},
	}
}

func (p *program) programSeed() *cobra.Command {
	var ws int64
	var start string
	c := &cobra.Command{
		Use: "seed", Short: "Write Block 0, once", Args: none,
		Example: "  tectonic training program seed\n  tectonic training program seed --start 2026-03-02",
		RunE: func(c *cobra.Command, _ []string) error {
			args := map[string]any{}
			if start != "" {
				args["start"] = start
			}
			return p.gateCommand(c, ws, "seed_program", args)
		},
	}
	workspaceFlag(c, &ws)
	c.Flags().StringVar(&start, "start", "", "first day of week 1 (default Monday of this week)")
	return c
}

func (p *program) programGenerate() *cobra.Command {
	var ws, program, week int64
	c := &cobra.Command{
		Use: "generate", Short: "Turn a week of a block into sessions", Args: none,
		Example: "  tectonic training program generate\n  tectonic training program generate --program 1 --week 2",
		RunE: func(c *cobra.Command, _ []string) error {
			return p.withCaller(c, ws, func(ctx context.Context, a *app.App, who contract.Caller) error {
				return p.generate(ctx, a, who, program, week)
			})
		},
	}
	workspaceFlag(c, &ws)
	c.Flags().Int64Var(&program, "program", 0, "id of the block (default: the first)")
	c.Flags().Int64Var(&week, "week", 0, "number of the week (default: the one today falls in)")
	return c
}

func (p *program) generate(ctx context.Context, a *app.App, who contract.Caller, program, week int64) error {
	if program == 0 {
		first, err := training.FirstProgram(ctx, a.DB, who.Workspace)
		if err != nil {
			return err
		}
		if program = first; program == 0 {
			return fault.Refuse("No program to generate. Run training program seed first.")
		}
	}
	args := map[string]any{"program_id": program}
	if week != 0 {
		args["week"] = week
	}
	wire, err := callTraining(ctx, a, who, "generate_program_week", args)
	if err != nil {
		return err
	}
	lines, err := training.GeneratedLines(wire)
	if err != nil {
		return err
	}
	for _, line := range lines {
		fmt.Fprintln(p.Stdout, line)
	}
	return nil
}

// gateCommand calls a tool and prints its text.
func (p *program) gateCommand(c *cobra.Command, ws int64, tool string, args map[string]any) error {
	return p.fileCommand(c, ws, tool, args, "")
}

// fileCommand calls a tool that takes a file, "" for none, and prints its text.
func (p *program) fileCommand(c *cobra.Command, ws int64, tool string, args map[string]any, path string) error {
	return p.withCaller(c, ws, func(ctx context.Context, a *app.App, who contract.Caller) error {
		text, err := json.Marshal(args)
		if err != nil {
			return fmt.Errorf("encode arguments: %w", err)
		}
		request := gate.Request{Plate: "training", Tool: tool, Args: text}
		if path != "" {
			file, done, err := p.attach(path)
			if err != nil {
				return err
			}
			defer done()
			request.File = file
		}
		wire, err := a.Gate.Call(ctx, who, request)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.Stdout, wire.Text)
		return err
	})
}

func (p *program) withCaller(c *cobra.Command, ws int64, do func(context.Context, *app.App, contract.Caller) error) error {
	a, err := p.use(c)
	if err != nil {
		return err
	}
	defer a.Close()
	who, err := operator(c.Context(), a, ws, contract.OverCLI)
	if err != nil {
		return err
	}
	return do(c.Context(), a, who)
}

func callTraining(ctx context.Context, a *app.App, who contract.Caller, tool string, args map[string]any) (contract.Wire, error) {
	text, err := json.Marshal(args)
	if err != nil {
		return contract.Wire{}, fmt.Errorf("encode arguments: %w", err)
	}
	return a.Gate.Call(ctx, who, gate.Request{Plate: "training", Tool: tool, Args: text})
}
