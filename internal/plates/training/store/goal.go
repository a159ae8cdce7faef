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

// Goals are the active goals of a workspace.
type Goals []ActiveGoalsRow

// GoalsOf returns the active goals of a workspace.
func GoalsOf(ctx context.Context, tx *db.Tx, ws id.WorkspaceID) (Goals, error) {
	rows, err := New(tx).ActiveGoals(ctx, ws)
	if err != nil {
		return nil, fmt.Errorf("read the active goals: %w", err)
	}
	return rows, nil
}

// For returns the active goal of a lift in a block (0 = in no block), nil when
// there is none.
func (g Goals) For(exercise, program int64) *ActiveGoalsRow {
	for i := range g {
		inBlock := int64(0)
		if g[i].ProgramID != nil {
			inBlock = *g[i].ProgramID
		}
		if g[i].ExerciseID == exercise && inBlock == program {
			return &g[i]
		}
	}
	return nil
}

// HeaviestFor returns the heaviest set that was lifted for at least some reps,
// nil when there is none.
func HeaviestFor(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, exercise, reps int64) (*HeaviestAtRepsRow, error) {
	row, err := New(tx).HeaviestAtReps(ctx, HeaviestAtRepsParams{WorkspaceID: ws, ExerciseID: exercise, Reps: &reps})
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find the heaviest set of exercise %d: %w", exercise, err)
	}
	return &row, nil
}

// LiftedFirst returns the first day on which a weight was lifted for at least
// some reps, "" when it never was.
func LiftedFirst(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, exercise, weight, reps int64) (dbtype.Date, error) {
	day, err := New(tx).FirstLifted(ctx, FirstLiftedParams{WorkspaceID: ws, ExerciseID: exercise, Weight: &weight, Reps: &reps})
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("find when exercise %d was lifted with %d lb: %w", exercise, weight, err)
	}
	return day, nil
}

// AddGoal writes a goal and reports whether the workspace sees its movement.
func AddGoal(ctx context.Context, tx *db.Tx, g InsertGoalParams) (bool, error) {
	_, err := New(tx).InsertGoal(ctx, g)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("insert a goal for exercise %d: %w", g.ExerciseID, err)
	}
	return true, nil
}

// FormerGoals returns the goals that were replaced or cleared, the latest ended
// first, at most limit.
func FormerGoals(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, limit int64) ([]FormerGoalsRow, error) {
	rows, err := New(tx).FormerGoals(ctx, ws, limit)
	if err != nil {
		return nil, fmt.Errorf("read the former goals: %w", err)
	}
	return rows, nil
}
