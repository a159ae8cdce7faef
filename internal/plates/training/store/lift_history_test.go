package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/plate"
	"tectonic/internal/plates/training"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/testkit"
)

func TestMain(m *testing.M) {
	p := training.New(plate.Bed{})
	testkit.Lines, testkit.Standing = []db.Line{db.Bedrock, p.Migrations}, p.Setup
	os.Exit(m.Run())
}

// inside runs fn in a write transaction that has to succeed.
func inside(t *testing.T, d *db.DB, fn func(context.Context, *db.Tx) error) {
	t.Helper()
	if err := d.Write(t.Context(), func(tx *db.Tx) error { return fn(t.Context(), tx) }); err != nil {
		t.Fatal(err)
	}
}

// workspace makes a workspace without members.
func workspace(ctx context.Context, tx *db.Tx) (ws id.WorkspaceID, err error) {
	err = tx.QueryRowContext(ctx, "INSERT INTO workspaces (uid, name, time_zone, created_at) VALUES ($1, 'Personal', 'UTC', $2) RETURNING id",
		id.UID(), dbtype.At(tx.Now())).Scan(&ws)
	return ws, err
}

// movement makes a movement of a workspace.
func movement(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, name string) (int64, error) {
	return store.New(tx).InsertExercise(ctx, store.InsertExerciseParams{
		WorkspaceID: &ws, Name: name, NameKey: strength.NameKey(name), DefaultMeasure: "reps", CreatedAt: dbtype.At(tx.Now()),
	})
}

// log writes a workout on the day with one set of five for each load. Negative
// loads are open sets, a load of 45 is a warm-up.
func log(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, exercise int64, day dbtype.Date, loads ...int64) error {
	at := dbtype.At(tx.Now())
	workout, err := store.New(tx).InsertWorkout(ctx, store.InsertWorkoutParams{WorkspaceID: ws, Date: day, CreatedAt: at})
	if err != nil {
		return err
	}
	var rows [][]any
	for i, load := range loads {
		rows = append(rows, []any{ws, workout, exercise, int64(i + 1), max(load, -load), int64(5), load > 0, load == 45, at})
	}
	return tx.InsertMany(ctx, "training_sets", []string{
		"workspace_id", "workout_id", "exercise_id", "position", "weight", "reps", "is_completed", "is_warmup", "created_at",
	}, rows)
}

func TestLiftHistoryPagesThroughTheOwnSets(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		inside(t, d, func(ctx context.Context, tx *db.Tx) error {
			ws, err := workspace(ctx, tx)
			other, err2 := workspace(ctx, tx)
			squat, _, err3 := store.FindExercise(ctx, tx, ws, "back squat")
			if err := errors.Join(err, err2, err3); err != nil {
				return err
			}
			start := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
			for i := range 41 { // 205 sets
				if err := log(ctx, tx, ws, squat.ID, store.Date(start.AddDate(0, 0, i)), 45, 100, 110, -120, 105); err != nil {
					return err
				}
			}
			if err := log(ctx, tx, other, squat.ID, "2026-01-02", 500); err != nil {
				return err
			}
			var sizes []int
			seen := map[int64]bool{}
			previous := store.LastDay
			for from := (&store.Before{}); from != nil; {
				rows, next, err := store.LiftHistory(ctx, tx, ws, squat.ID, *from)
				if err != nil {
					return err
				}
				for _, r := range rows {
					if r.Date > previous || seen[r.ID] || *r.Weight == 500 {
						t.Errorf("set %d of %s is out of order, twice or another's", r.ID, r.Date)
					}
					previous, seen[r.ID] = r.Date, true
				}
				sizes, from = append(sizes, len(rows)), next
			}
			if diff := cmp.Diff([]int{100, 100, 5}, sizes); diff != "" {
				t.Errorf("pages: %s", diff)
			}
			heaviest, err := store.Heaviest(ctx, tx, ws, squat.ID)
			if len(heaviest) != 41 || heaviest[0] != (store.HeaviestByDayRow{Date: "2026-01-01", Weight: 110}) {
				t.Errorf("heaviest of %d days, the first %+v", len(heaviest), heaviest[:min(1, len(heaviest))])
			}
			return err
		})
	})
}

func TestCloseNamesShareAWord(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		inside(t, d, func(ctx context.Context, tx *db.Tx) error {
			ws, err := workspace(ctx, tx)
			other, err2 := workspace(ctx, tx)
			_, err3 := movement(ctx, tx, ws, "Hack Machine")
			_, err4 := movement(ctx, tx, other, "Secret Machine")
			if err := errors.Join(err, err2, err3, err4); err != nil {
				return err
			}
			for name, want := range map[string][]string{
				"incline bench":  {"Incline Bench Press", "Bench Press", "Close-Grip Bench Press"},
				"MACHINE squats": {"Hack Machine"},
				"nothing alike":  nil,
				"":               nil,
			} {
				got, err := store.CloseNames(ctx, tx, ws, name)
				if err != nil {
					return err
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("close to %q: %s", name, diff)
				}
			}
			return nil
		})
	})
}

func TestLiftTakesOnlyAVisibleMovement(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		inside(t, d, func(ctx context.Context, tx *db.Tx) error {
			q, at := store.New(tx), dbtype.At(tx.Now())
			ws, err := workspace(ctx, tx)
			other, err2 := workspace(ctx, tx)
			foreign, err3 := movement(ctx, tx, other, "Secret Machine")
			program, err4 := q.InsertProgram(ctx, store.InsertProgramParams{WorkspaceID: ws, Name: "A", NameKey: "a", StartDate: "2026-03-02", CreatedAt: at})
			week, err5 := q.InsertWeek(ctx, store.InsertWeekParams{WorkspaceID: ws, ProgramID: program, Number: 1, CreatedAt: at})
			day, err6 := q.InsertDay(ctx, store.InsertDayParams{WorkspaceID: ws, ProgramWeekID: week, Weekday: 1, CreatedAt: at})
			if err := errors.Join(err, err2, err3, err4, err5, err6); err != nil {
				return err
			}
			lift := store.InsertLiftParams{
				WorkspaceID: ws, ProgramDayID: day, ExerciseID: foreign, Sets: 3, Measure: "reps", Reps: store.Optional(5),
				IsWeighted: true, TopWeight: store.Optional(100), Progression: new("linear"), CreatedAt: at,
			}
			if _, err := q.InsertLift(ctx, lift); !errors.Is(err, sql.ErrNoRows) {
				t.Errorf("another workspace's movement: %v, want no row", err)
			}
			squat, _, err := store.FindExercise(ctx, tx, ws, "Back Squat")
			if err != nil {
				return err
			}
			lift.ExerciseID = squat.ID
			if _, err := q.InsertLift(ctx, lift); err != nil {
				return fmt.Errorf("a library movement: %w", err)
			}
			return nil
		})
	})
}
