package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tectonic/internal/bedrock/contract"
)

const (
	// lineLimit is the most bytes of one message.
	lineLimit = contract.DefaultMaxBody
	// patience is how long calls may still run after the peer has said all.
	patience = 30 * time.Second
)

// lines carries one JSON-RPC message per line. Unlike the SDK's own transport
// it answers a line that is no message and goes on, and at the end of the
// input it waits for the answers of the calls that still run.
type lines struct {
	in     chan line
	closed chan struct{}
	once   sync.Once

	writing sync.Mutex
	out     io.Writer

	mu      sync.Mutex
	running map[jsonrpc.ID]bool
	ended   chan struct{} // one token after each answer
}

type line struct {
	text []byte
	err  error // io.EOF, errTooLong or what broke the input
}

var errTooLong = errors.New("line too long")

func newLines(in io.Reader, out io.Writer) *lines {
	l := &lines{
		in: make(chan line), closed: make(chan struct{}), out: out,
		running: map[jsonrpc.ID]bool{}, ended: make(chan struct{}, 1),
	}
	go l.scan(bufio.NewReader(in)) // a read of standard input cannot be cut: it ends with the process
	return l
}

func (l *lines) scan(in *bufio.Reader) {
	for {
		text, err := readLine(in)
		select {
		case l.in <- line{text, err}:
		case <-l.closed:
			return
		}
		if err != nil && !errors.Is(err, errTooLong) {
			return
		}
	}
}

// readLine returns the next line. One that is too long is read to its end and
// thrown away; the last one may lack its line feed.
func readLine(in *bufio.Reader) ([]byte, error) {
	var text []byte
	tooLong := false
	for {
		part, err := in.ReadSlice('\n')
		if tooLong = tooLong || len(text)+len(part) > lineLimit; !tooLong {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case tooLong:
			return nil, errTooLong
		case err == nil, errors.Is(err, io.EOF) && len(bytes.TrimSpace(text)) > 0:
			return text, nil
		default:
			return nil, err
		}
	}
}

// Connect returns the lines themselves: there is one peer.
func (l *lines) Connect(context.Context) (sdk.Connection, error) { return l, nil }

// SessionID returns "", since there is one session per process.
func (l *lines) SessionID() string { return "" }

// Read returns the next message, past the lines that are none.
func (l *lines) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		select {
		case next := <-l.in:
			m, err := l.message(next)
			if m != nil || err != nil {
				return m, err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.closed:
			return nil, io.EOF
		}
	}
}

// message reads a line. A line that is no message is answered, and then there
// is neither a message nor an error.
func (l *lines) message(next line) (jsonrpc.Message, error) {
	text := bytes.TrimSpace(next.text)
	switch {
	case errors.Is(next.err, errTooLong):
		return nil, l.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("A message has at most %d bytes.", lineLimit))
	case next.err != nil:
		l.finish()
		return nil, next.err
	case len(text) == 0:
		return nil, nil
	case !json.Valid(text):
		return nil, l.refuse(nil, jsonrpc.CodeParseError, "That line is not JSON. Send one message per line.")
	case text[0] == '[':
		return nil, l.refuse(nil, jsonrpc.CodeInvalidRequest, "Batches are not taken. Send one message per line.")
	}
	m, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return nil, l.refuse(text, jsonrpc.CodeInvalidRequest, "That is not a JSON-RPC 2.0 message.")
	}
	l.note(m)
	return m, nil
}

// note keeps the calls that wait for an answer; one that is cancelled gets
// none.
func (l *lines) note(m jsonrpc.Message) {
	r, ok := m.(*jsonrpc.Request)
	if !ok {
		return
	}
	if r.IsCall() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.running[r.ID] = true
		return
	}
	var cancelled struct {
		RequestID any `json:"requestId"`
	}
	if r.Method != "notifications/cancelled" || json.Unmarshal(r.Params, &cancelled) != nil {
		return
	}
	if id, err := jsonrpc.MakeID(cancelled.RequestID); err == nil {
		l.answered(id)
	}
}

func (l *lines) answered(id jsonrpc.ID) {
	l.mu.Lock()
	delete(l.running, id)
	l.mu.Unlock()
	select {
	case l.ended <- struct{}{}:
	default: // finish has not yet looked at the last one
	}
}

// finish waits until every call has its answer.
func (l *lines) finish() {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for l.waiting() {
		select {
		case <-l.ended:
		case <-l.closed:
			return
		case <-limit.C:
			return
		}
	}
}

func (l *lines) waiting() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.running) > 0
}

// Write sends a message.
func (l *lines) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	err = l.send(text)
	if r, ok := m.(*jsonrpc.Response); ok {
		l.answered(r.ID)
	}
	return err
}

func (l *lines) send(text []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	_, err := l.out.Write(append(text, '\n'))
	return err
}

// refuse answers a line that is no message, under its id when it has one.
func (l *lines) refuse(text []byte, code int, why string) error {
	var sent struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(text, &sent) != nil || sent.ID == nil || sent.ID[0] == '{' || sent.ID[0] == '[' {
		sent.ID = json.RawMessage("null")
	}
	answer, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": sent.ID, "error": map[string]any{"code": code, "message": why},
	})
	if err != nil {
		return fmt.Errorf("encode error: %w", err)
	}
	return l.send(answer)
}

// Close ends Read. It may be called more than once.
func (l *lines) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}
