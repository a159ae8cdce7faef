package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/plates/training/strength"
)

// LiftWork is what a workspace trained of one movement, day by day.
type LiftWork struct {
	Exercise int64
	Name     string
	Days     []strength.DayWork // oldest first
}

// WorkIn returns what a workspace trained in the weeks of a window that ends
// with this week, by movement in the order of their names. The database counts
// by day, so that a year of sets is a few hundred rows.
func WorkIn(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, today time.Time, weeks int) ([]LiftWork, error) {
	from := strength.WindowStart(today, weeks)
	rows, err := New(tx).WorkByDay(ctx, WorkByDayParams{
		WorkspaceID: ws, FromDate: Date(from), ToDate: Date(strength.MondayOf(today).AddDate(0, 0, 6)),
	})
	if err != nil {
		return nil, fmt.Errorf("count the work of %d weeks: %w", weeks, err)
	}
	byLift := map[int64][]strength.DayWork{}
	for _, r := range rows {
		byLift[r.ExerciseID] = append(byLift[r.ExerciseID], strength.DayWork{
			Day:    Day(r.Date),
			Volume: strength.Volume{Sets: int(r.Sets), Reps: int(r.Reps), Tonnage: int(r.Tonnage), Seconds: int(r.Seconds)},
			Top:    int(r.Heaviest),
		})
	}
	return named(ctx, tx, ws, byLift)
}

// named gives the movements their names.
func named(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, byLift map[int64][]strength.DayWork) ([]LiftWork, error) {
	if len(byLift) == 0 {
		return nil, nil
	}
	ids := make([]int64, 0, len(byLift))
	for exercise := range byLift {
		ids = append(ids, exercise)
	}
	text, err := json.Marshal(ids)
	if err != nil {
		return nil, fmt.Errorf("list exercises: %w", err)
	}
	names, err := New(tx).ExerciseNames(ctx, &ws, string(text))
	if err != nil {
		return nil, fmt.Errorf("name exercises: %w", err)
	}
	list := make([]LiftWork, len(names))
	for i, n := range names {
		list[i] = LiftWork{n.ID, n.Name, byLift[n.ID]}
	}
	return list, nil
}

// Total sums the work of a movement.
func (l LiftWork) Total() strength.Volume {
	var v strength.Volume
	for _, d := range l.Days {
		v = v.Plus(d.Volume)
	}
	return v
}
