package store

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
)

// ReleaseDay lets what a training day became stand on its own: its workout, if
// there is one (0 = none), and every set that one of its lifts wrote.
func ReleaseDay(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, day, workout int64) error {
	q := New(tx)
	if err := q.ReleaseSetsOfDay(ctx, ws, day); err != nil {
		return fmt.Errorf("release the sets of day %d: %w", day, err)
	}
	if workout == 0 {
		return nil
	}
	if err := q.ReleaseWorkout(ctx, ws, workout); err != nil {
		return fmt.Errorf("release workout %d from its day: %w", workout, err)
	}
	return nil
}

// DropBlock deletes a block that nothing is left of but its plan. Goals that
// were set for it end now and are kept.
func DropBlock(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, program int64) error {
	q := New(tx)
	err := q.EndGoalsOfProgram(ctx, EndGoalsOfProgramParams{SupersededAt: dbtype.At(tx.Now()), WorkspaceID: ws, ProgramID: program})
	if err == nil {
		err = q.DeleteProgram(ctx, ws, program)
	}
	if err != nil {
		return fmt.Errorf("delete block %d: %w", program, err)
	}
	return nil
}
