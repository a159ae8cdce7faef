package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
)

// ExportProgramIn names a block.
type ExportProgramIn struct {
	ProgramID int64 `json:"program_id"`
}

// ExportProgramOut is a block as a JSON document, which is text here: what is
// absent in it has to stay absent.
type ExportProgramOut struct {
	ProgramID int64  `json:"program_id"`
	Name      string `json:"name"`
	Document  string `json:"document"`
}

// ExportProgram writes a block down as one document.
func ExportProgram() contract.Tool {
	return contract.New(contract.Spec{
		Name: "export_program", Title: "Share a block", Scope: "read", Surfaces: pagesOnly,
		Says:     "Write a block down as one JSON document that create_program takes, or import_program where a lift has a range of reps, rests or a start of its own. Sessions, goals and ids are not part of it.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors:  []fault.Code{fault.CodeNotFound},
		ByteCap: 1 << 20,
		Why:     "Reads only.", Narrow: "Delete lifts that are not needed.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in ExportProgramIn) (contract.Answer[ExportProgramOut], error) {
		var none contract.Answer[ExportProgramOut]
		p, err := ReadProgram(ctx, tx, who, in.ProgramID)
		if err != nil {
			return none, err
		}
		text, err := json.MarshalIndent(document(p), "", "  ")
		if err != nil {
			return none, fmt.Errorf("write block %d down: %w", p.ID, err)
		}
		return contract.Answer[ExportProgramOut]{
			Out: ExportProgramOut{ProgramID: p.ID, Name: p.Name, Document: string(text) + "\n"}, Text: string(text),
		}, nil
	})
}
