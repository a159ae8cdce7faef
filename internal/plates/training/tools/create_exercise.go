package tools

import (
	"context"
	"fmt"
	"net/url"
	"unicode/utf8"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// CreateExerciseIn names a movement and says how it is usually done.
type CreateExerciseIn struct {
	Name              string  `json:"name"`
	IconURL           *string `json:"icon_url"`
	IsBarbell         *bool   `json:"is_barbell"`
	DefaultMeasure    *string `json:"default_measure" enum:"reps,time" label:"Measure"`
	DefaultIsPerSide  *bool   `json:"default_is_per_side"`
	DefaultIsWeighted *bool   `json:"default_is_weighted"`
}

// CreateExerciseOut is the movement, new or not.
type CreateExerciseOut struct {
	Exercise
	Created bool `json:"created"`
}

// CreateExercise adds a movement, or returns the one that is already visible
// under the name.
func CreateExercise() contract.Tool {
	return contract.New(contract.Spec{
		Name: "create_exercise", Title: "Add an exercise", Scope: "write",
		Says:     "Add a movement, or return the one already visible under that name (own or library) unchanged. is_barbell gives its sets a plate breakdown and a warm-up ramp and defaults to true only for names the library knows. default_measure, default_is_per_side and default_is_weighted say how it is usually done. Returns the movement and whether it was created.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Why: "A second call with the same name returns the same row and writes nothing.",
	}, createExercise)
}

func createExercise(ctx context.Context, tx *db.Tx, who contract.Caller, in CreateExerciseIn) (contract.Answer[CreateExerciseOut], error) {
	var none contract.Answer[CreateExerciseOut]
	if err := checkIcon(in.IconURL); err != nil {
		return none, err
	}
	row, created, err := ensureExercise(ctx, tx, who, in)
	if err != nil {
		return none, err
	}
	text := fmt.Sprintf("Exercise '%s' is ready (id %d).", row.Name, row.ID)
	if !created {
		text += " It was already there; nothing was changed."
	}
	return contract.Answer[CreateExerciseOut]{
		Out: CreateExerciseOut{Exercise: exercise(row), Created: created}, Text: text, Refs: []string{fmt.Sprintf("exercise:%d", row.ID)},
	}, nil
}

// ensureExercise returns the visible movement of the name, making it with the
// usual defaults when there is none.
func ensureExercise(ctx context.Context, tx *db.Tx, who contract.Caller, in CreateExerciseIn) (row store.ExerciseRow, created bool, err error) {
	name, err := exerciseName(in.Name)
	if err != nil {
		return store.ExerciseRow{}, false, err
	}
	row, found, err := store.FindExercise(ctx, tx, who.Workspace, name)
	if err != nil || found {
		return row, false, err
	}
	// From here on nobody else names a movement of this workspace.
	if err := db.LockWorkspace(ctx, tx, who.Workspace); err != nil {
		return store.ExerciseRow{}, false, err
	}
	created, err = store.AddExercise(ctx, tx, who.Workspace, store.NewExercise{
		Name: name, IconURL: blankAsNone(in.IconURL),
		Barbell:  valueOr(in.IsBarbell, strength.InLibrary(name)),
		Measure:  valueOr(in.DefaultMeasure, "reps"),
		PerSide:  valueOr(in.DefaultIsPerSide, strength.PerSideByName(name)),
		Weighted: valueOr(in.DefaultIsWeighted, true),
	}, author(who))
	if err != nil {
		return store.ExerciseRow{}, false, err
	}
	row, found, err = store.FindExercise(ctx, tx, who.Workspace, name)
	if err == nil && !found {
		err = fault.Clash("The exercise \"%s\" was renamed by somebody else just now, so nothing was changed.", name).Next("Try again.").At("name")
	}
	if created {
		noteNew(ctx, row.Name)
	}
	return row, created, err
}

func valueOr[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}
	return *p
}

// checkIcon refuses an address that a page could not load safely.
func checkIcon(icon *string) error {
	if icon = blankAsNone(icon); icon == nil {
		return nil
	}
	u, err := url.Parse(*icon)
	if err != nil || u.Scheme != "https" || u.Host == "" || utf8.RuneCountInString(*icon) > strength.MaxIconURL {
		return fault.BadArgument("An icon needs an https address of at most %d characters.", strength.MaxIconURL).At("icon_url")
	}
	return nil
}
