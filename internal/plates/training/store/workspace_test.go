package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/testkit"
)

// tenantTables are the tables whose rows belong to a workspace.
var tenantTables = []string{
	"training_settings", "training_plates", "training_exercises", "training_programs", "training_program_weeks",
	"training_program_days", "training_program_lifts", "training_workouts", "training_sets", "training_goals", "training_bin",
	"training_health_sources", "training_imports", "training_health_readings",
}

func TestWorkspaceTakesAllItsRowsAlong(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		inside(t, d, func(ctx context.Context, tx *db.Tx) error {
			q, at := store.New(tx), dbtype.At(tx.Now())
			ws, err := workspace(ctx, tx)
			own, err2 := movement(ctx, tx, ws, "Hack Machine")
			program, _, err3 := store.OpenBlock(ctx, tx, ws, strength.Block{Name: "A"}, "2026-03-02", store.Author{})
			week, err4 := q.InsertWeek(ctx, store.InsertWeekParams{WorkspaceID: ws, ProgramID: program, Number: 1, CreatedAt: at})
			day, err5 := q.InsertDay(ctx, store.InsertDayParams{WorkspaceID: ws, ProgramWeekID: week, Weekday: 1, CreatedAt: at})
			lift, err6 := q.InsertLift(ctx, store.InsertLiftParams{
				WorkspaceID: ws, ProgramDayID: day, ExerciseID: own, Sets: 1, Measure: "reps", Reps: store.Optional(5), CreatedAt: at,
			})
			_, _, err7 := store.GenerateWorkout(ctx, tx, ws, day, "2026-03-02", []store.WrittenLift{{
				Lift: lift, Exercise: own, Generated: strength.Generated{Working: []strength.Set{{Reps: 5}}, Reason: "No load."},
			}}, store.Author{})
			err8 := q.SaveBar(ctx, store.SaveBarParams{WorkspaceID: ws, BarWeight: 45, CreatedAt: at})
			err9 := q.InsertPlate(ctx, store.InsertPlateParams{WorkspaceID: ws, DenominationHundredths: 250, Pairs: 1, CreatedAt: at})
			_, err10 := q.InsertGoal(ctx, store.InsertGoalParams{WorkspaceID: ws, ExerciseID: own, ProgramID: &program, TargetWeight: 100, TargetReps: 1, CreatedAt: at})
			if err := errors.Join(err, err2, err3, err4, err5, err6, err7, err8, err9, err10); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, "DELETE FROM workspaces WHERE id = $1", ws); err != nil {
				return fmt.Errorf("delete the workspace: %w", err)
			}
			for _, table := range tenantTables {
				var left int
				row := tx.QueryRowContext(ctx, "SELECT count(*) FROM "+table+" WHERE workspace_id = $1", ws)
				if err := row.Scan(&left); err != nil || left != 0 {
					t.Errorf("%s keeps %d rows (%v)", table, left, err)
				}
			}
			return nil
		})
	})
}
