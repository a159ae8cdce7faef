package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// DeleteProgramIn names a block; confirm is needed when sets of it were
// lifted.
type DeleteProgramIn struct {
	ProgramID int64 `json:"program_id"`
	Confirm   bool  `json:"confirm,omitempty"`
}

// DeleteProgramOut is the block that was removed and what happened to its
// sessions.
type DeleteProgramOut struct {
	Removed  ProgramSummary `json:"removed"`
	Sessions Parted         `json:"sessions"`
}

// DeleteProgram removes a block with its weeks, days and lifts.
func DeleteProgram() contract.Tool {
	return contract.New(contract.Spec{
		Name: "delete_program", Title: "Delete a block", Scope: "write", Surfaces: pagesOnly,
		Says:     "Delete a block with its weeks, days and lifts. Planned sessions go with it; sessions with lifted sets need confirm true and stay as workouts of their own. Goals for the block end and are kept. To hide a block, use archive_program.",
		ReadOnly: contract.No, Destructive: contract.Yes, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Removes a plan; a repeated call finds nothing.",
	}, deleteProgram)
}

func deleteProgram(ctx context.Context, tx *db.Tx, who contract.Caller, in DeleteProgramIn) (contract.Answer[DeleteProgramOut], error) {
	var none contract.Answer[DeleteProgramOut]
	p, err := lockProgram(ctx, tx, who, in.ProgramID)
	if err != nil {
		return none, err
	}
	list, err := sessionsOf(ctx, tx, who, p, p.Weeks...)
	if err != nil {
		return none, err
	}
	if n := liftedIn(list); n > 0 && !in.Confirm {
		return none, fault.Refuse("%s has %s. Confirm to delete the block; what was lifted stays, as workouts of their own.", p.Name, sessionsWith(n)).At("confirm")
	}
	parted, err := part(ctx, list)
	if err != nil {
		return none, err
	}
	if err := store.DropBlock(ctx, tx, who.Workspace, p.ID); err != nil {
		return none, err
	}
	return contract.Answer[DeleteProgramOut]{
		Out:  DeleteProgramOut{Removed: p.ProgramSummary, Sessions: parted},
		Text: fmt.Sprintf("Deleted %s.", p.Name) + parted.Sentence(), Refs: append([]string{programRef(p.ID)}, sessionRefs(list)...),
	}, nil
}
