package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
)

// SaveTrainingSettingsIn is how a workspace reads its weights.
type SaveTrainingSettingsIn struct {
	DisplayUnit string `json:"display_unit" enum:"lb,kg" label:"Unit"`
}

// SaveTrainingSettings chooses the unit. Weights are stored in pounds always.
func SaveTrainingSettings() contract.Tool {
	return contract.New(contract.Spec{
		Name: "save_training_settings", Title: "Save the training settings", Scope: "write", Surfaces: pagesOnly,
		Says:     "Choose the unit in which weights will be read, lb or kg. Weights are stored in whole pounds always.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Why: "Replaces a stored value.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in SaveTrainingSettingsIn) (contract.Answer[SaveTrainingSettingsIn], error) {
		err := store.New(tx).SaveUnit(ctx, store.SaveUnitParams{WorkspaceID: who.Workspace, DisplayUnit: in.DisplayUnit, CreatedAt: dbtype.At(tx.Now())})
		if err != nil {
			return contract.Answer[SaveTrainingSettingsIn]{}, fmt.Errorf("save training settings: %w", err)
		}
		return contract.Answer[SaveTrainingSettingsIn]{Out: in, Text: fmt.Sprintf("The unit is %s.", in.DisplayUnit)}, nil
	})
}
