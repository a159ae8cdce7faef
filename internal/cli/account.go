package cli

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
)

func (p *program) account() *cobra.Command {
	return group("account", "Create accounts on this machine", p.accountCreate())
}

func (p *program) accountCreate() *cobra.Command {
	in := account.NewAccount{}
	c := &cobra.Command{
		Use: "create", Short: "Create an account and its workspace; the password comes from standard input", Args: cobra.NoArgs,
		Example: "  tectonic account create --email you@example.com < password.txt\n  tectonic account create --email you@example.com --time-zone Europe/Berlin",
		RunE:    func(c *cobra.Command, _ []string) error { return p.createAccount(c, in) },
	}
	c.Flags().StringVar(&in.Email, "email", "", "address of the account")
	c.Flags().StringVar(&in.TimeZone, "time-zone", account.MachineZone(), "IANA name; decides what today is")
	c.Flags().StringVar(&in.Workspace, "workspace-name", "", "name of the workspace (default \"Personal\")")
	if err := c.MarkFlagRequired("email"); err != nil {
		panic(err)
	}
	return c
}

func (p *program) createAccount(c *cobra.Command, in account.NewAccount) error {
	password, err := p.password()
	if err != nil {
		return err
	}
	in.Password = password
	a, err := p.open(c)
	if err != nil {
		return err
	}
	defer a.Close()
	made, err := a.Accounts.Create(c.Context(), account.Door{Transport: contract.OverCLI}, in)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Stdout, "Account %d with workspace %d is ready.\n", made.Account, made.Workspace)
	return err
}

// password reads one line, so that it is neither in the shell's history nor
// in the list of processes.
func (p *program) password() (string, error) {
	if f, ok := p.Stdin.(*os.File); ok && isatty.IsTerminal(f.Fd()) {
		fmt.Fprint(p.Stderr, "Password (it is shown while you type): ")
	}
	line, err := bufio.NewReader(p.Stdin).ReadString('\n')
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		return "", fault.BadArgument("No password on standard input.").Next("Send it as one line, such as: tectonic account create --email you@example.com < password.txt").Because(err)
	}
	return line, nil
}
