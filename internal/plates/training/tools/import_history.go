package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/history"
	"tectonic/internal/plates/training/store"
)

// ImportHistoryIn says what is known of a file of training, and what its
// movements are called here.
type ImportHistoryIn struct {
	historyFileIn
}

// ImportHistoryOut is what became of the lines of the file.
type ImportHistoryOut struct {
	HistoryImportID int64  `json:"history_import_id"`
	Format          string `json:"format"`
	historyCounts
	Problems []importFlaw `json:"problems"` // the first rejected lines
}

// ImportHistory reads a file of training from another app.
func ImportHistory() contract.Tool {
	return contract.NewImport(contract.Spec{
		Name: "import_history", Title: "Import training", Scope: "write", Surfaces: pagesOnly,
		Says:     "Import a file of past training: the export of Strong, Hevy or FitNotes, or a table whose columns are named. Every session of the file becomes a workout of its own with completed sets; planned sessions are not touched. names says what movements of the file are called here, and a blank to leaves them out; other movements keep their name, or get the one that is known for it, and are made when they are new. Kilograms go to the nearest pound. Importing a file again adds only what is missing. Returns how many workouts and sets were added, already there, left out and rejected, and the first rejected lines.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeRefused},
		Why:    "The same file adds nothing more, and undo_history_import takes it back.", Attachment: LargestFile, Timeout: importTime,
	}, importHistory)
}

func importHistory(ctx context.Context, steps contract.Steps, attached contract.Attachment, who contract.Caller, in ImportHistoryIn) (contract.Closing[ImportHistoryOut], error) {
	b, err := bring(ctx, steps, attached, who, in.historyFileIn)
	if err != nil {
		return nil, err
	}
	if err := b.begin(ctx, attached.SHA256); err != nil {
		return nil, err
	}
	if err := b.read(ctx, attached, func(history.Set) {}); err != nil {
		return nil, b.giveUp(ctx, err)
	}
	return func(ctx context.Context, tx *db.Tx) (contract.Answer[ImportHistoryOut], error) {
		var none contract.Answer[ImportHistoryOut]
		if err := b.save(ctx, tx); err != nil {
			return none, err
		}
		err := store.New(tx).FinishHistoryImport(ctx, store.FinishHistoryImportParams{FinishedAt: dbtype.At(tx.Now()), WorkspaceID: who.Workspace, ID: b.past.Import})
		if err != nil {
			return none, fmt.Errorf("finish import %d: %w", b.past.Import, err)
		}
		out := ImportHistoryOut{HistoryImportID: b.past.Import, Format: string(b.file.Format), historyCounts: b.counts, Problems: append([]importFlaw{}, b.flaws...)}
		return contract.Answer[ImportHistoryOut]{
			Out: out, Text: b.counts.text(out.Format, b.flaws) + fmt.Sprintf("\nImport %d; undo takes it back.", b.past.Import),
		}, nil
	}, nil
}

// bring checks the arguments and reads the beginning of the file.
func bring(ctx context.Context, steps contract.Steps, attached contract.Attachment, who contract.Caller, in historyFileIn) (*bringing, error) {
	file, err := in.file(who)
	if err != nil {
		return nil, err
	}
	if err := checkUpload(who, attached); err != nil {
		return nil, err
	}
	if file, err = opened(ctx, file, attached); err != nil {
		return nil, err
	}
	return &bringing{
		steps: steps, who: who, past: store.Past{Workspace: who.Workspace, By: author(who)}, in: in, file: file, movement: map[string]movement{},
		counted: &counter{size: attached.Size},
	}, nil
}
