package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// DeleteWorkoutIn names the workout; confirm is needed when sets were lifted.
type DeleteWorkoutIn struct {
	WorkoutID int64 `json:"workout_id"`
	Confirm   bool  `json:"confirm,omitempty"`
}

// DeleteWorkoutOut is what was removed.
type DeleteWorkoutOut struct {
	Removed Workout `json:"removed"`
}

// DeleteWorkout removes a workout with its sets.
func DeleteWorkout() contract.Tool {
	return contract.New(contract.Spec{
		Name: "delete_workout", Title: "Delete a workout", Scope: "write", Surfaces: pagesOnly,
		Says:     "Delete a workout with all of its sets and return what it was. One with lifted sets needs confirm true.",
		ReadOnly: contract.No, Destructive: contract.Yes, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Removes rows; a repeated call finds nothing and changes nothing.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in DeleteWorkoutIn) (contract.Answer[DeleteWorkoutOut], error) {
		var none contract.Answer[DeleteWorkoutOut]
		if _, err := store.Lock(ctx, tx, who.Workspace, in.WorkoutID); err != nil {
			return none, err
		}
		row, err := which{id: &in.WorkoutID}.find(ctx, tx, who, noWorkoutOn)
		if err != nil {
			return none, err
		}
		if row.CompletedSets > 0 && !in.Confirm {
			return none, fault.Refuse("This workout has lifted sets. Confirm to delete it.").At("confirm")
		}
		discard := store.Discard{Workout: row.ID, Date: row.Date, Title: fmt.Sprintf("The workout with %d set(s)", row.Sets), By: author(who)}
		if err := store.MoveToBin(ctx, tx, who.Workspace, discard); err != nil {
			return none, err
		}
		return contract.Answer[DeleteWorkoutOut]{
			Out:  DeleteWorkoutOut{Removed: workout(row, who.Today(tx.Now()))},
			Text: fmt.Sprintf("Deleted the workout of %s with %d set(s)."+keptInBin, row.Date, row.Sets), Refs: []string{workoutRef(row.ID)},
		}, nil
	})
}
