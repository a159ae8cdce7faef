package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/probe"
)

// probing is what the flags of doctor say.
type probing struct {
	token, origin, document string
	asJSON                  bool
}

func (o *probing) flags(c *cobra.Command) {
	c.Flags().StringVar(&o.token, "token", "", "with URL: a token to call with; - reads it from standard input")
	c.Flags().StringVar(&o.origin, "origin", "", "with URL: a browser's page that must be let in, such as http://localhost:6274")
	c.Flags().StringVar(&o.document, "client-document", "", "with URL: the client_id of a program that identifies itself by a document (default Claude Code's when URL is https; none leaves it out)")
	c.Flags().BoolVar(&o.asJSON, "json", false, "with URL: print the report as JSON")
}

// probe walks up to a server and prints what it finds.
func (p *program) probe(c *cobra.Command, address string, o probing) error {
	token, err := p.probeToken(c.Context(), o.token)
	if err != nil {
		return err
	}
	report, err := probe.Run(c.Context(), probe.Options{
		URL: address, Token: token, Origin: strings.TrimSuffix(o.origin, "/"), Document: o.documentFor(address), Agent: "tectonic-doctor/" + app.Version,
	})
	if err != nil {
		return err
	}
	if err := p.printReport(report, o.asJSON); err != nil {
		return err
	}
	if report.Failed > 0 {
		return fmt.Errorf("%d thing(s) to mend", report.Failed)
	}
	return nil
}

// probeToken keeps a token out of the list of processes.
func (p *program) probeToken(ctx context.Context, token string) (string, error) {
	if token != "-" {
		return token, nil
	}
	line, err := await(ctx, func() (string, error) { return bufio.NewReader(p.Stdin).ReadString('\n') })
	if interrupted(ctx, err) {
		return "", err
	}
	if line = strings.TrimSpace(line); line == "" {
		return "", fault.BadArgument("No token on standard input.").Next("Send it as one line.").Because(err)
	}
	return line, nil
}

// documentFor is the document that is tried: a server that only this network
// reaches may have no way out.
func (o probing) documentFor(address string) string {
	switch {
	case o.document == "none", o.document == "" && !strings.HasPrefix(address, "https://"):
		return ""
	case o.document == "":
		return probe.ClaudeCode
	}
	return o.document
}

var marks = map[probe.Status]string{probe.Pass: "ok", probe.Fail: "FAIL", probe.Skipped: "skip"}

func (p *program) printReport(r probe.Report, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(p.Stdout)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		return e.Encode(r)
	}
	fmt.Fprintf(p.Stdout, "%s\n\n", r.URL)
	for _, c := range r.Checks {
		printCheck(p.Stdout, c)
	}
	fmt.Fprintf(p.Stdout, "\n%d ok, %d failed, %d skipped. The numbers are those of docs/reference/pitfalls.md.\n", r.Passed, r.Failed, r.Skipped)
	if r.Registered > 0 {
		fmt.Fprintf(p.Stdout, "%d registrations named %q stay behind; they can do nothing, and the server drops unused ones.\n", r.Registered, r.ClientName)
	}
	return nil
}

func printCheck(w io.Writer, c probe.Check) {
	line := fmt.Sprintf("%-5s %-8s %s", marks[c.Status], strings.Join(c.Pitfalls, " "), c.Title)
	if c.Found != "" {
		line += ": " + c.Found
	}
	fmt.Fprintln(w, line)
	if c.Fix != "" {
		fmt.Fprintf(w, "%15s%s\n", "", c.Fix)
	}
}
