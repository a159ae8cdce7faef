package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
)

// callFlags are the flags that every tool has beside its own arguments.
type callFlags struct {
	workspace int64
	requestID string
	input     string
	json      bool
	file      string // that stands beside the arguments
}

func (p *program) call() *cobra.Command {
	c := group("call", "Call a tool, such as training.get_workout")
	c.Use = "call PLATE.TOOL"
	c.Long = "Call a tool as the local operator. Arguments are flags, or JSON from --input; flags win.\nThe answer is text; with --json it is exactly the tool's payload."
	c.Example = "  tectonic call training.list_workouts --limit 5\n  tectonic call training.create_set --exercise \"Back Squat\" --weight 155 --reps 5 --json"
	c.Args = unknownTool
	for _, pl := range app.Catalog() {
		registry, err := app.Registry(pl)
		if err != nil {
			panic(err) // a broken contract stops the start, whatever the command
		}
		for _, t := range registry.Tools() {
			if t.Offered(contract.OverCLI) {
				c.AddCommand(p.callTool(pl.Name, t))
			}
		}
	}
	return c
}

func unknownTool(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
	}
	typed := args[0]
	for _, p := range app.Catalog() {
		if !strings.Contains(typed, ".") && len(typed) > 1 {
			typed = p.Name + "." + typed
		}
	}
	return fault.BadArgument("There is no tool %q.%s", args[0], perhaps(typed, names)).Next("tectonic call --help lists them.")
}

// onlyJSON refuses what is left beside the flags, but for one JSON object.
func onlyJSON(_ *cobra.Command, args []string) error {
	for n, text := range args {
		if n > 0 || !strings.HasPrefix(strings.TrimSpace(text), "{") {
			return fault.BadArgument("%q is not a JSON object. Send arguments as flags or as one JSON object.", text)
		}
	}
	return nil
}

func (p *program) callTool(plate string, t *contract.Tool) *cobra.Command {
	var f callFlags
	name := plate + "." + t.Name
	c := &cobra.Command{
		Use: name, Short: t.Title, Long: t.Says, Args: onlyJSON,
		Example: fmt.Sprintf("  tectonic call %s --json\n  echo '{…}' | tectonic call %s --input -", name, name),
	}
	c.Flags().StringVar(&f.input, "input", "", "file with the arguments as JSON; - is standard input")
	c.Flags().BoolVar(&f.json, "json", false, "print exactly the payload")
	c.Flags().StringVar(&f.requestID, "request-id", "", "a name for this write; repeating it returns the first answer")
	workspaceFlag(c, &f.workspace)
	if t.TakesFile() {
		c.Flags().StringVar(&f.file, "file", "", "the file to read")
	}
	for _, prop := range t.Properties() {
		addArgument(c.Flags(), prop)
	}
	c.RunE = func(c *cobra.Command, args []string) error { return p.runTool(c, plate, t, f, args) }
	return c
}

// addArgument makes a flag of an argument of a tool. Values are read by the
// contract, so every flag is text; a boolean may stand alone.
func addArgument(flags *pflag.FlagSet, prop contract.Property) {
	if flags.Lookup(prop.Name) != nil {
		return
	}
	doc := prop.Doc
	if doc == "" {
		doc = prop.Label
	}
	if len(prop.Enum) > 0 {
		doc += ": " + contract.Or(prop.Enum)
	}
	flags.String(prop.Name, "", doc+" ("+prop.Type+")")
	if prop.Type == "boolean" {
		flags.Lookup(prop.Name).NoOptDefVal = "true"
	}
}

func (p *program) runTool(cmd *cobra.Command, plate string, t *contract.Tool, f callFlags, args []string) error {
	input, err := p.arguments(cmd, t, f, args)
	if err != nil {
		return err
	}
	a, err := p.use(cmd)
	if err != nil {
		return err
	}
	defer a.Close()
	who, err := operator(cmd.Context(), a, f.workspace, contract.OverCLI)
	if err != nil {
		return err
	}
	request := gate.Request{Plate: plate, Tool: t.Name, Args: input, RequestID: f.requestID}
	if f.file != "" {
		file, done, err := p.attach(f.file)
		if err != nil {
			return err
		}
		defer done()
		request.File = file
	}
	wire, err := a.Gate.Call(cmd.Context(), who, request)
	if err != nil {
		return err
	}
	if f.json {
		_, err = fmt.Fprintln(p.Stdout, string(wire.Structured))
		return err
	}
	_, err = fmt.Fprintln(p.Stdout, wire.Text)
	return err
}

// arguments joins the JSON of --input (or of the one positional argument) with
// the flags; flags win.
func (p *program) arguments(cmd *cobra.Command, t *contract.Tool, f callFlags, args []string) (json.RawMessage, error) {
	merged := map[string]json.RawMessage{}
	text, err := p.input(cmd.Context(), f.input, args)
	if err != nil {
		return nil, err
	}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &merged); err != nil {
			return nil, fault.BadArgument("The arguments are not a JSON object: %v.", err)
		}
	}
	typed := map[string][]string{}
	for _, prop := range t.Properties() {
		if fl := cmd.Flags().Lookup(prop.Name); fl != nil && fl.Changed {
			typed[prop.Name] = []string{fl.Value.String()}
		}
	}
	flags, err := t.FromText(typed)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(flags, &merged); err != nil {
		return nil, fmt.Errorf("merge flags: %w", err)
	}
	return contract.Encode(merged)
}

func (p *program) input(ctx context.Context, from string, args []string) ([]byte, error) {
	switch {
	case from == "-":
		return await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(p.Stdin, contract.DefaultMaxBody+1)) })
	case from != "":
		text, err := os.ReadFile(from)
		if err != nil {
			return nil, fault.BadArgument("The file %s cannot be read: %v.", from, err)
		}
		return text, nil
	case len(args) == 1:
		return []byte(args[0]), nil
	}
	return nil, nil
}
