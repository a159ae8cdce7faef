package cli

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
)

// attach opens a file that stands beside the arguments of a call. Call done
// when the call has ended. Reading that takes a while tells how far it is.
func (p *program) attach(path string) (file *contract.Attachment, done func(), err error) {
	unreadable := fault.BadArgument("Cannot read %s: there is no such file, or it may not be opened.", path)
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, unreadable.Because(err)
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		_ = f.Close() // nothing was read
		return nil, nil, unreadable
	}
	progress := &progress{from: f, size: info.Size()}
	stop := progress.tell(p.Stderr)
	return &contract.Attachment{Content: progress, Size: info.Size()}, func() { stop(); _ = f.Close() }, nil
}

// between is how long a command is silent about its progress.
const between = 2 * time.Second

// progress is a file that knows how far it was read.
type progress struct {
	from io.ReaderAt
	size int64
	at   atomic.Int64 // one byte behind the newest read
}

// ReadAt reads the file.
func (p *progress) ReadAt(b []byte, at int64) (int, error) {
	n, err := p.from.ReadAt(b, at)
	p.at.Store(at + int64(n))
	return n, err
}

// tell writes how far the reading is, every few seconds until stop is called.
func (p *progress) tell(to io.Writer) (stop func()) {
	tick, end, ended := time.NewTicker(between), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				if p.size > 0 {
					fmt.Fprintf(to, "%d%% of the file is read\n", p.at.Load()*100/p.size)
				}
			}
		}
	}()
	return func() { close(end); <-ended }
}
