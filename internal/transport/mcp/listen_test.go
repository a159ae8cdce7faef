package mcp_test

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

// stream opens a subscription and returns its head and its lines as they come;
// the channel is closed when the stream ends.
func (p peer) stream(ctx context.Context) (reply, <-chan string) {
	p.t.Helper()
	body, header := asModern("subscriptions/listen", "", `"notifications":{"toolsListChanged":true}`)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, strings.NewReader(strings.Replace(body, `"id":1`, `"id":"s1"`, 1)))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + p.token}}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	head, lines := make(chan reply, 1), make(chan string, 100)
	go func() {
		defer close(lines)
		defer close(head)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			p.t.Error(err)
			return
		}
		defer res.Body.Close()
		head <- reply{status: res.StatusCode, header: res.Header}
		for in := bufio.NewScanner(res.Body); in.Scan(); {
			lines <- in.Text()
		}
	}()
	return <-head, lines
}

func next(t *testing.T, lines <-chan string, holds string) {
	t.Helper()
	limit := time.After(10 * time.Second)
	for {
		select {
		case line, open := <-lines:
			if strings.Contains(line, holds) {
				return
			}
			if !open {
				t.Fatalf("the stream ended before %q", holds)
			}
		case <-limit:
			t.Fatalf("no line with %q came", holds)
		}
	}
}

func TestASubscriptionIsAcknowledged(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	head, lines := p.stream(ctx)
	if head.status != 200 || !strings.HasPrefix(head.header.Get("Content-Type"), "text/event-stream") || head.header.Get("X-Accel-Buffering") != "no" {
		t.Fatalf("got %d %v", head.status, head.header)
	}
	next(t, lines, `notifications/subscriptions/acknowledged`)
}

func TestProgressIsAnsweredAsAStream(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	got := p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami","arguments":{},"_meta":{"progressToken":"p"}}}`)
	if got.status != 200 || !strings.HasPrefix(got.header.Get("Content-Type"), "text/event-stream") || !strings.Contains(got.raw, `"structuredContent"`) {
		t.Errorf("got %d %s", got.status, got.raw)
	}
}

func TestARevokedGrantStopsWorkingOnTheNextCall(t *testing.T) {
	t.Parallel()
	app, who, p := open(t)
	if got := p.send(whoami); got.status != 200 {
		t.Fatalf("got %d %s", got.status, got.raw)
	}
	tokens, err := app.OAuth.Tokens(t.Context(), who.Caller.Account, who.Caller.Workspace)
	if err != nil || len(tokens) != 1 {
		t.Fatalf("got %v, %v", tokens, err)
	}
	if err := app.OAuth.Revoke(t.Context(), who.Caller.Account, who.Caller.Workspace, tokens[0].Grant); err != nil {
		t.Fatal(err)
	}
	if got := p.send(whoami); got.status != 401 {
		t.Errorf("got %d %s", got.status, got.raw)
	}
}

func TestOpenStreamsAreLimited(t *testing.T) {
	t.Parallel()
	_, _, p := open(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	for range 8 {
		if res, _ := p.stream(ctx); res.status != http.StatusOK {
			t.Fatalf("got %d", res.status)
		}
	}
	if res, _ := p.stream(ctx); res.status != http.StatusTooManyRequests {
		t.Errorf("the ninth: got %d", res.status)
	}
}
