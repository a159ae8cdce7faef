package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// planEdit is an edit of one day of a block that nobody else can edit until
// the transaction ends.
type planEdit struct {
	tx      *db.Tx
	who     contract.Caller
	program Program
	week    Week
	day     Day
}

// lockProgram returns a block that no other writer can edit or generate from
// until the transaction ends.
func lockProgram(ctx context.Context, tx *db.Tx, who contract.Caller, id int64) (Program, error) {
	found, err := store.LockBlock(ctx, tx, who.Workspace, id)
	if err != nil {
		return Program{}, err
	}
	if !found {
		return Program{}, missing("program", id)
	}
	return ReadProgram(ctx, tx, who, id)
}

// editDay opens the edit of a training day.
func editDay(ctx context.Context, tx *db.Tx, who contract.Caller, day int64) (*planEdit, error) {
	program, found, err := store.BlockOfDay(ctx, tx, who.Workspace, day)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, missing("program day", day)
	}
	e := &planEdit{tx: tx, who: who}
	if e.program, err = lockProgram(ctx, tx, who, program); err != nil {
		return nil, err
	}
	if !e.find(func(d Day) bool { return d.ID == day }) {
		return nil, missing("program day", day)
	}
	return e, nil
}

// editLift opens the edit of the day that a lift is written in and returns the
// lift as it stands.
func editLift(ctx context.Context, tx *db.Tx, who contract.Caller, id int64) (*planEdit, Lift, error) {
	program, found, err := store.BlockOfLift(ctx, tx, who.Workspace, id)
	if err != nil {
		return nil, Lift{}, err
	}
	if !found {
		return nil, Lift{}, missing("program lift", id)
	}
	e := &planEdit{tx: tx, who: who}
	if e.program, err = lockProgram(ctx, tx, who, program); err != nil {
		return nil, Lift{}, err
	}
	if !e.find(func(d Day) bool { _, ok := liftIn(d, id); return ok }) {
		return nil, Lift{}, missing("program lift", id)
	}
	l, _ := liftIn(e.day, id)
	return e, l, nil
}

// find turns the edit to the day that is meant.
func (e *planEdit) find(meant func(Day) bool) bool {
	for _, w := range e.program.Weeks {
		for _, d := range w.Days {
			if meant(d) {
				e.week, e.day = w, d
				return true
			}
		}
	}
	return false
}

// reread takes in what this edit has written.
func (e *planEdit) reread(ctx context.Context) error {
	var err error
	if e.program, err = ReadProgram(ctx, e.tx, e.who, e.program.ID); err != nil {
		return err
	}
	id := e.day.ID
	if !e.find(func(d Day) bool { return d.ID == id }) {
		return missing("program day", id)
	}
	return nil
}

func liftIn(d Day, id int64) (Lift, bool) {
	for _, l := range d.Lifts {
		if l.ID == id {
			return l, true
		}
	}
	return Lift{}, false
}

// liftCount returns how many lifts are written in the weeks.
func liftCount(weeks []Week) int {
	n := 0
	for _, w := range weeks {
		for _, d := range w.Days {
			n += len(d.Lifts)
		}
	}
	return n
}

// tooMany refuses a block that would grow beyond what a block holds. The
// counts are those after the edit: of weeks, of days in one week, of lifts in
// one day and in the block.
func tooMany(weeks, days, lifts, all int) error {
	if weeks <= strength.MaxWeeksPerBlock && days <= strength.MaxDaysPerWeek && lifts <= strength.MaxLiftsPerDay && all <= strength.MaxLiftsPerBlock {
		return nil
	}
	return fault.Refuse("A week holds at most %d days, a day at most %d lifts, a block at most %d weeks and %d lifts.",
		strength.MaxDaysPerWeek, strength.MaxLiftsPerDay, strength.MaxWeeksPerBlock, strength.MaxLiftsPerBlock)
}

func checkWeekday(n int64) error {
	if strength.ValidWeekday(int(n)) {
		return nil
	}
	return fault.BadArgument("%s", strength.WeekdayOutOfRange(int(n))).At("weekday")
}

func weekTaken(p string, number int64) *fault.Refusal {
	return fault.Clash("%s already has a week %d. Add it at another number, or edit the week that is there.", p, number)
}

func programRef(id int64) string { return fmt.Sprintf("program:%d", id) }
func liftRef(id int64) string    { return fmt.Sprintf("lift:%d", id) }
