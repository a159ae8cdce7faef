package mcp

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/id"
)

const (
	recheck   = 30 * time.Second // how often an open stream asks whether its grant still holds
	keepAlive = 25 * time.Second // shorter than the idle limit of common proxies
	longest   = time.Hour        // of a stream, also of a token without an end; clients open it again

	streamsPerGrant = 8
	streamsInAll    = 1000
)

// streams counts the open ones, so that nobody can open them without end.
type streams struct {
	mu  sync.Mutex
	all int
	by  map[id.GrantID]int
}

func newStreams() *streams { return &streams{by: map[id.GrantID]int{}} }

func (s *streams) begin(grant id.GrantID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all >= streamsInAll || s.by[grant] >= streamsPerGrant {
		return false
	}
	s.all++
	s.by[grant]++
	return true
}

func (s *streams) end(grant id.GrantID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all--
	if s.by[grant]--; s.by[grant] == 0 {
		delete(s.by, grant)
	}
}

// errCredentialOver ends a stream whose token ran out or was revoked.
var errCredentialOver = errors.New("the credential is over")

// listen answers with an event stream. A stream never outlives its credential:
// it ends when the token does, within recheck of a revocation, and when the
// server stops.
func (v *visitor) listen(r *http.Request) {
	if !v.open.begin(v.who.Grant) {
		v.w.Header().Set("Retry-After", "60")
		rpcError(v.w, http.StatusTooManyRequests, v.m.id(), codeRate, "Too many open streams. Close one first.")
		return
	}
	defer v.open.end(v.who.Grant)
	ctx, end := context.WithCancelCause(r.Context())
	defer end(nil)
	out := &aliveWriter{ResponseWriter: v.w}
	go v.watch(ctx, end, out)
	v.served().events.ServeHTTP(out, withCaller(r.WithContext(ctx), v.who))
	out.stop()
}

func (v *visitor) watch(ctx context.Context, end context.CancelCauseFunc, out *aliveWriter) {
	beat, again := time.NewTicker(keepAlive), time.NewTicker(v.stream)
	defer beat.Stop()
	defer again.Stop()
	life := longest
	if !v.expires.IsZero() {
		life = min(life, time.Until(v.expires))
	}
	over := time.NewTimer(life)
	defer over.Stop()
	token, _ := contract.BearerToken(v.r.Header.Get("Authorization"))
	for {
		select {
		case <-ctx.Done():
			return
		case <-v.o.Stopping:
			end(http.ErrServerClosed)
		case <-over.C:
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
