package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/plates/training/store"
)

// SearchIn is a part of a name or of a date.
type SearchIn struct {
	Query string `json:"query"`
}

// SearchOut holds what was found: movements, then workouts, then blocks.
type SearchOut struct {
	Results []searchResult `json:"results"`
}

// searchResult is nameless, because the contract has its schema inline.
type searchResult = struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

// mostFound is how many of each kind a search returns.
const mostFound = 20

// Search finds movements, workouts and blocks. The links begin with base.
func Search(base string) contract.Tool {
	return contract.New(contract.Spec{
		Name: "search", Title: "Search", Scope: "read",
		Says:     "Search exercises and blocks by name and workouts by ISO date text, at most 20 of each. Returns id, title and url rows; pass an id to fetch for the whole object.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Why: "Reads only.", Narrow: "Search for something longer.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in SearchIn) (contract.Answer[SearchOut], error) {
		found, err := search(ctx, tx, who, in.Query, base)
		return contract.Answer[SearchOut]{Out: SearchOut{Results: found}}, err
	})
}

func search(ctx context.Context, tx *db.Tx, who contract.Caller, text, base string) ([]searchResult, error) {
	found := []searchResult{}
	add := func(kind string, id int64, title string) {
		h := handle{kind, id}
		found = append(found, searchResult{ID: h.String(), Title: title, URL: h.link(base, who)})
	}
	exercises, _, err := store.SearchExercises(ctx, tx, who.Workspace, text, mostFound)
	if err != nil {
		return nil, err
	}
	for _, e := range exercises {
		add("exercise", e.ID, e.Name)
	}
	workouts, err := store.SearchWorkouts(ctx, tx, who.Workspace, text, mostFound)
	if err != nil {
		return nil, err
	}
	for _, w := range workouts {
		add("workout", w.ID, workoutTitle(w.Date))
	}
	blocks, err := store.SearchBlocks(ctx, tx, who.Workspace, text, mostFound)
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		add("program", b.ID, b.Name)
	}
	return found, nil
}

func workoutTitle[T ~string](date T) string { return fmt.Sprintf("Workout on %s", date) }
