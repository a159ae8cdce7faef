package contract

import (
	"context"
	"encoding/json"
	"errors"
	"io"

	"tectonic/internal/bedrock/db"
)

// Attachment is a file that stands beside the arguments of a tool. It is read
// at any place and as often as it takes, so that it never has to be in memory.
type Attachment struct {
	Content io.ReaderAt
	Size    int64  // in bytes
	SHA256  string // in hexadecimal digits; the gate works it out
}

// Reader reads the file from its beginning.
func (a Attachment) Reader() io.Reader { return io.NewSectionReader(a.Content, 0, a.Size) }

// Closing is the last transaction of an import: it marks the import as
// finished and says what became of it. The record row and the answer for a
// repeated request commit with it, or none of them does. It may run more than
// once and so has no effect outside the database.
type Closing[Out any] func(context.Context, *db.Tx) (Answer[Out], error)

// errNoWrites answers a read-only tool that wants to write.
var errNoWrites = errors.New("a read-only tool has no transaction that writes")

// NewImport makes a tool that takes a file. A file can be larger than one
// transaction should be, so the handler reads it in as many short transactions
// as it likes and ends with the Closing that it returns.
//
// A crash leaves the transactions before it, therefore each of them must be
// tagged with the import, the import must be visible as unfinished until its
// Closing, and reading the same file again must add only what is missing.
func NewImport[In, Out any](s Spec, handle func(context.Context, Steps, Attachment, Caller, In) (Closing[Out], error)) Tool {
	t := describe[In, Out](s)
	t.imports = func(ctx context.Context, steps Steps, file Attachment, who Caller, args json.RawMessage) (closing, error) {
		in, err := decode[In](args)
		if err != nil {
			return nil, err
		}
		if t.ReadOnly.True() {
			steps.Write = func(context.Context, func(*db.Tx) error) error { return errNoWrites }
		}
		end, err := handle(ctx, steps, file, who, in)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context, tx *db.Tx) (Result, error) { return encode(end(ctx, tx)) }, nil
	}
	return t
}

// closing is a Closing whose type is no longer known.
type closing = func(context.Context, *db.Tx) (Result, error)

// TakesFile reports whether the tool was made by NewImport.
func (t *Tool) TakesFile() bool { return t.imports != nil }

// RunImport calls the handler of a tool made by NewImport with checked
// arguments. It returns what is to be done in the last transaction.
func (t *Tool) RunImport(ctx context.Context, steps Steps, file Attachment, who Caller, args json.RawMessage) (func(context.Context, *db.Tx) (Result, error), error) {
	return t.imports(ctx, steps, file, who, args)
}
