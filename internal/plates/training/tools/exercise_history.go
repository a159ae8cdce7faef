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

// ExerciseHistoryIn names a movement and a window of days.
type ExerciseHistoryIn struct {
	Exercise       string  `json:"exercise"`
	From           *string `json:"from" doc:"'today' or YYYY-MM-DD"`
	To             *string `json:"to" doc:"'today' or YYYY-MM-DD"`
	Limit          *int64  `json:"limit"`
	IncludePlanned bool    `json:"include_planned,omitempty"`
	IncludeWarmups bool    `json:"include_warmups,omitempty"`
}

// ExerciseHistoryOut is the workspace's own sets of the movement, newest
// first, and what they say about the lifter.
type ExerciseHistoryOut struct {
	Exercise   string `json:"exercise"`
	ExerciseID int64  `json:"exercise_id"`
	Sets       []Set  `json:"sets"`
	Page
	Heaviest *int64 `json:"heaviest"`
	Max
	Goal *Goal `json:"goal"`
}

// ExerciseHistory reads the sets of one movement.
func ExerciseHistory() contract.Tool {
	return contract.New(contract.Spec{
		Name: "exercise_history", Title: "Lift history", Scope: "read",
		Says:     "This account's own sets of one movement, newest first, with dates, the heaviest of them, the active goal, and the estimated one-rep max they support as of the end of the window together with the set it comes from. Completed working sets by default; include_planned adds written but unlifted ones, include_warmups adds warm-ups. Narrow with from and to. The estimate is null when no completed set of 1 to 5 reps can be read.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Reads only; never creates the movement.", Narrow: "Send a smaller limit, or narrow with from and to.",
	}, exerciseHistory)
}

func exerciseHistory(ctx context.Context, tx *db.Tx, who contract.Caller, in ExerciseHistoryIn) (contract.Answer[ExerciseHistoryOut], error) {
	var none contract.Answer[ExerciseHistoryOut]
	limit, err := limitOr(in.Limit, 50)
	if err != nil {
		return none, err
	}
	today := who.Today(tx.Now())
	first, last, err := span(in.From, in.To, today)
	if err != nil {
		return none, err
	}
	movement, err := namedExercise(ctx, tx, who, in.Exercise)
	if err != nil {
		return none, err
	}
	until := last
	if in.To == nil {
		until = today
	}
	h := liftQuestion{tx: tx, who: who, movement: movement, first: first, last: last, until: until, planned: in.IncludePlanned, warmups: in.IncludeWarmups}
	out, text, err := h.read(ctx, limit)
	return contract.Answer[ExerciseHistoryOut]{Out: out, Text: text}, err
}

// liftQuestion is a question about a movement: its sets from one day to another,
// and its max as of a day.
type liftQuestion struct {
	tx                 *db.Tx
	who                contract.Caller
	movement           store.ExerciseRow
	first, last, until dbtype.Date
	planned, warmups   bool
}

func (h liftQuestion) read(ctx context.Context, limit int) (ExerciseHistoryOut, string, error) {
	out := ExerciseHistoryOut{Exercise: h.movement.Name, ExerciseID: h.movement.ID}
	rows, err := h.sets(ctx, limit, &out)
	if err != nil {
		return out, "", err
	}
	if out.Max, err = estimatedMax(ctx, h.tx, h.who, h.movement.ID, h.until); err != nil {
		return out, "", err
	}
	goals, err := store.GoalsOf(ctx, h.tx, h.who.Workspace)
	if err != nil {
		return out, "", err
	}
	out.Goal = goal(goals.For(h.movement.ID, 0))
	return out, historyText(out, rows), nil
}

// sets reads the sets and what is counted over them.
func (h liftQuestion) sets(ctx context.Context, limit int, out *ExerciseHistoryOut) ([]store.SetRow, error) {
	q := store.New(h.tx)
	found, err := q.SetsOfExercise(ctx, store.SetsOfExerciseParams{
		WorkspaceID: h.who.Workspace, ExerciseID: h.movement.ID, FromDate: h.first, ToDate: h.last,
		Planned: flag(h.planned), Warmups: flag(h.warmups), RowLimit: int64(limit),
	})
	if err != nil {
		return nil, fmt.Errorf("read the sets of exercise %d: %w", h.movement.ID, err)
	}
	all, err := q.CountSetsOfExercise(ctx, store.CountSetsOfExerciseParams{
		WorkspaceID: h.who.Workspace, ExerciseID: h.movement.ID, FromDate: h.first, ToDate: h.last, Planned: flag(h.planned), Warmups: flag(h.warmups),
	})
	if err != nil {
		return nil, fmt.Errorf("count the sets of exercise %d: %w", h.movement.ID, err)
	}
	rack, err := store.RackOf(ctx, h.tx, h.who.Workspace)
	if err != nil {
		return nil, err
	}
	rows := make([]store.SetRow, len(found))
	out.Sets = make([]Set, len(found))
	for i, r := range found {
		rows[i] = store.SetRow(r)
		out.Sets[i] = set(rows[i], rack)
	}
	out.Page, out.Heaviest = page(len(rows), all.Sets, limit), store.Optional(int(all.Heaviest))
	return rows, nil
}

// flag is a choice as a query takes it.
func flag(on bool) int64 {
	if on {
		return 1
	}
	return 0
}

func historyText(out ExerciseHistoryOut, rows []store.SetRow) string {
	head := fmt.Sprintf("%s: %d set(s)", out.Exercise, out.Total)
	if out.Heaviest != nil {
		head += fmt.Sprintf(", heaviest %d", *out.Heaviest)
	}
	lines := []string{fmt.Sprintf("%s, estimated max %s.", head, out.Max.text())}
	if out.Goal != nil {
		lines = append(lines, fmt.Sprintf("Goal: %s.", goalText(*out.Goal)))
	}
	for _, r := range rows {
		lines = append(lines, fmt.Sprintf("  %s%s", r.Date, strings.TrimPrefix(setLine(r), " ")))
	}
	if out.Withheld > 0 {
		lines = append(lines, fmt.Sprintf("%d not shown. Narrow with from/to or raise limit.", out.Withheld))
	}
	return strings.Join(lines, "\n")
}
