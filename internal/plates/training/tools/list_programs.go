package tools

import (
	"context"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/plates/training/store"
)

// ListProgramsIn bounds the list.
type ListProgramsIn struct {
	Limit *int64 `json:"limit"`
}

// ListProgramsOut holds the blocks, the latest start first.
type ListProgramsOut struct {
	Programs []ProgramSummary `json:"programs"`
	Page
}

// ListPrograms lists the blocks of a workspace.
func ListPrograms() contract.Tool {
	return contract.New(contract.Spec{
		Name: "list_programs", Title: "List blocks", Scope: "read",
		Says:     "List the training blocks, latest start first, with start date, length in weeks, which week of the block today falls in (null outside it), rep preference and whether sets ascend. For one block in full use get_program.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Why: "Reads only.", Narrow: "Send a smaller limit.",
	}, listPrograms)
}

func listPrograms(ctx context.Context, tx *db.Tx, who contract.Caller, in ListProgramsIn) (contract.Answer[ListProgramsOut], error) {
	var none contract.Answer[ListProgramsOut]
	limit, err := limitOr(in.Limit, 50)
	if err != nil {
		return none, err
	}
	q := store.New(tx)
	rows, err := q.Programs(ctx, who.Workspace, int64(limit))
	if err != nil {
		return none, fmt.Errorf("list blocks: %w", err)
	}
	total, err := q.CountPrograms(ctx, who.Workspace)
	if err != nil {
		return none, fmt.Errorf("count blocks: %w", err)
	}
	weeks, err := weekNumbers(ctx, tx, who)
	if err != nil {
		return none, err
	}
	out := ListProgramsOut{Programs: make([]ProgramSummary, len(rows)), Page: page(len(rows), total, limit)}
	lines := []string{fmt.Sprintf("You have %d program(s).", total)}
	for i, r := range rows {
		p := summary(store.ProgramRow(r), weeks[r.ID], who.Today(tx.Now()))
		out.Programs[i] = p
		line := fmt.Sprintf("  %s: %d week(s) from %s", p.Name, p.WeekCount, p.StartDate)
		if p.CurrentWeek != nil {
			line += fmt.Sprintf(", now in week %d", *p.CurrentWeek)
		}
		lines = append(lines, fmt.Sprintf("%s (id %d)", line, p.ID))
	}
	if out.Withheld > 0 {
		lines = append(lines, fmt.Sprintf("%d not shown. Raise limit.", out.Withheld))
	}
	return contract.Answer[ListProgramsOut]{Out: out, Text: strings.Join(lines, "\n")}, nil
}

// weekNumbers returns the week numbers of every block by its id.
func weekNumbers(ctx context.Context, tx *db.Tx, who contract.Caller) (map[int64][]int, error) {
	rows, err := store.New(tx).WeekNumbers(ctx, who.Workspace)
	if err != nil {
		return nil, fmt.Errorf("list weeks: %w", err)
	}
	by := map[int64][]int{}
	for _, r := range rows {
		by[r.ProgramID] = append(by[r.ProgramID], int(r.Number))
	}
	return by, nil
}
