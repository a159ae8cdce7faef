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

// ListWorkoutsIn narrows the list by days and by status.
type ListWorkoutsIn struct {
	From   *string `json:"from" doc:"'today' or YYYY-MM-DD"`
	To     *string `json:"to" doc:"'today' or YYYY-MM-DD"`
	Status *string `json:"status" enum:"performed,planned,skipped"`
	Limit  *int64  `json:"limit"`
}

// ListWorkoutsOut holds the workouts, the latest first.
type ListWorkoutsOut struct {
	Workouts []Workout `json:"workouts"`
	Page
}

// ListWorkouts lists workouts with their counts.
func ListWorkouts() contract.Tool {
	return contract.New(contract.Spec{
		Name: "list_workouts", Title: "List workouts", Scope: "read",
		Says:     "List workouts, latest first, each with date, status (performed, planned or skipped), how many sets and how many are done, rating and notes. Narrow with from, to and status. The default is the 20 most recent; the answer says how many matched and how many were held back. For the sets of one, use get_workout.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Why: "Reads only.", Narrow: "Narrow with from and to, or send a smaller limit.",
	}, listWorkouts)
}

// span reads from and to; absent ends are open.
func span(from, to *string, today dbtype.Date) (first, last dbtype.Date, err error) {
	first, last = store.FirstDay, store.LastDay
	if from != nil {
		if first, err = readDay(*from, "from", today); err != nil {
			return "", "", err
		}
	}
	if to != nil {
		if last, err = readDay(*to, "to", today); err != nil {
			return "", "", err
		}
	}
	if first > last {
		return "", "", fault.BadArgument("From %s is after to %s.", first, last).At("from")
	}
	return first, last, nil
}

func listWorkouts(ctx context.Context, tx *db.Tx, who contract.Caller, in ListWorkoutsIn) (contract.Answer[ListWorkoutsOut], error) {
	var none contract.Answer[ListWorkoutsOut]
	today := who.Today(tx.Now())
	limit, err := limitOr(in.Limit, 20)
	if err != nil {
		return none, err
	}
	first, last, err := span(in.From, in.To, today)
	if err != nil {
		return none, err
	}
	status := valueOr(in.Status, "")
	q := store.New(tx)
	rows, err := q.Workouts(ctx, store.WorkoutsParams{
		WorkspaceID: who.Workspace, FromDate: first, ToDate: last, BeforeDate: store.LastDay, Status: status, Today: string(today), RowLimit: int64(limit),
	})
	if err != nil {
		return none, fmt.Errorf("list workouts: %w", err)
	}
	total, err := q.CountWorkouts(ctx, store.CountWorkoutsParams{WorkspaceID: who.Workspace, FromDate: first, ToDate: last, Status: status, Today: string(today)})
	if err != nil {
		return none, fmt.Errorf("count workouts: %w", err)
	}
	out := ListWorkoutsOut{Workouts: make([]Workout, len(rows)), Page: page(len(rows), total, limit)}
	for i, r := range rows {
		out.Workouts[i] = Workout{
			ID: r.ID, Date: r.Date, Status: string(r.Status(store.Day(today))), Sets: r.Sets, CompletedSets: r.CompletedSets,
			RPE: r.Rpe, Notes: r.Notes, ProgramDayID: r.ProgramDayID, Focus: r.Focus, Provenance: Provenance{CreatedBy: r.ClientName, CreatedAt: r.CreatedAt},
		}
	}
	return contract.Answer[ListWorkoutsOut]{Out: out, Text: listText(out)}, nil
}

func listText(out ListWorkoutsOut) string {
	head := fmt.Sprintf("You have %d workout(s) in this range.", out.Total)
	if out.Withheld > 0 {
		head = fmt.Sprintf("Showing %d of %d workout(s), most recent first; %d not shown. Narrow with from/to or raise limit.", out.Shown, out.Total, out.Withheld)
	}
	lines := []string{head}
	for _, w := range out.Workouts {
		line := fmt.Sprintf("  %s %s, %d sets, %d done", w.Date, w.Status, w.Sets, w.CompletedSets)
		if w.RPE != nil {
			line += fmt.Sprintf(", RPE %d", *w.RPE)
		}
		lines = append(lines, fmt.Sprintf("%s (id %d)", line, w.ID))
	}
	return strings.Join(lines, "\n")
}
