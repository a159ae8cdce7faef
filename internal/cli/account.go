package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

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
		Use: "create", Short: "Create an account and its workspace; the password comes from standard input", Args: none,
		Example: "  tectonic account create --email you@example.com < password.txt\n  tectonic account create --email you@example.com --time-zone Europe/Berlin",
		RunE:    func(c *cobra.Command, _ []string) error { return p.createAccount(c, in) },
	}
	c.Flags().StringVar(&in.Email, "email", "", "address of the account")
	c.Flags().StringVar(&in.TimeZone, "time-zone", account.MachineZone(), "IANA name; decides what today is")
	c.Flags().StringVar(&in.Workspace, "workspace-name", "", "name of the workspace (default \"Personal\")")
	return c
}

func (p *program) createAccount(c *cobra.Command, in account.NewAccount) error {
	if in.Email == "" {
		return fault.BadArgument("Name the address of the account with --email, such as --email you@example.com.")
	}
	password, err := p.password(c.Context())
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
// in the list of processes; on a terminal it is not shown either.
func (p *program) password(ctx context.Context) (string, error) {
	typed, err := p.typePassword(ctx)
	if interrupted(ctx, err) {
		return "", err
	}
	line, _, _ := strings.Cut(typed, "\n")
	if line = strings.TrimRight(line, "\r"); line == "" {
		return "", fault.BadArgument("No password on standard input.").Next("Send it as one line, such as: tectonic account create --email you@example.com < password.txt").Because(err)
	}
	return line, nil
}

func (p *program) typePassword(ctx context.Context) (string, error) {
	fd, ok := terminal(p.Stdin)
	if !ok {
		return await(ctx, func() (string, error) { return bufio.NewReader(p.Stdin).ReadString('\n') })
	}
	shown, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("look at the terminal: %w", err)
	}
	fmt.Fprint(p.Stderr, "Password: ")
	defer fmt.Fprintln(p.Stderr)
	defer term.Restore(fd, shown) // an interrupted ReadPassword does not
	typed, err := await(ctx, func() ([]byte, error) { return term.ReadPassword(fd) })
	return string(typed), err
}
