package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/plate"
	"tectonic/internal/transport/mcp"
)

func (p *program) mcp() *cobra.Command {
	var workspace int64
	c := &cobra.Command{
		Use: "mcp PLATE", Short: "Serve a plate's tools over stdio to a local assistant", Args: one("the plate"),
		Example: "  tectonic mcp training\n  tectonic mcp training --workspace 4",
		RunE: func(c *cobra.Command, args []string) error {
			a, err := p.use(c)
			if err != nil {
				return err
			}
			defer a.Close()
			found, err := findPlate(a.Plates, args[0])
			if err != nil {
				return err
			}
			return p.serveStdio(c.Context(), a, found, workspace)
		},
	}
	workspaceFlag(c, &workspace)
	return c
}

func workspaceFlag(c *cobra.Command, to *int64) {
	c.Flags().Int64Var(to, "workspace", 0, "id of the workspace; may be left out when there is one")
}

func (p *program) serveStdio(ctx context.Context, a *app.App, found plate.Plate, ws int64) error {
	tools, _ := a.Gate.Registry(found.Name)
	caller := func(ctx context.Context) (contract.Caller, error) {
		return operator(ctx, a, ws, contract.OverMCPStdio)
	}
	if _, err := caller(ctx); err != nil {
		return err // said at the start, not on the first call
	}
	e := &mcp.Endpoint{
		Gate: a.Gate, Tools: tools, Title: "Tectonic " + found.Title, Version: app.Version,
		Instructions: found.Instructions, Caller: caller, Log: p.quiet(),
	}
	return e.ServeStdio(ctx, p.Stdin, p.Stdout)
}

func findPlate(plates []plate.Plate, name string) (plate.Plate, error) {
	var names []string
	for _, pl := range plates {
		if pl.Name == name {
			return pl, nil
		}
		names = append(names, pl.Name)
	}
	return plate.Plate{}, fault.BadArgument("%s", fmt.Sprintf("There is no plate %q. The plates are: %s.", name, strings.Join(names, ", ")))
}
