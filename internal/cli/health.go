package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"tectonic/internal/bedrock/fault"
)

// health asks the server on this machine, for images without a shell or curl.
func (p *program) health() *cobra.Command {
	return &cobra.Command{
		Use: "health", Short: "Ask the server on this machine whether it and its database answer", Args: none,
		RunE: func(c *cobra.Command, _ []string) error {
			set, err := p.config(c)
			if err != nil {
				return err
			}
			if err := askHealth(c.Context(), set.Listen); err != nil {
				return unwell(set.Listen, err)
			}
			_, err = fmt.Fprintln(p.Stdout, "ok")
			return err
		},
	}
}

func unwell(listen string, err error) error {
	return &fault.Refusal{
		Kind: fault.Unavailable, Code: "unwell", Message: fmt.Sprintf("The server on %s is not well: %v.", listen, err),
		Remedy: "Look at its log, or run: tectonic doctor", Cause: err,
	}
}

func askHealth(ctx context.Context, listen string) error {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return fmt.Errorf("read the address %s: %w", listen, err)
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/healthz", nil)
	if err != nil {
		return fmt.Errorf("ask %s: %w", listen, err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return fmt.Errorf("ask %s: %w", listen, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return errors.New("the server answered " + res.Status)
	}
	return nil
}
