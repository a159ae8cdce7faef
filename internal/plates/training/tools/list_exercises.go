package tools

import (
	"context"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/plates/training/store"
)

// ListExercisesIn narrows the list by a part of the name.
type ListExercisesIn struct {
	Query *string `json:"query"`
	Limit *int64  `json:"limit"`
}

// Page says how much of a list is in the answer.
type Page struct {
	Shown    int64 `json:"shown"`
	Total    int64 `json:"total"`
	Withheld int64 `json:"withheld"`
	Limit    int64 `json:"limit"`
}

func page(shown int, total int64, limit int) Page {
	return Page{Shown: int64(shown), Total: total, Withheld: total - int64(shown), Limit: int64(limit)}
}

// ListExercisesOut holds the movements by name.
type ListExercisesOut struct {
	Exercises []Exercise `json:"exercises"`
	Page
}

// ListExercises lists the movements that a workspace can use.
func ListExercises() contract.Tool {
	return contract.New(contract.Spec{
		Name: "list_exercises", Title: "List exercises", Scope: "read",
		Says:     "List the movements this account can use: its own and the shared barbell library, by name, each with whether it is loaded on a bar, whether it is counted in reps or time, per side or not, weighted or not, and who created it. Narrow with query, a part of the name.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Why: "Reads only.", Narrow: "Send query, a part of the name, or a smaller limit.",
	}, listExercises)
}

func listExercises(ctx context.Context, tx *db.Tx, who contract.Caller, in ListExercisesIn) (contract.Answer[ListExercisesOut], error) {
	var none contract.Answer[ListExercisesOut]
	limit, err := limitOr(in.Limit, 200)
	if err != nil {
		return none, err
	}
	query := ""
	if in.Query != nil {
		query = *in.Query
	}
	rows, total, err := store.SearchExercises(ctx, tx, who.Workspace, query, limit)
	if err != nil {
		return none, err
	}
	out := ListExercisesOut{Exercises: make([]Exercise, len(rows)), Page: page(len(rows), total, limit)}
	lines := []string{fmt.Sprintf("You can use %d exercise(s).", total)}
	for i, r := range rows {
		out.Exercises[i] = exercise(r)
		lines = append(lines, fmt.Sprintf("  %s (%s)", r.Name, exerciseFlags(r)))
	}
	if out.Withheld > 0 {
		lines = append(lines, fmt.Sprintf("%d not shown. Narrow with query or raise limit.", out.Withheld))
	}
	return contract.Answer[ListExercisesOut]{Out: out, Text: strings.Join(lines, "\n")}, nil
}

func exerciseFlags(r store.ExerciseRow) string {
	flags := []string{"yours"}
	if r.Library() {
		flags[0] = "library"
	}
	for _, f := range []struct {
		on   bool
		word string
	}{{r.IsBarbell, "barbell"}, {r.DefaultMeasure == "time", "timed"}, {r.DefaultIsPerSide, "per side"}, {!r.DefaultIsWeighted, "unweighted"}} {
		if f.on {
			flags = append(flags, f.word)
		}
	}
	return strings.Join(flags, ", ")
}
