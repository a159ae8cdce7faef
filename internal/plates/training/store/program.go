package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/plates/training/strength"
)

// Block is a programme as it is written: its weeks by number, their days in
// the order of weekdays, the lifts of a day by position. A day names the
// workout that was generated from it.
type Block struct {
	ProgramRow
	Weeks []BlockWeek
}

// BlockWeek is one week of a Block.
type BlockWeek struct {
	WeeksRow
	Days []BlockDay
}

// BlockDay is one training day of a BlockWeek.
type BlockDay struct {
	DaysRow
	Lifts []LiftsRow
}

// Numbers returns the numbers of the weeks, ascending.
func (b Block) Numbers() []int {
	numbers := make([]int, len(b.Weeks))
	for i, w := range b.Weeks {
		numbers[i] = int(w.Number)
	}
	return numbers
}

// BlockByID returns a block in full, and false when the workspace has none of
// that id.
func BlockByID(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, program int64) (Block, bool, error) {
	q := New(tx)
	row, err := q.Program(ctx, ws, program)
	if errors.Is(err, sql.ErrNoRows) {
		return Block{}, false, nil
	}
	if err != nil {
		return Block{}, false, fmt.Errorf("read block %d: %w", program, err)
	}
	weeks, err := q.Weeks(ctx, ws, program)
	if err != nil {
		return Block{}, false, fmt.Errorf("read the weeks of block %d: %w", program, err)
	}
	days, err := q.Days(ctx, ws, program)
	if err != nil {
		return Block{}, false, fmt.Errorf("read the days of block %d: %w", program, err)
	}
	lifts, err := q.Lifts(ctx, ws, program)
	if err != nil {
		return Block{}, false, fmt.Errorf("read the lifts of block %d: %w", program, err)
	}
	return Block{ProgramRow: row, Weeks: weekTree(weeks, days, lifts)}, true, nil
}

// weekTree hangs the lifts on their days and the days on their weeks; each
// list keeps its order.
func weekTree(weeks []WeeksRow, days []DaysRow, lifts []LiftsRow) []BlockWeek {
	byDay := map[int64][]LiftsRow{}
	for _, l := range lifts {
		byDay[l.ProgramDayID] = append(byDay[l.ProgramDayID], l)
	}
	byWeek := map[int64][]BlockDay{}
	for _, d := range days {
		byWeek[d.ProgramWeekID] = append(byWeek[d.ProgramWeekID], BlockDay{DaysRow: d, Lifts: byDay[d.ID]})
	}
	tree := make([]BlockWeek, len(weeks))
	for i, w := range weeks {
		tree[i] = BlockWeek{WeeksRow: w, Days: byWeek[w.ID]}
	}
	return tree
}

// FirstBlock returns the id of the block that was written first, and false
// when there is none.
func FirstBlock(ctx context.Context, tx *db.Tx, ws id.WorkspaceID) (int64, bool, error) {
	program, err := New(tx).FirstProgram(ctx, ws)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("find the first block: %w", err)
	}
	return program, true, nil
}

// OpenBlock makes a block without weeks, with the name, number and settings of
// b, that starts on a day. When the workspace already has one of that name and
// number it returns that one and made is false.
func OpenBlock(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, b strength.Block, start dbtype.Date, by Author) (program int64, made bool, err error) {
	q, number := New(tx), int64(b.Number)
	named := ProgramByNameParams{WorkspaceID: ws, NameKey: strength.NameKey(b.Name), Block: number}
	// Looking first keeps a repeated call from using up an id.
	program, err = q.ProgramByName(ctx, named)
	if !errors.Is(err, sql.ErrNoRows) {
		return program, false, wrapOpen(b, err)
	}
	program, err = q.InsertProgram(ctx, InsertProgramParams{
		WorkspaceID: ws, Name: b.Name, NameKey: named.NameKey, Block: &number, StartDate: start,
		PreferredReps: Optional(b.PreferredReps), IsAscending: b.Ascending,
		CreatedByClientID: by.ClientColumn(), CreatedByAccountID: by.AccountColumn(), CreatedAt: dbtype.At(tx.Now()),
	})
	if made = !errors.Is(err, sql.ErrNoRows); !made { // another writer was faster
		program, err = q.ProgramByName(ctx, named)
	}
	return program, made && err == nil, wrapOpen(b, err)
}

func wrapOpen(b strength.Block, err error) error {
	if err != nil {
		return fmt.Errorf("open block %s: %w", b.Name, err)
	}
	return nil
}

// BlockNamed returns the id of the block of that name key and number (-1 =
// none), and false when the workspace has none.
func BlockNamed(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, nameKey string, number int64) (int64, bool, error) {
	program, err := New(tx).ProgramByName(ctx, ProgramByNameParams{WorkspaceID: ws, NameKey: nameKey, Block: number})
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("look for a block named %s: %w", nameKey, err)
	}
	return program, true, nil
}
