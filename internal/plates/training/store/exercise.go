package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/plates/training/strength"
)

// FindExercise returns the visible movement of that name, and false when there
// is none. Names are compared folded; the library's row comes first.
func FindExercise(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, name string) (ExerciseRow, bool, error) {
	row, err := New(tx).ExerciseByKey(ctx, strength.NameKey(name), &ws)
	if errors.Is(err, sql.ErrNoRows) {
		return ExerciseRow{}, false, nil
	}
	if err != nil {
		return ExerciseRow{}, false, fmt.Errorf("find exercise: %w", err)
	}
	return ExerciseRow(row), true, nil
}

// ExerciseByID returns a visible movement, and false when there is none.
func ExerciseByID(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, exercise int64) (ExerciseRow, bool, error) {
	row, err := New(tx).Exercise(ctx, exercise, &ws)
	if errors.Is(err, sql.ErrNoRows) {
		return ExerciseRow{}, false, nil
	}
	if err != nil {
		return ExerciseRow{}, false, fmt.Errorf("read exercise %d: %w", exercise, err)
	}
	return row, true, nil
}

// NewExercise is a movement to make; the name is trimmed already.
type NewExercise struct {
	Name     string
	IconURL  *string
	Barbell  bool
	Measure  string // reps or time
	PerSide  bool
	Weighted bool
}

// AddExercise makes a movement of the workspace. It returns false when another
// writer was faster with the same name.
func AddExercise(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, e NewExercise, by Author) (made bool, err error) {
	_, err = New(tx).InsertExercise(ctx, InsertExerciseParams{
		WorkspaceID: &ws, Name: e.Name, NameKey: strength.NameKey(e.Name), IconUrl: e.IconURL, IsBarbell: e.Barbell,
		DefaultMeasure: e.Measure, DefaultIsPerSide: e.PerSide, DefaultIsWeighted: e.Weighted,
		CreatedByClientID: by.ClientColumn(), CreatedByAccountID: by.AccountColumn(), CreatedAt: dbtype.At(tx.Now()),
	})
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("insert exercise: %w", err)
	}
	return true, nil
}

// Library reports whether the movement is a built-in one.
func (e ExerciseRow) Library() bool { return e.WorkspaceID == nil }

var likeSpecial = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// SearchExercises returns at most limit visible movements whose name holds the
// text, by name, and how many there are in all.
func SearchExercises(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, text string, limit int) ([]ExerciseRow, int64, error) {
	pattern := holds(strength.NameKey(text))
	q := New(tx)
	rows, err := q.Exercises(ctx, ExercisesParams{WorkspaceID: &ws, Pattern: pattern, RowLimit: int64(limit)})
	if err != nil {
		return nil, 0, fmt.Errorf("list exercises: %w", err)
	}
	total, err := q.CountExercises(ctx, &ws, pattern)
	if err != nil {
		return nil, 0, fmt.Errorf("count exercises: %w", err)
	}
	found := make([]ExerciseRow, len(rows))
	for i, r := range rows {
		found[i] = ExerciseRow(r)
	}
	return found, total, nil
}

// Basis is the set that an estimated max is read from.
type Basis struct {
	Set  EstimateSetsRow
	Best int // pounds
}

// EstimatedMax returns the estimated max of a movement on a day with the set
// it comes from, and false when no set gives one.
func EstimatedMax(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, exercise int64, on dbtype.Date) (Basis, bool, error) {
	evidence, err := EvidenceOf(ctx, tx, ws, exercise, on)
	if err != nil {
		return Basis{}, false, err
	}
	basis, found := evidence.On(on)
	return basis, found, nil
}

// Evidence is the sets of a movement that an estimated max may be read from,
// newest first.
type Evidence []EstimateSetsRow

// EvidenceOf returns the evidence up to a day.
func EvidenceOf(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, exercise int64, until dbtype.Date) (Evidence, error) {
	rows, err := New(tx).EstimateSets(ctx, EstimateSetsParams{WorkspaceID: ws, ExerciseID: exercise, Until: until})
	if err != nil {
		return nil, fmt.Errorf("read sets for an estimate: %w", err)
	}
	return rows, nil
}

// On returns the estimated max as of a day, and false when no set gives one.
func (e Evidence) On(day dbtype.Date) (Basis, bool) {
	logged := make([]strength.Logged, len(e))
	for i, r := range e {
		logged[i] = strength.Logged{
			Day: Day(r.Date), Set: strength.Set{Weight: Number(r.Weight), Reps: Number(r.Reps)}, RPE: Number(r.Rpe), Done: true,
		}
	}
	best, at := strength.BestEstimate(logged, Day(day))
	if at < 0 {
		return Basis{}, false
	}
	return Basis{Set: e[at], Best: best}, true
}
