package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// UpdateExerciseIn sends what changes about a movement of the workspace.
type UpdateExerciseIn struct {
	ExerciseID        int64                `json:"exercise_id"`
	Name              *string              `json:"name"`
	IconURL           contract.Opt[string] `json:"icon_url"`
	IsBarbell         *bool                `json:"is_barbell"`
	DefaultMeasure    *string              `json:"default_measure" enum:"reps,time" label:"Measure"`
	DefaultIsPerSide  *bool                `json:"default_is_per_side"`
	DefaultIsWeighted *bool                `json:"default_is_weighted"`
}

// UpdateExercise changes a movement of the workspace's own. The library is
// changed by nobody.
func UpdateExercise() contract.Tool {
	return contract.New(contract.Spec{
		Name: "update_exercise", Title: "Change an exercise", Scope: "write", Surfaces: pagesOnly,
		Says:     "Change the name, icon or usual way of a movement of this workspace. Library movements stay as they are. Returns the movement.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Replaces stored values; sending the old ones restores them.",
	}, updateExercise)
}

func updateExercise(ctx context.Context, tx *db.Tx, who contract.Caller, in UpdateExerciseIn) (contract.Answer[Exercise], error) {
	var none contract.Answer[Exercise]
	// Two changes of one movement come one after the other, so that neither
	// writes back what the other one replaced.
	if err := db.LockWorkspace(ctx, tx, who.Workspace); err != nil {
		return none, err
	}
	row, found, err := store.ExerciseByID(ctx, tx, who.Workspace, in.ExerciseID)
	if err != nil {
		return none, err
	}
	if !found || row.Library() {
		return none, missing("exercise", in.ExerciseID)
	}
	name, err := exerciseName(valueOr(in.Name, row.Name))
	if err != nil {
		return none, err
	}
	icon := row.IconUrl
	if in.IconURL.Set {
		icon = blankAsNone(in.IconURL.Ptr())
	}
	if err := checkAll(checkIcon(icon), nameFree(ctx, tx, who, name, row.ID)); err != nil {
		return none, err
	}
	n, err := store.New(tx).UpdateExercise(ctx, store.UpdateExerciseParams{
		Name: name, NameKey: strength.NameKey(name), IconUrl: icon, IsBarbell: valueOr(in.IsBarbell, row.IsBarbell),
		DefaultMeasure:   valueOr(in.DefaultMeasure, row.DefaultMeasure),
		DefaultIsPerSide: valueOr(in.DefaultIsPerSide, row.DefaultIsPerSide), DefaultIsWeighted: valueOr(in.DefaultIsWeighted, row.DefaultIsWeighted),
		ID: row.ID, WorkspaceID: &who.Workspace,
	})
	if db.IsUnique(err) {
		return none, nameTaken(name)
	}
	if err != nil {
		return none, fmt.Errorf("update exercise %d: %w", row.ID, err)
	}
	if n == 0 {
		return none, missing("exercise", row.ID)
	}
	row, _, err = store.ExerciseByID(ctx, tx, who.Workspace, row.ID) // it was just written, and is deleted by nobody
	if err != nil {
		return none, err
	}
	return contract.Answer[Exercise]{
		Out: exercise(row), Text: fmt.Sprintf("Exercise '%s' is saved (id %d).", row.Name, row.ID), Refs: []string{fmt.Sprintf("exercise:%d", row.ID)},
	}, nil
}

// nameFree refuses a name that another visible movement has.
func nameFree(ctx context.Context, tx *db.Tx, who contract.Caller, name string, own int64) error {
	other, taken, err := store.FindExercise(ctx, tx, who.Workspace, name)
	if err != nil || !taken || other.ID == own {
		return err
	}
	return nameTaken(other.Name)
}

func nameTaken(name string) error {
	return fault.Clash("There is already an exercise named \"%s\".", name).At("name")
}
