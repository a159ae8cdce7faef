package mcp

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

const (
	recheck   = 30 * time.Second // how often an open stream asks whether its grant still holds
	keepAlive = 25 * time.Second // shorter than the idle limit of common proxies
)

// errCredentialOver ends a stream whose token ran out or was revoked.
var errCredentialOver = errors.New("the credential is over")

// listen answers with an event stream. A stream never outlives its credential:
// it ends when the token does, within recheck of a revocation, and when the
// server stops.
func (v *visitor) listen(r *http.Request) {
	ctx, end := context.WithCancelCause(r.Context())
	defer end(nil)
	out := &aliveWriter{ResponseWriter: v.w}
	if v.m.Method == listen {
		go v.watch(ctx, end, out)
		live.Add(1)
		defer live.Add(-1)
	}
	v.served().events.ServeHTTP(out, withCaller(r.WithContext(ctx), v.who))
	out.stop()
}

func (v *visitor) watch(ctx context.Context, end context.CancelCauseFunc, out *aliveWriter) {
	beat, again := time.NewTicker(keepAlive), time.NewTicker(v.stream)
	defer beat.Stop()
	defer again.Stop()
	over := make(<-chan time.Time)
	if !v.expires.IsZero() {
		over = time.After(time.Until(v.expires))
	}
	token, _ := bearer(v.r.Header.Get("Authorization"))
	for {
		select {
		case <-ctx.Done():
			return
		case <-v.o.Stopping:
			end(http.ErrServerClosed)
		case <-over:
			end(errCredentialOver)
		case <-beat.C:
			out.alive()
		case <-again.C:
			if _, _, err := v.o.Credentials(ctx, token, v.e.Tools.Plate()); err != nil {
				end(errCredentialOver)
			}
		}
	}
}

// aliveWriter writes comments between the events of a stream, so that proxies
// and clients do not take silence for a broken connection.
type aliveWriter struct {
	http.ResponseWriter
	mu      sync.Mutex
	begun   bool
	stopped bool
}

func (a *aliveWriter) WriteHeader(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begun = true
	a.ResponseWriter.WriteHeader(status)
}

func (a *aliveWriter) Write(b []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begun = true
	return a.ResponseWriter.Write(b)
}

// Flush sends what is written.
func (a *aliveWriter) Flush() {
	a.mu.Lock()
	defer a.mu.Unlock()
	_ = http.NewResponseController(a.ResponseWriter).Flush() // the reader may be gone
}

// Unwrap lets http.ResponseController reach the connection.
func (a *aliveWriter) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *aliveWriter) alive() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.begun || a.stopped {
		return
	}
	_, _ = a.ResponseWriter.Write([]byte(": keep-alive\n\n"))
	_ = http.NewResponseController(a.ResponseWriter).Flush()
}

// stop ends the comments: the handler has returned and the writer is gone.
func (a *aliveWriter) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stopped = true
}
