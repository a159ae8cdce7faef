package app

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/config"
)

const (
	// drainLimit is how long running requests may take to end after a stop.
	drainLimit = 10 * time.Second
	// drainNotice is how long a stopping server that serves real people still
	// takes requests while /readyz says no: time for a load balancer to look.
	drainNotice = 2 * time.Second
)

// Listen opens the listener. It is the first thing that a server does, so
// that a port which is in use is refused before anything is made.
func Listen(ctx context.Context, c config.Config) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return nil, fault.Refuse("Cannot listen on %s: %v.", c.Listen, err).Next("Choose another address with --listen HOST:PORT.").Because(err)
	}
	return l, nil
}

// Serve answers until ctx ends, then lets running requests finish. Those that
// still run after drainLimit are cut, which is an error.
func (a *App) Serve(ctx context.Context, l net.Listener) error {
	requests, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	server := &http.Server{
		Handler:           a.handler,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       60 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    64 << 10,
	}
	defer a.startHousekeeping(ctx)()

	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	close(a.draining)
	a.log.Info("stopping", "drain_limit", drainLimit.String())
	if a.Config.Tier.Careful() {
		time.Sleep(drainNotice)
	}
	return drain(server, cut)
}

// startHousekeeping returns what ends it and waits until it has ended, since
// the database is closed next.
func (a *App) startHousekeeping(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { a.keepHouse(ctx) })
	work.Go(func() { a.Denials.Run(ctx) })
	work.Go(func() { tendHeap(ctx) })
	if a.OAuth != nil {
		work.Go(func() { a.OAuth.KeepUses(ctx) })
	}
	return func() { cancel(); work.Wait() }
}

// drain refuses new connections and waits for running requests.
func drain(server *http.Server, cut func()) error {
	ctx, cancel := context.WithTimeout(context.Background(), drainLimit)
	defer cancel()
	err := server.Shutdown(ctx)
	if err == nil {
		return nil
	}
	cut()
	_ = server.Close() // nobody waits for what its connections have to say
	return fmt.Errorf("stop: requests that ran longer than %s were cut: %w", drainLimit, err)
}

// keepHouse deletes what is over, every hour: sessions, request
// ids and invitations. Each
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
	steps := map[string]func(context.Context) (int64, error){
		"sessions":     a.Accounts.Sessions().DropExpired,
		"request keys": a.Gate.DropKeys,
		"uploads":      a.Uploads.Sweep,
		"invitations":  a.Accounts.DropInvites,
	}
	if a.OAuth != nil {
		steps["connections"] = a.OAuth.DropEnded
	}
	for _, p := range a.Plates {
		if p.Sweep != nil {
			steps[p.Name] = p.Sweep
		}
	}
	for name, step := range steps {
		n, err := step(ctx)
		if err != nil && ctx.Err() == nil {
			a.log.Warn("housekeeping failed", "step", name, "error", fault.Explain(err))
		}
		if n > 0 {
			a.log.Info("housekeeping", "step", name, "deleted", n)
		}
	}
}
