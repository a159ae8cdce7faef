package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
)

// LockBlock makes this transaction the only one that edits the block or
// generates from it until it ends. It returns false when the workspace has no
// such block.
func LockBlock(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, program int64) (bool, error) {
	_, err := New(tx).LockProgram(ctx, ws, program)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock block %d: %w", program, err)
	}
	return true, nil
}

// BlockOfDay returns the id of the block that a training day is written in,
// and false when the workspace has no such day.
func BlockOfDay(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, day int64) (int64, bool, error) {
	program, err := New(tx).ProgramOfDay(ctx, ws, day)
	return blockOf("day", day, program, err)
}

// BlockOfLift returns the id of the block that a lift is written in, and false
// when the workspace has no such lift.
func BlockOfLift(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, lift int64) (int64, bool, error) {
	program, err := New(tx).ProgramOfLift(ctx, ws, lift)
	return blockOf("lift", lift, program, err)
}

func blockOf(kind string, part, program int64, err error) (int64, bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("find the block of %s %d: %w", kind, part, err)
	}
	return program, true, nil
}

// RemoveLift deletes a lift. Sets that it wrote and that are still there stay,
// as if they had been added by hand.
func RemoveLift(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, lift int64) error {
	q := New(tx)
	if err := q.ReleaseSets(ctx, ws, &lift); err != nil {
		return fmt.Errorf("release the sets of lift %d: %w", lift, err)
	}
	if err := q.DeleteLift(ctx, ws, lift); err != nil {
		return fmt.Errorf("delete lift %d: %w", lift, err)
	}
	return nil
}

// DropLiftSets removes what a lift wrote into a workout.
func DropLiftSets(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, workout, lift int64) error {
	err := New(tx).DeleteLiftSets(ctx, DeleteLiftSetsParams{WorkspaceID: ws, WorkoutID: workout, ProgramLiftID: &lift})
	if err != nil {
		return fmt.Errorf("remove what lift %d wrote into workout %d: %w", lift, workout, err)
	}
	return nil
}

// Gap is a place between two sets of a workout: behind the set at one position
// (0 = the beginning) and before the one at the other (0 = the end).
type Gap struct{ Behind, Before int64 }

// WriteLiftSets writes the sets of one lift into a gap. The sets behind it
// keep their rows and make room where the gap is too small.
func WriteLiftSets(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, workout int64, into Gap, lift WrittenLift, by Author) error {
	if err := allVisible(ctx, tx, ws, []WrittenLift{lift}); err != nil {
		return err
	}
	last := into.Behind + int64(len(lift.Generated.Warmups)+len(lift.Generated.Working))
	if into.Before != 0 && into.Before <= last {
		if err := makeRoom(ctx, tx, ws, workout, into.Behind, last+1-into.Before); err != nil {
			return err
		}
	}
	return insertWrittenSets(ctx, tx, ws, workout, into.Behind, []WrittenLift{lift}, by)
}

// makeRoom moves the sets behind a position, in two statements by way of
// negative positions, because a position is unique at every moment.
func makeRoom(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, workout, behind, places int64) error {
	q := New(tx)
	err := q.ClearPositions(ctx, ClearPositionsParams{Places: places, WorkspaceID: ws, WorkoutID: workout, Behind: behind})
	if err == nil {
		err = q.TakePositions(ctx, ws, workout)
	}
	if err != nil {
		return fmt.Errorf("make room in workout %d: %w", workout, err)
	}
	return nil
}

// AddLift writes a lift and returns its id, and false when its movement is not
// one that the workspace sees.
func AddLift(ctx context.Context, tx *db.Tx, l InsertLiftParams) (int64, bool, error) {
	lift, err := New(tx).InsertLift(ctx, l)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("insert a lift into day %d: %w", l.ProgramDayID, err)
	}
	return lift, true, nil
}

// AddBlock writes a block without weeks and returns its id. When the workspace
// has one of that name and number it returns that one's and made is false.
func AddBlock(ctx context.Context, tx *db.Tx, b InsertProgramParams) (program int64, made bool, err error) {
	q, number := New(tx), int64(-1)
	if b.Block != nil {
		number = *b.Block
	}
	program, err = q.InsertProgram(ctx, b)
	if made = !errors.Is(err, sql.ErrNoRows); !made {
		program, err = q.ProgramByName(ctx, ProgramByNameParams{WorkspaceID: b.WorkspaceID, NameKey: b.NameKey, Block: number})
	}
	if err != nil {
		return 0, false, fmt.Errorf("add block %s: %w", b.Name, err)
	}
	return program, made, nil
}

// HasBlock reports whether the workspace has a block of that id.
func HasBlock(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, program int64) (bool, error) {
	_, err := New(tx).Program(ctx, ws, program)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read block %d: %w", program, err)
	}
	return true, nil
}
