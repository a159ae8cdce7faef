package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth"
)

func (p *program) oauth() *cobra.Command {
	return group("oauth", "Let programs of your own in",
		group("client", "Clients with credentials of their own", p.oauthClientRegister()),
		group("token", "Personal tokens", p.oauthTokenCreate()),
	)
}

// who names the account and the workspace that a program acts for.
type who struct{ account, workspace int64 }

func (w *who) flags(c *cobra.Command) {
	c.Flags().Int64Var(&w.account, "account", 0, "id of the account that it acts for; may be left out when there is one workspace")
	c.Flags().Int64Var(&w.workspace, "workspace", 0, "id of the workspace; may be left out when there is one")
}

func (p *program) oauthClientRegister() *cobra.Command {
	var w who
	c := &cobra.Command{
		Use: "register NAME", Short: "Register a program; its client_id and secret are shown once", Args: cobra.ExactArgs(1),
		Example: "  tectonic oauth client register \"Nightly report\" --account 1",
		RunE: func(c *cobra.Command, args []string) error {
			return p.withOAuth(c, w, func(a *app.App, local contract.Caller) error {
				uid, secret, err := a.OAuth.CreateClient(c.Context(), oauth.ClientRequest{Name: args[0], Account: local.Account, Workspace: local.Workspace})
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(p.Stdout, "client_id:     %s\nclient_secret: %s\n", uid, secret)
				return err
			})
		},
	}
	w.flags(c)
	return c
}

func (p *program) oauthTokenCreate() *cobra.Command {
	var (
		w      who
		scopes = "read"
		plates string
	)
	c := &cobra.Command{
		Use: "create NAME", Short: "Make a personal token; it is shown once", Args: cobra.ExactArgs(1),
		Example: "  tectonic oauth token create \"Export script\" --scopes \"read write\"",
		RunE: func(c *cobra.Command, args []string) error {
			return p.withOAuth(c, w, func(a *app.App, local contract.Caller) error {
				q := oauth.TokenRequest{
					Account: local.Account, Workspace: local.Workspace, Name: args[0],
					Plates: strings.Fields(plates), Scopes: strings.Fields(scopes),
				}
				if plates == "" {
					q.Plates = plateNames(a)
				}
				token, _, err := a.OAuth.CreateToken(c.Context(), q)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(p.Stdout, token)
				return err
			})
		},
	}
	w.flags(c)
	c.Flags().StringVar(&scopes, "scopes", scopes, "what it may do: \"read\" or \"read write\"")
	c.Flags().StringVar(&plates, "plates", "", "plates it is for, separated by spaces (default all)")
	return c
}

func plateNames(a *app.App) []string {
	var names []string
	for _, p := range a.Plates {
		names = append(names, p.Name)
	}
	return names
}

// withOAuth runs fn with the authorization server and the account that was
// named, or the only one there is.
func (p *program) withOAuth(cmd *cobra.Command, w who, fn func(*app.App, contract.Caller) error) error {
	c, err := p.config(cmd)
	if err != nil {
		return err
	}
	if _, err := c.EnsureSecrets(); err != nil {
		return err
	}
	a, err := app.New(cmd.Context(), app.Options{Config: c, Log: p.quiet(), Look: true, Statements: logger(p.Stderr, c.Tier)})
	if err != nil {
		return err
	}
	defer a.Close()
	if err := a.Prepare(cmd.Context()); err != nil {
		return err
	}
	local, err := a.Accounts.Local(cmd.Context(), id.WorkspaceID(w.workspace), contract.OverCLI)
	if err != nil {
		return err
	}
	if w.account != 0 {
		local.Account = id.AccountID(w.account)
	}
	if local.Account == 0 {
		return fault.BadArgument("Name the account with --account.")
	}
	return fn(a, local)
}
