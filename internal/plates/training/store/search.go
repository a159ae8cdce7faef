package store

import (
	"context"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/plates/training/strength"
)

// SearchWorkouts returns at most limit workouts whose date, as YYYY-MM-DD,
// holds the text; the newest first. A text that no date holds is not looked
// for: that would read every workout for nothing.
func SearchWorkouts(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, text string, limit int) ([]WorkoutsLikeRow, error) {
	if len(text) > len("2026-03-02") || strings.Trim(text, "0123456789-") != "" {
		return nil, nil
	}
	rows, err := New(tx).WorkoutsLike(ctx, WorkoutsLikeParams{WorkspaceID: ws, Pattern: holds(strength.NameKey(text)), RowLimit: int64(limit)})
	if err != nil {
		return nil, fmt.Errorf("search workouts: %w", err)
	}
	return rows, nil
}

// SearchBlocks returns at most limit blocks whose name holds the text; the
// latest start first.
func SearchBlocks(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, text string, limit int) ([]ProgramsLikeRow, error) {
	rows, err := New(tx).ProgramsLike(ctx, ProgramsLikeParams{WorkspaceID: ws, Pattern: holds(strength.NameKey(text)), RowLimit: int64(limit)})
	if err != nil {
		return nil, fmt.Errorf("search blocks: %w", err)
	}
	return rows, nil
}

// holds is the pattern of everything that holds the text, taken literally.
func holds(text string) string { return "%" + likeSpecial.Replace(text) + "%" }
