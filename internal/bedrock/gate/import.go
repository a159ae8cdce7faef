package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/record"
)

// checkFile refuses a file where none is taken, a missing one and one that is
// too large.
func (c *call) checkFile() error {
	switch {
	case !c.tool.TakesFile() && c.File == nil:
		return nil
	case !c.tool.TakesFile():
		return fault.BadArgument("%s takes no file.", c.tool.Name).At("file")
	case c.File == nil:
		return fault.BadArgument("Choose a file.").At("file")
	case c.File.Size > c.tool.Attachment:
		return &fault.Refusal{
			Kind: fault.TooLarge, Code: fault.CodeTooLarge,
			Message: fmt.Sprintf("The file is %d bytes and the limit for %s is %d.", c.File.Size, c.tool.Name, c.tool.Attachment),
			Remedy:  "Import it in parts.", Details: &fault.Details{Bytes: &c.File.Size},
		}
	}
	return nil
}

// readFile works out the digest of the file, once through it from its
// beginning to its end.
func (c *call) readFile(ctx context.Context) error {
	if c.File == nil {
		return nil
	}
	file, sum := *c.File, sha256.New() // a copy: the caller's stays as it was
	if _, err := io.Copy(sum, reading{ctx, file.Reader()}); err != nil {
		return fmt.Errorf("read the file: %w", err)
	}
	file.SHA256 = hex.EncodeToString(sum.Sum(nil))
	c.File = &file
	return nil
}

// reading is a reader that stops when its context has ended.
type reading struct {
	ctx context.Context
	r   io.Reader
}

func (r reading) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}

// contents is what two calls have to share to be the same call: the checked
// arguments, and the digest of the file where there is one.
func (c *call) contents() []byte {
	if c.File == nil {
		return c.Args
	}
	return append(append(make([]byte, 0, len(c.Args)+64), c.Args...), c.File.SHA256...)
}

// performImport lets the tool read its file in transactions of its own, and
// commits the last one together with the record row.
func (g *Gate) performImport(ctx context.Context, c *call) (result contract.Result, wire contract.Wire, err error) {
	reads := c.tool.ReadOnly.True()
	if !reads {
		if stored, err := g.claimImport(ctx, c); err != nil || stored != nil {
			if stored != nil {
				wire = *stored
			}
			return result, wire, err
		}
		c.begun = true
	}
	var closing func(context.Context, *db.Tx) (contract.Result, error)
	err = g.shield(ctx, c, func() (err error) {
		closing, err = c.tool.RunImport(ctx, contract.Steps{Read: g.o.DB.Read, Write: g.o.DB.Write}, *c.File, c.who, c.Args)
		return err
	})
	if err != nil {
		return result, wire, err
	}
	if reads {
		result, err = g.closeReading(ctx, c, closing)
		return result, wire, err
	}
	result, err = g.closeImport(ctx, c, closing)
	return result, wire, err
}

// claimImport takes the request id in a transaction of its own. An id whose
// call did not come to its end is taken again by the same call.
func (g *Gate) claimImport(ctx context.Context, c *call) (stored *contract.Wire, err error) {
	err = g.o.DB.Write(ctx, func(tx *db.Tx) (err error) {
		stored, err = claim(ctx, tx, c)
		return err
	})
	return stored, err
}

func (g *Gate) closeReading(ctx context.Context, c *call, closing func(context.Context, *db.Tx) (contract.Result, error)) (result contract.Result, err error) {
	err = g.o.DB.Read(ctx, func(tx *db.Tx) (err error) {
		result, err = g.handle(ctx, c, func() (contract.Result, error) { return closing(ctx, tx) })
		return err
	})
	if err != nil || !g.audits(c) {
		return result, err
	}
	return result, g.record(ctx, c.row(record.Outcome, &result, nil))
}

func (g *Gate) closeImport(ctx context.Context, c *call, closing func(context.Context, *db.Tx) (contract.Result, error)) (result contract.Result, err error) {
	err = g.o.DB.Write(ctx, func(tx *db.Tx) (err error) {
		if result, err = g.handle(ctx, c, func() (contract.Result, error) { return closing(ctx, tx) }); err != nil {
			return err
		}
		if err := keep(ctx, tx, c, result); err != nil {
			return err
		}
		return record.Append(ctx, tx, c.row(record.Outcome, &result, nil))
	})
	return result, err
}
