package pages

import (
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
)

// wayOn is what follows when no session of a block is left to lift: its next
// week, which is still to be generated, or its end.
type wayOn struct {
	ProgramID int64
	Block     string
	Week      int64 // to generate, 0 = the block is finished
}

// wayOn returns what follows in a block, nil while a session of it is open
// today or later. Asked for a workout, after is its week, and only the latest
// generated week leads on; 0 asks for the block as a whole.
func (rd reader) wayOn(program int64, block string, after int) (*wayOn, error) {
	q := store.New(rd.tx)
	weeks, err := q.Weeks(rd.ctx, rd.who.Workspace, program)
	if err != nil {
		return nil, err
	}
	days, err := q.Days(rd.ctx, rd.who.Workspace, program)
	if err != nil {
		return nil, err
	}
	open, err := rd.open(rd.today)
	if err != nil {
		return nil, err
	}
	number := map[int64]int64{}
	for _, week := range weeks {
		number[week.ID] = week.Number
	}
	way := &wayOn{ProgramID: program, Block: block}
	for _, day := range days {
		week := number[day.ProgramWeekID]
		switch {
		case day.WorkoutID == nil && (way.Week == 0 || week < way.Week):
			way.Week = week
		case day.WorkoutID != nil && (open[*day.WorkoutID] || after != 0 && week > int64(after)):
			return nil, nil
		}
	}
	return way, nil
}

// wayAhead returns what follows once nothing is left to lift: in the block that
// covers today, or else in the one trained last, because weeks are lifted ahead
// of the calendar and behind it.
func (rd reader) wayAhead(v homeView) (*wayOn, error) {
	if v.BlockID != 0 {
		return rd.wayOn(v.BlockID, v.Block, 0)
	}
	q := store.New(rd.tx)
	blocks, err := q.Programs(rd.ctx, rd.who.Workspace, blockLimit) // the latest start first
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		begun, err := q.BlockWorkouts(rd.ctx, rd.who.Workspace, b.ID)
		if err != nil {
			return nil, err
		}
		if len(begun) > 0 {
			return rd.wayOn(b.ID, b.Name, 0)
		}
	}
	return nil, nil
}

// openLimit is more workouts than anybody plans ahead.
const openLimit = 500

// open returns the workouts from a day on that have something left to lift.
func (rd reader) open(from dbtype.Date) (map[int64]bool, error) {
	ahead, err := rd.between(from, store.LastDay, openLimit)
	if err != nil {
		return nil, err
	}
	left := map[int64]bool{}
	for _, w := range ahead {
		left[w.ID] = w.Done < w.Sets
	}
	return left, nil
}

// after returns what follows a workout whose sets are all done, nil for every
// other one.
func (rd reader) after(w workoutView) (*wayOn, error) {
	if w.ProgramID == 0 || !w.complete() {
		return nil, nil
	}
	return rd.wayOn(w.ProgramID, w.Block, w.Week)
}
