package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// UndoHistoryImportIn names an import of training.
type UndoHistoryImportIn struct {
	HistoryImportID int64 `json:"history_import_id"`
}

// UndoHistoryImportOut says what went and what stays.
type UndoHistoryImportOut struct {
	Sets         int64 `json:"sets"`
	Workouts     int64 `json:"workouts"`
	SetsStay     int64 `json:"sets_stay"`     // that were changed by hand
	WorkoutsStay int64 `json:"workouts_stay"` // that were changed, or hold sets that stay
}

// UndoHistoryImport removes what one import of training brought.
func UndoHistoryImport() contract.Tool {
	return contract.New(contract.Spec{
		Name: "undo_history_import", Title: "Undo an import of training", Scope: "write", Surfaces: pagesOnly,
		Says:     "Remove the workouts and sets that one import of training brought. What was changed or added by hand since stays, and so do movements that the import made. Importing the file again brings the rest back. Returns how many workouts and sets went and how many stay.",
		ReadOnly: contract.No, Destructive: contract.Yes, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Removes rows; a repeated call finds nothing more.", Timeout: importTime,
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in UndoHistoryImportIn) (contract.Answer[UndoHistoryImportOut], error) {
		u, found, err := store.UndoHistory(ctx, tx, who.Workspace, in.HistoryImportID)
		if err == nil && !found {
			err = missing("import", in.HistoryImportID)
		}
		text := fmt.Sprintf("Removed %d set(s) and %d workout(s).", u.Sets, u.Workouts)
		if u.SetsStay+u.WorkoutsStay > 0 {
			text += fmt.Sprintf(" %d set(s) and %d workout(s) stay, because they were changed or added to by hand.", u.SetsStay, u.WorkoutsStay)
		}
		return contract.Answer[UndoHistoryImportOut]{Out: UndoHistoryImportOut(u), Text: text}, err
	})
}
