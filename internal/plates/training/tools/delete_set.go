package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// DeleteSetIn names a set; confirm is needed for one that was lifted.
type DeleteSetIn struct {
	SetID   int64 `json:"set_id"`
	Confirm bool  `json:"confirm,omitempty"`
}

// DeleteSetOut is what was removed, so that it can be logged again.
type DeleteSetOut struct {
	Removed Set `json:"removed"`
}

// DeleteSet removes a set.
func DeleteSet() contract.Tool {
	return contract.New(contract.Spec{
		Name: "delete_set", Title: "Delete a set", Scope: "write",
		Says:     "Delete a set and return what it was, so it can be logged again. A set marked as lifted is training history and needs confirm true, which you should send only if the user asked for it.",
		ReadOnly: contract.No, Destructive: contract.Yes, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Removes a row; a repeated call finds nothing and changes nothing.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in DeleteSetIn) (contract.Answer[DeleteSetOut], error) {
		var none contract.Answer[DeleteSetOut]
		row, err := lockSet(ctx, tx, who, in.SetID)
		if err != nil {
			return none, err
		}
		if row.IsCompleted && !in.Confirm {
			return none, fault.Refuse("Set %d is marked as lifted, so deleting it removes training that happened. Send confirm true if the user asked to remove it.", row.ID).At("confirm")
		}
		rack, err := store.RackOf(ctx, tx, who.Workspace)
		if err != nil {
			return none, err
		}
		discard := store.Discard{Workout: row.WorkoutID, Set: row.ID, Date: row.Date, Title: row.Exercise + " " + label(row), By: author(who)}
		if err := store.MoveToBin(ctx, tx, who.Workspace, discard); err != nil {
			return none, err
		}
		if err := passOnReason(ctx, tx, who, row); err != nil {
			return none, err
		}
		return contract.Answer[DeleteSetOut]{
			Out:  DeleteSetOut{Removed: set(row, rack)},
			Text: fmt.Sprintf("Deleted %s %s from %s."+keptInBin, row.Exercise, label(row), row.Date), Refs: []string{setRef(row.ID), workoutRef(row.WorkoutID)},
		}, nil
	})
}

// passOnReason keeps why a lift has its load when the set that said so goes.
func passOnReason(ctx context.Context, tx *db.Tx, who contract.Caller, removed store.SetRow) error {
	if removed.PlanReason == nil || removed.ProgramLiftID == nil {
		return nil
	}
	err := store.New(tx).PassOnReason(ctx, store.PassOnReasonParams{
		PlanReason: removed.PlanReason, WorkspaceID: who.Workspace, WorkoutID: removed.WorkoutID, ProgramLiftID: removed.ProgramLiftID,
	})
	if err != nil {
		return fmt.Errorf("pass on the reason of set %d: %w", removed.ID, err)
	}
	return nil
}
