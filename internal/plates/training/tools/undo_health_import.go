package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// UndoHealthImportIn names an import.
type UndoHealthImportIn struct {
	ImportID int64 `json:"import_id"`
}

// UndoHealthImportOut says how many readings went.
type UndoHealthImportOut struct {
	Removed int64 `json:"removed"`
}

// UndoHealthImport removes the readings that one import brought.
func UndoHealthImport() contract.Tool {
	return contract.New(contract.Spec{
		Name: "undo_health_import", Title: "Undo an import", Scope: "write", Surfaces: pagesOnly,
		Says:     "Remove one import together with the readings that it brought. Importing the file again brings them back.",
		ReadOnly: contract.No, Destructive: contract.Yes, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Removes rows; a repeated call finds nothing.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in UndoHealthImportIn) (contract.Answer[UndoHealthImportOut], error) {
		removed, found, err := store.UndoImport(ctx, tx, who.Workspace, in.ImportID)
		if err == nil && !found {
			err = missing("import", in.ImportID)
		}
		return contract.Answer[UndoHealthImportOut]{Out: UndoHealthImportOut{removed}, Text: fmt.Sprintf("Removed %d reading(s).", removed)}, err
	})
}
