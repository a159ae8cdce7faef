package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"tectonic/internal/app"
)

func (p *program) database() *cobra.Command {
	return group("db", "Migrate, look at, check and back up the database",
		p.migrate(),
		p.onDatabase("status", "Show each migration and when it was applied", "  tectonic db status\n  tectonic db status --data ./data", p.status),
		p.onDatabase("check", "Check integrity, migrations and clocks; exits 1 on a finding", "  tectonic db check\n  tectonic db check && echo fine", p.check),
		p.backup(),
	)
}

func (p *program) onDatabase(use, short, example string, run func(*cobra.Command, *app.App) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Example: example, Args: none,
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := p.look(c)
			if err != nil {
				return err
			}
			defer a.Close()
			return run(c, a)
		},
	}
}

func (p *program) migrate() *cobra.Command {
	return &cobra.Command{
		Use: "migrate", Short: "Bring the database up to date", Args: none,
		Example: "  tectonic db migrate\n  DATABASE_URL=postgres://… tectonic db migrate",
		RunE: func(c *cobra.Command, _ []string) error {
			a, err := p.create(c)
			if err != nil {
				return err
			}
			defer a.Close()
			if err := a.Migrate(c.Context()); err != nil {
				return err
			}
			_, err = fmt.Fprintln(p.Stdout, "The database is up to date.")
			return err
		},
	}
}

func (p *program) status(c *cobra.Command, a *app.App) error {
	lines, err := a.DB.Status(c.Context(), a.Lines())
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "LINE\tMIGRATION\tSTATE")
	for _, l := range lines {
		for i, name := range l.Applied {
			fmt.Fprintf(w, "%s\t%s\tapplied %s\n", l.Line, name, l.When[i].Format("2006-01-02 15:04:05 UTC"))
		}
		for _, name := range l.Pending {
			fmt.Fprintf(w, "%s\t%s\tpending\n", l.Line, name)
		}
		for _, version := range l.Unknown {
			fmt.Fprintf(w, "%s\t%05d\tapplied by a newer program\n", l.Line, version)
		}
	}
	return w.Flush()
}

func (p *program) check(c *cobra.Command, a *app.App) error {
	findings, err := a.DB.Check(c.Context(), a.Lines())
	if err != nil {
		return err
	}
	bad := 0
	for _, f := range findings {
		mark := "ok "
		if !f.OK {
			mark = "BAD"
			bad++
		}
		fmt.Fprintf(p.Stdout, "%s %-12s %s\n", mark, f.Check, f.Detail)
	}
	if bad > 0 {
		return fmt.Errorf("%d finding(s)", bad)
	}
	return nil
}

func (p *program) backup() *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "Write a checked copy of the embedded database", Args: one("the file to write"),
		Example: "  tectonic db backup /backups/monday.db\n  tectonic db backup \"$(date +%F).db\"",
		RunE: func(c *cobra.Command, args []string) error {
			a, err := p.look(c)
			if err != nil {
				return err
			}
			defer a.Close()
			if err := a.Backup(c.Context(), args[0]); err != nil {
				return err
			}
			_, err = fmt.Fprintf(p.Stdout, "Wrote %s, and checked it.\n", args[0])
			return err
		},
	}
}
