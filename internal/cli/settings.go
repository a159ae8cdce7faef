package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tectonic/internal/config"
)

func (p *program) settings() *cobra.Command {
	return &cobra.Command{
		Use: "config", Short: "Print the effective settings and where each came from", Args: none,
		Example: "  tectonic config\n  tectonic config --data ./data",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := p.config(cmd)
			if err != nil {
				return err
			}
			w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "SETTING\tVALUE\tFROM")
			for _, s := range config.Settings {
				fmt.Fprintf(w, "%s\t%s\t%s\n", s.Env, s.Value(c), c.Source(s.Env))
			}
			return w.Flush()
		},
	}
}
