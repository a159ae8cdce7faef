package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"tectonic/internal/bedrock/fault"
)

// drainLimit is how long running requests may take to end after a stop.
const drainLimit = 10 * time.Second

// Listen opens the listener before anything else is promised, so that a port
// which is in use is refused at once.
func (a *App) Listen(ctx context.Context) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", a.Config.Listen)
	if err != nil {
		return nil, fault.Refuse("Cannot listen on %s: %v.", a.Config.Listen, err).Next("Choose another address with --listen HOST:PORT.").Because(err)
	}
	return l, nil
}

// Serve answers until ctx ends, then lets running requests finish.
func (a *App) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           a.handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    64 << 10,
	}
	housekeeping, stop := context.WithCancel(ctx)
	defer stop()
	go a.keepHouse(housekeeping)

	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	close(a.draining)
	a.log.Info("stopping", "drain_limit", drainLimit.String())
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainLimit)
	defer cancel()
	if err := server.Shutdown(drain); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}

// keepHouse deletes what is over, every hour: sessions and request ids. Each
// step may run on several nodes at once and twice in a row.
func (a *App) keepHouse(ctx context.Context) {
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		a.sweep(ctx)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (a *App) sweep(ctx context.Context) {
	for name, step := range map[string]func(context.Context) (int64, error){
		"sessions":     a.Accounts.Sessions().DropExpired,
		"request keys": a.Gate.DropKeys,
	} {
		n, err := step(ctx)
		if err != nil && ctx.Err() == nil {
			a.log.Warn("housekeeping failed", "step", name, "error", err)
		}
		if n > 0 {
			a.log.Info("housekeeping", "step", name, "deleted", n)
		}
	}
}
