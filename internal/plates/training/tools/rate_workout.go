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

// RateWorkoutIn rates the workout that it names.
type RateWorkoutIn struct {
	RPE       int64   `json:"rpe"`
	Date      *string `json:"date" doc:"'today' or YYYY-MM-DD"`
	WorkoutID *int64  `json:"workout_id"`
}

// RateWorkoutOut is the workout afterwards.
type RateWorkoutOut struct {
	Workout
	Changed contract.Changed `json:"changed"`
}

// RateWorkout records how hard a whole session was.
func RateWorkout() contract.Tool {
	return contract.New(contract.Spec{
		Name: "rate_workout", Title: "Rate a session", Scope: "write",
		Says:     "Record how hard a whole session was, 1 to 10, on the workout of a date (today by default) or a workout_id. Never opens a workout. Returns the workout and the change. Single sets are rated with complete_set.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Replaces the earlier rating and returns it, so the same tool restores it.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in RateWorkoutIn) (contract.Answer[RateWorkoutOut], error) {
		var none contract.Answer[RateWorkoutOut]
		if err := inRange(strength.RPERange, "rpe", &in.RPE); err != nil {
			return none, err
		}
		row, err := which{in.WorkoutID, in.Date}.lock(ctx, tx, who, "No workout on %s to rate.")
		if err != nil {
			return none, err
		}
		changed := contract.Changed{}
		change(changed, "rpe", row.Rpe, &in.RPE)
		if err := store.New(tx).RateWorkout(ctx, store.RateWorkoutParams{Rpe: &in.RPE, WorkspaceID: who.Workspace, ID: row.ID}); err != nil {
			return none, fmt.Errorf("rate workout %d: %w", row.ID, err)
		}
		row.Rpe = &in.RPE
		return contract.Answer[RateWorkoutOut]{
			Out:  RateWorkoutOut{Workout: workout(row, who.Today(tx.Now())), Changed: changed},
			Text: fmt.Sprintf("Session on %s: %s.", row.Date, changesText(changed)), Refs: []string{workoutRef(row.ID)},
		}, nil
	})
}
