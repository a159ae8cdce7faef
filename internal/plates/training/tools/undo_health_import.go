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

// UndoHealthImportOut says how many readings went, and how many have the value
// again that the import had replaced.
type UndoHealthImportOut struct {
	Removed  int64 `json:"removed"`
	Restored int64 `json:"restored"`
}

// UndoHealthImport removes the readings that one import brought.
func UndoHealthImport() contract.Tool {
	return contract.New(contract.Spec{
		Name: "undo_health_import", Title: "Undo an import", Scope: "write", Surfaces: pagesOnly,
		Says:     "Remove one import together with the readings that it brought; readings whose value it replaced get their earlier value again. Importing the file again brings them back. Returns how many readings were removed and restored.",
		ReadOnly: contract.No, Destructive: contract.Yes, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Removes rows; a repeated call finds nothing.", Timeout: importTime,
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in UndoHealthImportIn) (contract.Answer[UndoHealthImportOut], error) {
		u, found, err := store.UndoImport(ctx, tx, who.Workspace, in.ImportID)
		if err == nil && !found {
			err = missing("import", in.ImportID)
		}
		text := fmt.Sprintf("Removed %d reading(s).", u.Removed)
		if u.Restored > 0 {
			text += fmt.Sprintf(" Restored the earlier value of %d.", u.Restored)
		}
		return contract.Answer[UndoHealthImportOut]{Out: UndoHealthImportOut(u), Text: text}, err
	})
}
