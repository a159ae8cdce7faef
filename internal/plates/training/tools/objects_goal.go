package tools

import (
	"context"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// Goal is what is aimed at on a lift.
type Goal struct {
	ID           int64        `json:"id"`
	Exercise     string       `json:"exercise"`
	ExerciseID   int64        `json:"exercise_id"`
	TargetWeight int64        `json:"target_weight"`
	TargetReps   int64        `json:"target_reps"`
	TargetDate   *dbtype.Date `json:"target_date"`
	ProgramID    *int64       `json:"program_id"`
	Note         *string      `json:"note"`
	Provenance
}

// goal returns a row as it is answered; nil stays nil.
func goal(r *store.ActiveGoalsRow) *Goal {
	if r == nil {
		return nil
	}
	return &Goal{
		ID: r.ID, Exercise: r.Exercise, ExerciseID: r.ExerciseID, TargetWeight: r.TargetWeight, TargetReps: r.TargetReps,
		TargetDate: dayOrNone(r.TargetDate), ProgramID: r.ProgramID, Note: r.Note,
		Provenance: Provenance{CreatedBy: r.ClientName, CreatedAt: r.CreatedAt},
	}
}

// goalText is a goal in short: "225x1 by 2026-06-01".
func goalText(g Goal) string {
	text := fmt.Sprintf("%dx%d", g.TargetWeight, g.TargetReps)
	if g.TargetDate != nil {
		text += fmt.Sprintf(" by %s", *g.TargetDate)
	}
	return text
}

func dayOrNone(d dbtype.Date) *dbtype.Date {
	if d == "" {
		return nil
	}
	return &d
}

// Basis is a set that a figure comes from.
type Basis struct {
	SetID  int64       `json:"set_id"`
	Date   dbtype.Date `json:"date"`
	Weight int64       `json:"weight"`
	Reps   int64       `json:"reps"`
	RPE    *int64      `json:"rpe"`
}

// Max is an estimated max with the set that it comes from; both are nil when
// no set gives one.
type Max struct {
	Estimated *int64 `json:"estimated_1rm"`
	Basis     *Basis `json:"estimated_1rm_basis"`
}

// estimatedMax reads the max of a movement as of a day.
func estimatedMax(ctx context.Context, tx *db.Tx, who contract.Caller, exercise int64, on dbtype.Date) (Max, error) {
	found, ok, err := store.EstimatedMax(ctx, tx, who.Workspace, exercise, on)
	if err != nil || !ok {
		return Max{}, err
	}
	return Max{
		Estimated: store.Optional(found.Best),
		Basis: &Basis{
			SetID: found.Set.ID, Date: found.Set.Date, Weight: valueOr(found.Set.Weight, 0), Reps: valueOr(found.Set.Reps, 0), RPE: found.Set.Rpe,
		},
	}, nil
}

// text tells the max: "191 (155x5 at RPE 8 on 2026-02-23)", or why there is
// none.
func (m Max) text() string {
	if m.Estimated == nil {
		return "not yet readable: it needs a completed set of 1 to 5 reps"
	}
	rated := ""
	if m.Basis.RPE != nil {
		rated = fmt.Sprintf(" at RPE %d", *m.Basis.RPE)
	}
	return fmt.Sprintf("%d (%dx%d%s on %s)", *m.Estimated, m.Basis.Weight, m.Basis.Reps, rated, m.Basis.Date)
}

// namedExercise returns the visible movement of the name and never makes one.
func namedExercise(ctx context.Context, tx *db.Tx, who contract.Caller, name string) (store.ExerciseRow, error) {
	row, found, err := store.FindExercise(ctx, tx, who.Workspace, name)
	if err != nil || found {
		return row, err
	}
	close, err := store.CloseNames(ctx, tx, who.Workspace, name)
	if err != nil {
		return row, err
	}
	text := fmt.Sprintf("No exercise named \"%s\" for this account.", fault.Clip(name))
	if len(close) > 0 {
		text += fmt.Sprintf(" Close: %s.", strings.Join(close, ", "))
	}
	return row, fault.Missing("%s", text).At("exercise")
}
