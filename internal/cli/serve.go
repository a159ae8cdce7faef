package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/config"
)

func (p *program) serve() *cobra.Command {
	var demo bool
	c := &cobra.Command{
		Use: "serve", Short: "Serve the pages until stopped", Args: none,
		Example: "  tectonic serve\n  tectonic serve --demo --data ./data --listen 127.0.0.1:9292",
		RunE:    func(c *cobra.Command, _ []string) error { return p.runServer(c, demo) },
	}
	c.Flags().BoolVar(&demo, "demo", false, "make a demo account with a written week, once; not in production")
	return c
}

func (p *program) runServer(cmd *cobra.Command, demo bool) error {
	c, err := p.config(cmd)
	if err != nil {
		return err
	}
	if demo && c.Tier.Careful() {
		return fault.Refuse("--demo is not for production: its password is public.")
	}
	if c.Tier.Careful() && c.PublicURL == "" {
		return fault.BadArgument("MCP_PUBLIC_BASE_URL is not set.").Next("Set it to the address that people and assistants use, such as https://log.example: links, tokens and cookies depend on it.")
	}
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	l, err := app.Listen(ctx, c)
	if err != nil {
		return err
	}
	defer l.Close()
	log := logger(p.Stderr, c.Tier)
	a, err := p.start(ctx, c, log)
	if err != nil {
		return err
	}
	defer a.Close()
	if demo {
		if err := showDemo(ctx, a, p.Stdout); err != nil {
			return err
		}
	}
	defer p.reloadOnHangup(cmd, a, c, log, stop)()
	fmt.Fprintf(p.Stdout, "Tectonic is ready at %s\n", c.BaseURL())
	return a.Serve(ctx, l)
}

// start puts the server together, with its secrets and a usable database.
func (p *program) start(ctx context.Context, c config.Config, log *slog.Logger) (*app.App, error) {
	made, err := c.EnsureSecrets()
	if err != nil {
		return nil, err
	}
	for _, name := range made {
		log.Info("made a secret in the data folder", "name", name)
	}
	if c.ListenFromHost {
		log.Info("the host chose the port", "listen", c.Listen)
	}
	a, err := app.New(ctx, app.Options{Config: c, Log: log, Statements: logger(p.Stdout, c.Tier)})
	if err != nil {
		return nil, err
	}
	if err := a.Prepare(ctx); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

func showDemo(ctx context.Context, a *app.App, out io.Writer) error {
	demo, err := a.Demo(ctx)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Demo account: %s\nPassword:     %s\n", demo.Email, demo.Password)
	return err
}
