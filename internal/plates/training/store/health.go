package store

import (
	"context"
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

// Intake brings readings in for one import. Its zero Import only looks what
// would become of them.
type Intake struct {
	Workspace id.WorkspaceID
	Import    int64 // 0 = write nothing
	Replace   bool  // the value that is stored gives way

	sources map[string]int64
	seen    map[Reading]int64 // of a look only: what the file brought so far
}

// Add brings one reading in.
func (n *Intake) Add(ctx context.Context, tx *db.Tx, r Reading) (Fate, error) {
	source, err := n.source(ctx, tx, r)
	if err != nil {
		return 0, err
	}
	q := New(tx)
	there, err := q.ReadingAt(ctx, ReadingAtParams{WorkspaceID: n.Workspace, SourceID: source, Metric: r.Metric, Unit: r.Unit, MeasuredAt: r.At})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("look for a reading: %w", err)
	}
	switch {
	case err == nil && there.ValueMilli == r.Milli:
		return AlreadyThere, nil
	case err == nil:
		return Conflicting, n.replace(ctx, tx, there.ID, r)
	case n.Import == 0:
		return n.look(r), nil
	}
	_, err = q.InsertReading(ctx, InsertReadingParams{
		WorkspaceID: n.Workspace, SourceID: source, ImportID: n.Import, Metric: r.Metric, Unit: r.Unit, ValueText: r.Text, ValueMilli: r.Milli,
		MeasuredAt: r.At, LocalDay: r.Day, CreatedAt: dbtype.At(tx.Now()),
	})
	if errors.Is(err, sql.ErrNoRows) {
		return AlreadyThere, nil // another import was faster
	}
	if err != nil {
		return 0, fmt.Errorf("insert a reading: %w", err)
	}
	return Added, nil
}

// look says what would become of a reading that is not stored yet.
func (n *Intake) look(r Reading) Fate {
	key := r
	key.Text, key.Milli, key.Day = "", 0, ""
	if n.seen == nil {
		n.seen = map[Reading]int64{}
	}
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

func (n *Intake) replace(ctx context.Context, tx *db.Tx, reading int64, r Reading) error {
	if !n.Replace || n.Import == 0 {
		return nil
	}
	err := New(tx).ReplaceReading(ctx, ReplaceReadingParams{ValueText: r.Text, ValueMilli: r.Milli, ImportID: n.Import, WorkspaceID: n.Workspace, ID: reading})
	if err != nil {
		return fmt.Errorf("replace reading %d: %w", reading, err)
	}
	return nil
}

// source returns the id of the reading's source, made when it is new; 0 when
// it is new and nothing is to be written.
func (n *Intake) source(ctx context.Context, tx *db.Tx, r Reading) (int64, error) {
	label := r.Kind + "/" + r.Source
	if found, known := n.sources[label]; known {
		return found, nil
	}
	q := New(tx)
	if n.Import != 0 {
		if err := q.AddSource(ctx, AddSourceParams{WorkspaceID: n.Workspace, Kind: r.Kind, Name: r.Source, CreatedAt: dbtype.At(tx.Now())}); err != nil {
			return 0, fmt.Errorf("add source %s: %w", label, err)
		}
	}
	found, err := q.SourceID(ctx, SourceIDParams{WorkspaceID: n.Workspace, Kind: r.Kind, Name: r.Source})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("find source %s: %w", label, err)
	}
	if n.sources == nil {
		n.sources = map[string]int64{}
	}
	n.sources[label] = found
	return found, nil
}

// UndoImport removes an import with the readings that it brought. It returns
// how many they were, and false when the workspace has no such import.
func UndoImport(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, imported int64) (removed int64, found bool, err error) {
	q := New(tx)
	removed, err = q.DeleteReadingsOfImport(ctx, ws, imported)
	if err != nil {
		return 0, false, fmt.Errorf("remove the readings of import %d: %w", imported, err)
	}
	n, err := q.DeleteImport(ctx, ws, imported)
	if err != nil {
		return 0, false, fmt.Errorf("remove import %d: %w", imported, err)
	}
	return removed, n > 0, nil
}
