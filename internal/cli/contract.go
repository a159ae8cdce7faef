package cli

import (
	"fmt"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
)

// contract shows what callers may rely on. It needs no database.
func (p *program) contract() *cobra.Command {
	return group("contract", "What callers of the tools may rely on",
		p.contractPrint("lock", "Print the lock: a digest of each part of every tool", func(r []*contract.Registry) string { return contract.NewLock(r...).String() }),
		p.contractPrint("reference", "Print the tools as a page of documentation", func(r []*contract.Registry) string { return contract.Reference(r...) }),
		p.contractDiff(),
	)
}

func (p *program) contractPrint(use, short string, write func([]*contract.Registry) string) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: none, RunE: func(*cobra.Command, []string) error {
		registries, err := registries()
		if err != nil {
			return err
		}
		_, err = fmt.Fprint(p.Stdout, write(registries))
		return err
	}}
}

func registries() ([]*contract.Registry, error) {
	var list []*contract.Registry
	for _, pl := range app.Catalog() {
		r, err := app.Registry(pl)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

func (p *program) contractDiff() *cobra.Command {
	return &cobra.Command{
		Use: "diff REF", Short: "Say what changed since contract.lock of a git revision; breaking without a higher version is an error", Args: cobra.ExactArgs(1),
		Example: "  tectonic contract diff main\n  tectonic contract diff v1.2.0",
		RunE: func(c *cobra.Command, args []string) error {
			text, err := exec.CommandContext(c.Context(), "git", "show", "--end-of-options", args[0]+":contract.lock").Output()
			if err != nil {
				return fault.BadArgument("git has no contract.lock at %q. Run this inside the repository and name a revision.", args[0]).Because(err)
			}
			older, err := contract.ParseLock(string(text))
			if err != nil {
				return fault.BadArgument("contract.lock at %q cannot be read: %v.", args[0], err)
			}
			return p.showDiff(older)
		},
	}
}

func (p *program) showDiff(older contract.Lock) error {
	list, err := registries()
	if err != nil {
		return err
	}
	now := contract.NewLock(list...)
	changes, breaking := now.Diff(older)
	if len(changes) == 0 {
		changes = []string{"nothing changed"}
	}
	fmt.Fprintln(p.Stdout, strings.Join(changes, "\n"))
	if breaking && now.Version <= older.Version {
		return fault.Refuse("Callers may break and the version is still %d.", now.Version).Next("Raise contract.Version.")
	}
	return nil
}
