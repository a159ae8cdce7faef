package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"tectonic/internal/app"
)

func (p *program) version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: none,
		Example: "  tectonic version\n  tectonic --version",
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(p.Stdout, "tectonic %s (%s, %s/%s)\n", app.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
