package record

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
)

// The limits of what denials may write: whoever knocks too often is counted,
// not written down each time.
const (
	denialsPerMinute = 100 // per address and cause, each with a row of its own
	foldWindow       = time.Minute
	foldKeys         = 10_000 // most addresses and causes that are told apart
)

// Denials appends denials to the record. A flood of them from one address and
// for one cause, and everybody who comes without any credential, fold into one
// row a minute with their count. It is safe for concurrent use.
type Denials struct {
	db  *db.DB
	log *slog.Logger
	now func() time.Time

	mu   sync.Mutex
	seen map[floodKey]*flood
}

// floodKey is what denials have in common when they fold. The account and the
// workspace are part of it, since each reads only its own rows.
type floodKey struct {
	address, cause, plate, event string
	account                      id.AccountID
	workspace                    id.WorkspaceID
}

// flood counts the denials of one key in one minute.
type flood struct {
	since  time.Time
	own    int   // written with a row of their own
	folded int64 // waiting to be written as one row
	sample Row   // what that row says
}

// NewDenials returns a writer. Run writes what has been folded.
func NewDenials(d *db.DB, log *slog.Logger, now func() time.Time) *Denials {
	return &Denials{db: d, log: log, now: now, seen: map[floodKey]*flood{}}
}

// Append writes the denial, or counts it when its address has had too many
// for the same cause in this minute. It reports whether the row now stands
// under its own reference.
func (d *Denials) Append(ctx context.Context, row Row) (bool, error) {
	if d.fold(ctx, row, denialsPerMinute) {
		return false, nil
	}
	return true, d.write(ctx, row)
}

// Fold counts a denial that gets no row of its own: nobody was named in it.
func (d *Denials) Fold(ctx context.Context, row Row) { d.fold(ctx, row, 0) }

// fold reports whether the row was counted instead of being left to write.
func (d *Denials) fold(ctx context.Context, row Row, free int) bool {
	d.mu.Lock()
	key := keyOf(row)
	f := d.seen[key]
	if f == nil && len(d.seen) >= foldKeys {
		key.address = "many"
		f = d.seen[key]
	}
	var over *flood
	if f != nil && d.now().Sub(f.since) >= foldWindow {
		over, f = f, nil
	}
	if f == nil {
		f = &flood{since: d.now()}
		d.seen[key] = f
	}
	counted := f.own >= free
	if counted {
		f.folded++
		f.sample = row
	} else {
		f.own++
	}
	d.mu.Unlock()
	if over != nil {
		d.writeFolded(ctx, over)
	}
	return counted
}

func keyOf(row Row) floodKey {
	key := floodKey{address: row.Caller.Address, plate: row.Plate, event: row.Event, account: row.Caller.Account, workspace: row.Caller.Workspace}
	if row.Refusal != nil {
		key.cause = cause(row.Refusal)
	}
	return key
}

// Run writes the folded rows as their minutes end, and what is left when ctx
// ends.
func (d *Denials) Run(ctx context.Context) {
	tick := time.NewTicker(foldWindow / 6)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			d.Flush(context.WithoutCancel(ctx))
			return
		case <-tick.C:
			d.flush(ctx, foldWindow)
		}
	}
}

// Flush writes all folded rows now.
func (d *Denials) Flush(ctx context.Context) { d.flush(ctx, 0) }

func (d *Denials) flush(ctx context.Context, age time.Duration) {
	d.mu.Lock()
	var over []*flood
	for key, f := range d.seen {
		if d.now().Sub(f.since) >= age {
			over = append(over, f)
			delete(d.seen, key)
		}
	}
	d.mu.Unlock()
	for _, f := range over {
		d.writeFolded(ctx, f)
	}
}

func (d *Denials) writeFolded(ctx context.Context, f *flood) {
	if f.folded == 0 {
		return
	}
	row := f.sample
	row.Count, row.Tool, row.Input, row.Ref = f.folded, "", nil, id.Ref()
	if err := d.write(ctx, row); err != nil {
		d.log.ErrorContext(ctx, "denials not recorded", "count", f.folded, "error", err)
	}
}

// writeLimit bounds a row that may be written after its request has ended.
const writeLimit = 5 * time.Second

func (d *Denials) write(ctx context.Context, row Row) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeLimit)
	defer cancel()
	return d.db.Write(ctx, func(tx *db.Tx) error { return Append(ctx, tx, row) })
}
