// Command tectonic is the whole product: the server, the local commands and
// the MCP endpoint over stdio.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	_ "time/tzdata" // workspaces have time zones on machines without a zone database

	"tectonic/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := cli.Main(ctx, cli.Process{
		Args: os.Args[1:], Environ: os.Environ(), EnvFile: ".env",
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	})
	stop()
	os.Exit(code)
}
