package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/config"
)

func (p *program) serve() *cobra.Command {
	var demo bool
	c := &cobra.Command{
		Use: "serve", Short: "Serve the pages until stopped", Args: cobra.NoArgs,
		Example: "  tectonic serve\n  tectonic serve --demo --data ./data --listen 127.0.0.1:9292",
		RunE:    func(c *cobra.Command, _ []string) error { return p.runServer(c, demo) },
	}
	c.Flags().BoolVar(&demo, "demo", false, "make a demo account with a written week, once; not in production")
	return c
}

func (p *program) runServer(cmd *cobra.Command, demo bool) error {
	ctx := cmd.Context()
	c, err := p.config(cmd)
	if err != nil {
		return err
	}
	l, err := app.Listen(ctx, c)
	if err != nil {
		return err
	}
	defer l.Close()
	log := logger(p.Stderr, c.Tier)
	made, err := c.EnsureSecrets()
	if err != nil {
		return err
	}
	for _, name := range made {
		log.Info("made a secret in the data folder", "name", name)
	}
	if c.ListenFromHost {
		log.Info("the host chose the port", "listen", c.Listen)
	}
	a, err := app.New(ctx, app.Options{Config: c, Log: log, Statements: logger(p.Stdout, c.Tier)})
	if err != nil {
		return err
	}
	defer a.Close()
	if err := a.Prepare(ctx); err != nil {
		return err
	}
	if demo {
		if err := showDemo(cmd, a, c, p.Stdout); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.Stdout, "Tectonic is ready at %s\n", c.BaseURL())
	return a.Serve(ctx, l)
}

func showDemo(cmd *cobra.Command, a *app.App, c config.Config, out io.Writer) error {
	if c.Tier.Careful() {
		return fault.Refuse("--demo is not for production: its password is public.")
	}
	demo, err := a.Demo(cmd.Context())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "Demo account: %s\nPassword:     %s\n", demo.Email, demo.Password)
	return err
}
