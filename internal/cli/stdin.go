package cli

import (
	"context"
	"errors"
	"os"

	"golang.org/x/term"
)

// terminal returns the descriptor of a stream that is a terminal.
func terminal(stream any) (fd int, ok bool) {
	f, ok := stream.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	return int(f.Fd()), true
}

// await returns what read returns, or the error of ctx as soon as it ends: a
// read of standard input cannot be cut, but nobody has to wait for it.
func await[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// interrupted reports whether err came of a signal and not of the work.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Canceled)
}
