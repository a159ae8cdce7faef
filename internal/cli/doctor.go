package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/spf13/cobra"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/config"
	"tectonic/internal/probe"
)

func (p *program) doctor() *cobra.Command {
	var o probing
	c := &cobra.Command{
		Use: "doctor [URL]", Short: "Tell what is wrong, with this installation or with a server at URL, and what fixes it", Args: atMostOne("the address of a server"),
		Long: `Without URL, doctor looks at the settings and the database of this machine.

With the URL of an MCP endpoint it walks up to it as an assistant does, and says
what would stop one. It knows the server by that address only. It registers four
throw-away programs there, named "` + probe.ClientName + `",
which nobody has to remove. With --token it also lists the tools and calls whoami.`,
		Example: "  tectonic doctor\n  tectonic doctor https://log.example/mcp\n  tectonic doctor https://log.example/mcp --token - < token.txt",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return p.examine(c)
			}
			return p.probe(c, args[0], o)
		},
	}
	o.flags(c)
	return c
}

// diagnosis is one finding of the doctor; Cure is a command or a setting.
type diagnosis struct {
	what, cure string
	ok         bool
}

func (p *program) examine(cmd *cobra.Command) error {
	c, err := p.config(cmd)
	if err != nil {
		return err
	}
	list := append([]diagnosis{examineAddress(c), examineListener(cmd.Context(), c)}, p.examineDatabase(cmd)...)
	sick := 0
	for _, d := range list {
		if d.ok {
			fmt.Fprintf(p.Stdout, "ok   %s\n", d.what)
			continue
		}
		sick++
		fmt.Fprintf(p.Stdout, "BAD  %s\n     %s\n", d.what, d.cure)
	}
	if sick > 0 {
		return fmt.Errorf("%d thing(s) to mend", sick)
	}
	return nil
}

func examineAddress(c config.Config) diagnosis {
	if c.PublicURL == "" && c.Tier.Careful() {
		return diagnosis{what: "no public address is set", cure: "Set MCP_PUBLIC_BASE_URL to the address people use, such as https://log.example."}
	}
	return diagnosis{what: "links start with " + c.BaseURL(), ok: true}
}

func examineListener(ctx context.Context, c config.Config) diagnosis {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", c.Listen)
	if err != nil {
		return diagnosis{what: "nothing listens on " + c.Listen + "; a server may start there", ok: true}
	}
	return diagnosis{what: "something already answers on " + c.Listen, ok: conn.Close() == nil}
}

func (p *program) examineDatabase(cmd *cobra.Command) []diagnosis {
	a, err := p.look(cmd)
	if err != nil {
		return []diagnosis{{what: "the database cannot be opened: " + fault.Explain(err), cure: "Check DATABASE_URL, or the folder of --data."}}
	}
	defer a.Close()
	return append(examineMigrations(cmd.Context(), a), examineFindings(cmd.Context(), a)...)
}

func examineMigrations(ctx context.Context, a *app.App) []diagnosis {
	behind, err := a.DB.Behind(ctx, a.Lines())
	if err != nil {
		return []diagnosis{{what: "the migrations cannot be read: " + fault.Explain(err), cure: "Run: tectonic db check"}}
	}
	if len(behind) > 0 {
		return []diagnosis{{what: fmt.Sprintf("the database is behind by %d migration(s)", len(behind)), cure: "Run: tectonic db migrate"}}
	}
	return nil
}

func examineFindings(ctx context.Context, a *app.App) []diagnosis {
	findings, err := a.DB.Check(ctx, a.Lines())
	if err != nil && !errors.Is(err, context.Canceled) {
		return []diagnosis{{what: "the database cannot be checked: " + fault.Explain(err), cure: "Run: tectonic db check"}}
	}
	var list []diagnosis
	for _, f := range findings {
		if f.Check == "migrations" {
			continue // examined on its own, with its cure
		}
		list = append(list, diagnosis{what: f.Check + ": " + f.Detail, ok: f.OK, cure: "Restore the last backup, or ask for help with this line."})
	}
	return list
}
