package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// ArchiveProgramIn names a block and says whether it is to be put away.
type ArchiveProgramIn struct {
	ProgramID int64 `json:"program_id"`
	Archived  *bool `json:"archived" doc:"false takes the block back out; true when absent"`
}

// ArchiveProgramOut is the block and whether it is put away.
type ArchiveProgramOut struct {
	ProgramSummary
	Archived bool `json:"archived"`
}

// ArchiveProgram puts a block away or takes it back out.
func ArchiveProgram() contract.Tool {
	return contract.New(contract.Spec{
		Name: "archive_program", Title: "Put a block away", Scope: "write", Surfaces: pagesOnly,
		Says:     "Put a block away: it is no longer listed and is never today's block. Its plan and its sessions stay as they are. archived false takes it back out.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Sets one mark that the opposite call takes off.",
	}, archiveProgram)
}

func archiveProgram(ctx context.Context, tx *db.Tx, who contract.Caller, in ArchiveProgramIn) (contract.Answer[ArchiveProgramOut], error) {
	var none contract.Answer[ArchiveProgramOut]
	p, err := lockProgram(ctx, tx, who, in.ProgramID)
	if err != nil {
		return none, err
	}
	away, at, said := valueOr(in.Archived, true), dbtype.Time{}, "%s is back in the list."
	if away {
		at, said = dbtype.At(tx.Now()), "%s is put away."
	}
	if err := store.New(tx).ArchiveProgram(ctx, store.ArchiveProgramParams{ArchivedAt: at, WorkspaceID: who.Workspace, ID: p.ID}); err != nil {
		return none, fmt.Errorf("archive block %d: %w", p.ID, err)
	}
	return contract.Answer[ArchiveProgramOut]{
		Out: ArchiveProgramOut{ProgramSummary: p.ProgramSummary, Archived: away}, Text: fmt.Sprintf(said, p.Name), Refs: []string{programRef(p.ID)},
	}, nil
}
