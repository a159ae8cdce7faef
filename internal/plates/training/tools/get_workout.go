package tools

import (
	"context"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// GetWorkoutIn names a workout; today's when it names none.
type GetWorkoutIn struct {
	Date      *string `json:"date" doc:"'today' or YYYY-MM-DD"`
	WorkoutID *int64  `json:"workout_id"`
}

// GetWorkoutOut is a workout with its sets in the order of lifting.
type GetWorkoutOut struct {
	Workout
	SetList []Set `json:"set_list"`
}

// GetWorkout reads one session in full.
func GetWorkout() contract.Tool {
	return contract.New(contract.Spec{
		Name: "get_workout", Title: "Read one workout", Scope: "read",
		Says:     "Read one session in full: every set in lifting order with weight, reps or seconds, plates per side, whether it is a warm-up and whether it is done, what was planned, its RPE, and the session's status, rating and notes. Name it by date (today by default) or workout_id.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Reads only; never opens a workout.", Narrow: "Read another workout: this one has too many sets for one answer.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in GetWorkoutIn) (contract.Answer[GetWorkoutOut], error) {
		var none contract.Answer[GetWorkoutOut]
		row, err := which{in.WorkoutID, in.Date}.find(ctx, tx, who, noWorkoutOn)
		if err != nil {
			return none, err
		}
		out, text, err := readWorkout(ctx, tx, who, row)
		return contract.Answer[GetWorkoutOut]{Out: out, Text: text}, err
	})
}

// readWorkout returns a workout with its sets, and the text that tells them.
func readWorkout(ctx context.Context, tx *db.Tx, who contract.Caller, row store.WorkoutRow) (GetWorkoutOut, string, error) {
	var none GetWorkoutOut
	sets, err := store.SetsOf(ctx, tx, who.Workspace, row.ID)
	if err != nil {
		return none, "", err
	}
	rack, err := store.RackOf(ctx, tx, who.Workspace)
	if err != nil {
		return none, "", err
	}
	others, err := sameDay(ctx, tx, who, row)
	if err != nil {
		return none, "", err
	}
	out := GetWorkoutOut{Workout: workout(row, who.Today(tx.Now())), SetList: make([]Set, len(sets))}
	for i, s := range sets {
		out.SetList[i] = set(s, rack)
	}
	return out, workoutText(out, sets, others), nil
}

func workoutText(w GetWorkoutOut, sets []store.SetRow, others []int64) string {
	head := fmt.Sprintf("%s: %d set(s), %d completed, %s", w.Date, w.Sets, w.CompletedSets, w.Status)
	if w.RPE != nil {
		head += fmt.Sprintf(", session RPE %d", *w.RPE)
	}
	lines := []string{head + "."}
	for _, s := range sets {
		lines = append(lines, setLine(s))
	}
	if len(others) > 0 {
		lines = append(lines, alsoHas(others))
	}
	return strings.Join(lines, "\n")
}

// alsoHas names the other workouts of a date.
func alsoHas(others []int64) string {
	ids := make([]string, len(others))
	for i, id := range others {
		ids[i] = fmt.Sprint(id)
	}
	return fmt.Sprintf("That day also has workout %s.", strings.Join(ids, ", "))
}
