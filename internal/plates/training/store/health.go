package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
)

// Fate is what becomes of a reading that is brought in.
type Fate int

// The fates.
const (
	Added        Fate = iota
	AlreadyThere      // the same reading with the same value
	Conflicting       // the same reading with another value
)

// Reading is a reading to bring in.
type Reading struct {
	Kind, Source string // of the instrument
	Metric, Unit string
	Text         string // as it was written
	Milli        int64
	At           dbtype.Time
	Day          dbtype.Date
}

// Intake brings readings in for one import, a batch a transaction. Its zero
// Import only looks what would become of them.
type Intake struct {
	Workspace id.WorkspaceID
	Import    int64 // 0 = write nothing
	Replace   bool  // the value that is stored gives way

	seen map[digest]int64 // of a look only: what the file brought so far
}

// digest names a reading in few bytes.
type digest [16]byte

func (r Reading) digest() digest {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%d", r.Kind, r.Source, r.Metric, r.Unit, r.At.UnixMicro()))
	return digest(sum[:16])
}

// series is the readings of a batch that have the source, metric and unit in
// common.
type series struct{ kind, source, metric, unit string }

// stored is a reading that is in the database, or that the batch puts there.
type stored struct {
	id    int64 // 0 = new in this batch
	milli int64
	by    int64 // the import that brought it
	at    int   // of a new one: its place among the new ones
}

// AddAll brings a batch of readings in. It returns how many had which fate. A
// reading that this import brought earlier, before it was cut off, counts as
// added again.
func (n *Intake) AddAll(ctx context.Context, tx *db.Tx, batch []Reading) (map[Fate]int64, error) {
	if n.Import != 0 {
		if err := db.LockWorkspace(ctx, tx, n.Workspace); err != nil {
			return nil, err
		}
	}
	parts := map[series][]Reading{}
	var order []series // as the file has them
	for _, r := range batch {
		s := series{r.Kind, r.Source, r.Metric, r.Unit}
		if parts[s] == nil {
			order = append(order, s)
		}
		parts[s] = append(parts[s], r)
	}
	fates := map[Fate]int64{}
	for _, s := range order {
		if err := n.addSeries(ctx, tx, parts[s], fates); err != nil {
			return nil, err
		}
	}
	return fates, nil
}

// Add brings one reading in.
func (n *Intake) Add(ctx context.Context, tx *db.Tx, r Reading) (Fate, error) {
	fates, err := n.AddAll(ctx, tx, []Reading{r})
	for fate := range fates {
		return fate, err
	}
	return 0, err
}

func (n *Intake) addSeries(ctx context.Context, tx *db.Tx, batch []Reading, fates map[Fate]int64) error {
	source, err := n.source(ctx, tx, batch[0])
	if err != nil {
		return err
	}
	there, err := n.there(ctx, tx, source, batch)
	if err != nil {
		return err
	}
	var fresh []Reading
	for _, r := range batch {
		at := r.At.UnixMicro()
		old, known := there[at]
		switch {
		case !known && n.Import == 0:
			fates[n.look(r)]++
		case !known:
			there[at] = stored{milli: r.Milli, by: n.Import, at: len(fresh)}
			fresh = append(fresh, r)
			fates[Added]++
		case old.milli == r.Milli && old.by == n.Import && old.id != 0:
			fates[Added]++
		case old.milli == r.Milli:
			fates[AlreadyThere]++
		case n.Replace && old.id == 0 && n.Import != 0:
			fates[Conflicting]++
			fresh[old.at] = r
		default:
			fates[Conflicting]++
			if err := n.replace(ctx, tx, old, r); err != nil {
				return err
			}
		}
	}
	return n.insert(ctx, tx, source, fresh)
}

// there returns what is stored at the instants of a batch, by microseconds.
// A batch in the order of time is one query.
func (n *Intake) there(ctx context.Context, tx *db.Tx, source int64, batch []Reading) (map[int64]stored, error) {
	found := map[int64]stored{}
	if source == 0 {
		return found, nil
	}
	first, last, q := batch[0].At, batch[0].At, New(tx)
	for _, r := range batch {
		if r.At.Before(first.Time) {
			first = r.At
		}
		if r.At.After(last.Time) {
			last = r.At
		}
	}
	most := int64(4*len(batch) + 16)
	rows, err := q.ReadingsWithin(ctx, ReadingsWithinParams{
		WorkspaceID: n.Workspace, SourceID: source, Metric: batch[0].Metric, Unit: batch[0].Unit, FirstAt: first, LastAt: last, RowLimit: most,
	})
	if err != nil {
		return nil, fmt.Errorf("look for readings: %w", err)
	}
	if int64(len(rows)) < most {
		for _, r := range rows {
			found[r.MeasuredAt.UnixMicro()] = stored{id: r.ID, milli: r.ValueMilli, by: r.ImportID}
		}
		return found, nil
	}
	for _, r := range batch {
		row, err := q.ReadingAt(ctx, ReadingAtParams{WorkspaceID: n.Workspace, SourceID: source, Metric: r.Metric, Unit: r.Unit, MeasuredAt: r.At})
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("look for a reading: %w", err)
		}
		found[r.At.UnixMicro()] = stored{id: row.ID, milli: row.ValueMilli, by: row.ImportID}
	}
	return found, nil
}

func (n *Intake) insert(ctx context.Context, tx *db.Tx, source int64, fresh []Reading) error {
	now, rows := dbtype.At(tx.Now()), make([][]any, len(fresh))
	for i, r := range fresh {
		rows[i] = []any{n.Workspace, source, n.Import, r.Metric, r.Unit, r.Text, r.Milli, r.At, r.Day, now}
	}
	return tx.InsertMany(ctx, "training_health_readings",
		[]string{"workspace_id", "source_id", "import_id", "metric", "unit", "value_text", "value_milli", "measured_at", "local_day", "created_at"}, rows)
}

// look says what would become of a reading that is not stored yet.
func (n *Intake) look(r Reading) Fate {
	if n.seen == nil {
		n.seen = map[digest]int64{}
	}
	key := r.digest()
	milli, seen := n.seen[key]
	switch {
	case seen && milli == r.Milli:
		return AlreadyThere
	case seen:
		return Conflicting
	}
	n.seen[key] = r.Milli
	return Added
}

// replace puts the value of the file in the place of the stored one, which is
// kept for the day that the import is undone.
func (n *Intake) replace(ctx context.Context, tx *db.Tx, old stored, r Reading) error {
	if !n.Replace || n.Import == 0 {
		return nil
	}
	q := New(tx)
	if old.by != n.Import {
		if err := q.KeepReplaced(ctx, KeepReplacedParams{ImportID: n.Import, WorkspaceID: n.Workspace, ReadingID: old.id}); err != nil {
			return fmt.Errorf("keep the value of reading %d: %w", old.id, err)
		}
	}
	err := q.ReplaceReading(ctx, ReplaceReadingParams{ValueText: r.Text, ValueMilli: r.Milli, ImportID: n.Import, WorkspaceID: n.Workspace, ID: old.id})
	if err != nil {
		return fmt.Errorf("replace reading %d: %w", old.id, err)
	}
	return nil
}

// source returns the id of the reading's source, made when it is new; 0 when
// it is new and nothing is to be written.
func (n *Intake) source(ctx context.Context, tx *db.Tx, r Reading) (int64, error) {
	q := New(tx)
	if n.Import != 0 {
		if err := q.AddSource(ctx, AddSourceParams{WorkspaceID: n.Workspace, Kind: r.Kind, Name: r.Source, CreatedAt: dbtype.At(tx.Now())}); err != nil {
			return 0, fmt.Errorf("add source %s/%s: %w", r.Kind, r.Source, err)
		}
	}
	found, err := q.SourceID(ctx, SourceIDParams{WorkspaceID: n.Workspace, Kind: r.Kind, Name: r.Source})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("find source %s/%s: %w", r.Kind, r.Source, err)
	}
	return found, nil
}

// CutOffImport returns the import of the same file that did not come to its
// end, and false when there is none.
func CutOffImport(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, kind, sum string) (int64, bool, error) {
	found, err := New(tx).UnfinishedImport(ctx, UnfinishedImportParams{WorkspaceID: ws, Kind: kind, FileSHA256: sum})
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("look for an import that was cut off: %w", err)
	}
	return found, true, nil
}

// Undone says what became of the readings of an import that was undone.
type Undone struct {
	Removed  int64 // readings that it had brought
	Restored int64 // readings that it had given another value
}

// UndoImport removes an import with the readings that it brought, and gives
// those that it replaced their earlier value again. It returns false when the
// workspace has no such import.
func UndoImport(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, imported int64) (u Undone, found bool, err error) {
	q := New(tx)
	if err := db.LockWorkspace(ctx, tx, ws); err != nil {
		return u, false, err
	}
	steps := []struct {
		what string
		do   func() error
	}{
		{"hand earlier values on", func() error { return q.InheritReplaced(ctx, ws, imported) }},
		{"forget values that it brought", func() error { return q.ForgetReplaced(ctx, ws, imported) }},
		{"restore values", func() (err error) { u.Restored, err = q.RestoreReadings(ctx, ws, imported); return err }},
		{"forget values that it replaced", func() error { return q.DeleteReplacedOfImport(ctx, ws, imported) }},
		{"remove readings", func() (err error) { u.Removed, err = q.DeleteReadingsOfImport(ctx, ws, imported); return err }},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			return Undone{}, false, fmt.Errorf("undo import %d: %s: %w", imported, s.what, err)
		}
	}
	n, err := q.DeleteImport(ctx, ws, imported)
	if err != nil {
		return Undone{}, false, fmt.Errorf("remove import %d: %w", imported, err)
	}
	return u, n > 0, nil
}
