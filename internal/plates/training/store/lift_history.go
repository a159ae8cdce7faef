package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/plates/training/strength"
)

// HistoryPage is how many sets of a movement are shown at a time.
const HistoryPage = 100

// Before says where a page of sets goes on: behind the set of that date and
// id. Its zero value is the beginning.
type Before struct {
	Date dbtype.Date
	Set  int64
}

// LiftHistory returns the workspace's own sets of a movement, done or not,
// newest first, at most HistoryPage of them, and where the next page begins;
// nil when there is none.
func LiftHistory(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, exercise int64, from Before) ([]ExerciseSetsRow, *Before, error) {
	if from.Date == "" {
		from.Date = LastDay
	}
	rows, err := New(tx).ExerciseSets(ctx, ExerciseSetsParams{
		WorkspaceID: ws, ExerciseID: exercise, BeforeDate: from.Date, BeforeID: from.Set, RowLimit: HistoryPage + 1,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read the sets of exercise %d: %w", exercise, err)
	}
	if len(rows) <= HistoryPage {
		return rows, nil, nil
	}
	rows = rows[:HistoryPage]
	last := rows[HistoryPage-1]
	return rows, &Before{Date: last.Date, Set: last.ID}, nil
}

// Heaviest returns the heaviest load in pounds of a movement on every day on
// which the workspace lifted it, in the order of the days. Warm-ups and open
// sets do not count.
func Heaviest(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, exercise int64) ([]HeaviestByDayRow, error) {
	rows, err := New(tx).HeaviestByDay(ctx, ws, exercise)
	if err != nil {
		return nil, fmt.Errorf("read the heaviest sets of exercise %d: %w", exercise, err)
	}
	return rows, nil
}

// Actual returns what was done, or is to be done, in the set.
func (s ExerciseSetsRow) Actual() strength.Set {
	return strength.Set{Weight: Number(s.Weight), Reps: Number(s.Reps), Seconds: Number(s.DurationSeconds)}
}

// Plan returns what was written for the set; zero when nothing was.
func (s ExerciseSetsRow) Plan() strength.Set {
	return strength.Set{Weight: Number(s.PlannedWeight), Reps: Number(s.PlannedReps), Seconds: Number(s.PlannedDurationSeconds)}
}

// mostClose is how many names a refusal suggests.
const mostClose = 3

// CloseNames returns up to three names of visible movements that share a word
// with the given one, those that share the most first, then by name.
func CloseNames(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, name string) ([]string, error) {
	words := strings.Fields(strength.NameKey(name))
	all, err := ExerciseNames(ctx, tx, ws)
	if err != nil {
		return nil, err
	}
	type near struct {
		name   string
		shared int
	}
	var found []near
	for _, e := range all {
		if n := shared(words, strings.Fields(strength.NameKey(e))); n > 0 {
			found = append(found, near{e, n})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return b.shared - a.shared })
	var names []string
	for _, f := range found[:min(len(found), mostClose)] {
		names = append(names, f.name)
	}
	return names, nil
}

// ExerciseNames returns the names of the visible movements.
func ExerciseNames(ctx context.Context, tx *db.Tx, ws id.WorkspaceID) ([]string, error) {
	all, err := New(tx).Exercises(ctx, ExercisesParams{WorkspaceID: &ws, Pattern: "%", RowLimit: mostSearched})
	if err != nil {
		return nil, fmt.Errorf("list exercises: %w", err)
	}
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.Name
	}
	return names, nil
}

// mostSearched bounds the movements whose names are compared with one.
const mostSearched = 2000

func shared(a, b []string) int {
	n := 0
	for _, word := range a {
		if slices.Contains(b, word) {
			n++
		}
	}
	return n
}
