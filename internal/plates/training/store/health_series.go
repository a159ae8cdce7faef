package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/plates/training/health"
)

// ReadingSeries is one source's readings of one metric in one unit, never
// merged with anything else.
type ReadingSeries struct {
	ReadingGroupsRow
	Recent []health.Reading // by instant, of the days up to the last one
}

// SeriesOf returns every series of a workspace, by source, metric and unit,
// each with its readings of that many days up to its last one.
func SeriesOf(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, days int) ([]ReadingSeries, error) {
	q := New(tx)
	groups, err := q.ReadingGroups(ctx, ws)
	if err != nil {
		return nil, fmt.Errorf("list the series of readings: %w", err)
	}
	list := make([]ReadingSeries, len(groups))
	for i, g := range groups {
		list[i].ReadingGroupsRow = g
		rows, err := q.ReadingsOfGroup(ctx, ReadingsOfGroupParams{
			WorkspaceID: ws, SourceID: g.SourceID, Metric: g.Metric, Unit: g.Unit, FromDay: dbtype.Date(g.LastDay).AddDays(1 - days),
		})
		if err != nil {
			return nil, fmt.Errorf("read %s of source %d: %w", g.Metric, g.SourceID, err)
		}
		for _, r := range rows {
			list[i].Recent = append(list[i].Recent, health.Reading{At: r.MeasuredAt.Time, Day: Day(r.LocalDay), Milli: r.ValueMilli})
		}
	}
	return list, nil
}

// ImportsOf returns the latest imports of a workspace, the newest first.
func ImportsOf(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, limit int64) ([]ImportsRow, error) {
	rows, err := New(tx).Imports(ctx, ws, limit)
	if err != nil {
		return nil, fmt.Errorf("list the imports: %w", err)
	}
	return rows, nil
}

// ImportByID returns one import, and false when the workspace has none of that
// id.
func ImportByID(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, imported int64) (ImportsRow, bool, error) {
	row, err := New(tx).OneImport(ctx, ws, imported)
	if errors.Is(err, sql.ErrNoRows) {
		return ImportsRow{}, false, nil
	}
	if err != nil {
		return ImportsRow{}, false, fmt.Errorf("read import %d: %w", imported, err)
	}
	return ImportsRow(row), true, nil
}
