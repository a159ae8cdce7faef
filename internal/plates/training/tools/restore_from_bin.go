package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// keptInBin ends the answers of removals.
const keptInBin = " It is kept in the bin for 30 days."

// RestoreFromBinIn names an entry of the bin.
type RestoreFromBinIn struct {
	BinID int64 `json:"bin_id" label:"Entry"`
}

// RestoreFromBinOut is what came back.
type RestoreFromBinOut struct {
	Kind      string  `json:"kind"` // workout or set
	WorkoutID int64   `json:"workout_id"`
	SetIDs    []int64 `json:"set_ids"`
}

// RestoreFromBin puts back a workout or a set that was deleted.
func RestoreFromBin() contract.Tool {
	return contract.New(contract.Spec{
		Name: "restore_from_bin", Title: "Restore from the bin", Scope: "write", Surfaces: pagesOnly,
		Says:     "Put a deleted workout or set back, under the ids and in the places that it had. Entries are kept for 30 days. A generated session whose day was written again, and a set whose workout is gone, are refused.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeConflict},
		Why:    "Puts rows back that were deleted; a repeated call finds no entry and changes nothing.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in RestoreFromBinIn) (contract.Answer[RestoreFromBinOut], error) {
		var none contract.Answer[RestoreFromBinOut]
		back, found, err := store.Restore(ctx, tx, who.Workspace, in.BinID)
		if err != nil {
			return none, err
		}
		if !found {
			return none, fault.Missing("There is no entry %d in the bin. What was deleted is kept for 30 days.", in.BinID)
		}
		refs := []string{workoutRef(back.Workout)}
		if back.Kind == store.BinnedSet {
			refs = append(refs, setRef(back.Sets[0]))
		}
		return contract.Answer[RestoreFromBinOut]{
			Out:  RestoreFromBinOut{Kind: back.Kind, WorkoutID: back.Workout, SetIDs: append([]int64{}, back.Sets...)},
			Text: fmt.Sprintf("Restored %s of %s.", back.Title, back.Date), Refs: refs,
		}, nil
	})
}
