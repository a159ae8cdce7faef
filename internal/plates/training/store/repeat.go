package store

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
)

// RepeatSets writes the sets of another workout into an empty one: open, in
// their order, planned as they were lifted. They belong to no block.
func RepeatSets(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, into int64, sets []SetRow, by Author) error {
	rows := make([][]any, len(sets))
	for i, s := range sets {
		rows[i] = []any{
			ws, into, s.ExerciseID, nil, int64(i + 1), s.Measure, s.Weight, s.Reps, s.DurationSeconds,
			s.Weight, s.Reps, s.DurationSeconds, s.IsPerSide, s.IsWarmup, s.IsBarbell, nil,
			by.ClientColumn(), by.AccountColumn(), dbtype.At(tx.Now()),
		}
	}
	if err := tx.InsertMany(ctx, "training_sets", setColumns, rows); err != nil {
		return fmt.Errorf("repeat %d sets in workout %d: %w", len(sets), into, err)
	}
	return nil
}
