package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/config"
)

// Process is what a run of the program gets from outside.
type Process struct {
	Args           []string // without the program's name
	Environ        []string
	EnvFile        string // ".env"; "" = none
	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// program is one run: the process and what its flags said.
type program struct {
	Process
	started bool // a command has begun, so an error is not one of usage
}

const exitUsage, exitInterrupted = 2, 130

// Main runs one command and returns the exit code.
func Main(ctx context.Context, p Process) int {
	run := &program{Process: p}
	root := run.root()
	root.SetArgs(joinBooleans(root, p.Args))
	root.SetIn(p.Stdin)
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	return run.failed(ctx, err)
}

// failed says what went wrong on stderr and returns its exit code.
func (p *program) failed(ctx context.Context, err error) int {
	r, refused := errors.AsType[*fault.Refusal](err)
	if refused {
		fmt.Fprintln(p.Stderr, r.Sentence())
	}
	if refused && r.Kind == fault.Unavailable && r.Cause != nil {
		fmt.Fprintln(p.Stderr, "Cause:", fault.Redact(r.Cause.Error()))
	}
	if interrupted(ctx, err) {
		return exitInterrupted
	}
	if refused {
		return r.ExitCode()
	}
	fmt.Fprintln(p.Stderr, "tectonic:", fault.Redact(err.Error()))
	if !p.started {
		return exitUsage
	}
	return 1
}

func (p *program) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "tectonic",
		Short: "Training, written before it is lifted; for you and your assistants",
		Long: `Tectonic keeps data that people and their AI assistants work on together.
This program is all of it: the server, the commands and MCP over stdio.`,
		Example:       "  tectonic serve\n  tectonic call training.get_workout --date today",
		SilenceErrors: true, SilenceUsage: true,
		PersistentPreRun: func(*cobra.Command, []string) { p.started = true },
		Version:          app.Version,
		Args:             oneOfItsCommands,
		RunE:             func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetFlagErrorFunc(explainFlag)
	root.CompletionOptions.HiddenDefaultCmd = true
	for _, s := range config.Settings {
		if s.Flag != "" {
			root.PersistentFlags().String(s.Flag, "", s.Doc)
		}
	}
	root.AddCommand(p.serve(), p.mcp(), p.call(), p.database(), p.training(), p.account(), p.oauth(), p.contract(), p.health(), p.doctor(), p.settings(), p.version())
	return root
}

// config reads the settings with the flags of the command that runs.
func (p *program) config(cmd *cobra.Command) (config.Config, error) {
	flags := map[string]string{}
	cmd.Flags().Visit(func(f *pflag.Flag) { flags[f.Name] = f.Value.String() })
	return config.Load(config.Inputs{Flags: flags, Environ: p.Environ, File: p.EnvFile})
}

// logger writes to w: lines for people on a terminal, JSON elsewhere.
func logger(w io.Writer, tier config.Tier) *slog.Logger {
	if _, ok := terminal(w); ok || !tier.Careful() {
		return slog.New(slog.NewTextHandler(w, nil))
	}
	return slog.New(slog.NewJSONHandler(w, nil))
}

// quiet is the logger of commands: only what needs attention, on stderr.
func (p *program) quiet() *slog.Logger {
	return slog.New(slog.NewTextHandler(p.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// open puts the product together for a command and makes its database usable.
func (p *program) open(cmd *cobra.Command) (*app.App, error) { return prepared(cmd, p.create) }

// use is open for the commands that act for an account: where there is no
// database there is none, and a mistyped folder must not be made.
func (p *program) use(cmd *cobra.Command) (*app.App, error) {
	a, err := prepared(cmd, p.look)
	if r := fault.From(err); r != nil && r.Kind == fault.NotFound {
		if c, failed := p.config(cmd); failed == nil {
			return nil, noAccounts(c)
		}
	}
	return a, err
}

func prepared(cmd *cobra.Command, connect func(*cobra.Command) (*app.App, error)) (*app.App, error) {
	a, err := connect(cmd)
	if err != nil {
		return nil, err
	}
	if err := a.Prepare(cmd.Context()); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// create puts the product together and makes the file of a database that is
// not there yet.
func (p *program) create(cmd *cobra.Command) (*app.App, error) { return p.connect(cmd, false) }

// look leaves the database as it is, for the commands that only look at it;
// one that is not there is refused.
func (p *program) look(cmd *cobra.Command) (*app.App, error) { return p.connect(cmd, true) }

func (p *program) connect(cmd *cobra.Command, look bool) (*app.App, error) {
	c, err := p.config(cmd)
	if err != nil {
		return nil, err
	}
	return app.New(cmd.Context(), app.Options{Config: c, Log: p.quiet(), Look: look, Statements: logger(p.Stderr, c.Tier)})
}

// group is a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: oneOfItsCommands, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(commands...)
	return c
}
