package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
)

// FetchIn is a handle that a search returned.
type FetchIn struct {
	ID string `json:"id"`
}

// FetchOut is one object, readable and structured.
type FetchOut struct {
	ID       string         `json:"id"`
	Title    string         `json:"title"`
	Text     string         `json:"text"`
	URL      string         `json:"url"`
	Metadata map[string]any `json:"metadata"`
}

// Fetch reads one movement, workout or block. Its link begins with base.
func Fetch(base string) contract.Tool {
	return contract.New(contract.Spec{
		Name: "fetch", Title: "Fetch", Scope: "read",
		Says:     "Fetch one exercise, workout or block by the handle a search returned (exercise:, workout: or program: and a number). Returns id, title, readable text, url and the structured object as metadata.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Reads only.", Narrow: "Read it with get_program, get_workout or exercise_history.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in FetchIn) (contract.Answer[FetchOut], error) {
		var none contract.Answer[FetchOut]
		h, ok := readHandle(in.ID)
		if !ok {
			return none, noObject(in.ID)
		}
		title, text, object, err := h.read(ctx, tx, who)
		if r := fault.From(err); err != nil && r.Kind == fault.NotFound {
			return none, noObject(in.ID)
		}
		if err != nil {
			return none, err
		}
		metadata, err := asObject(object)
		return contract.Answer[FetchOut]{Out: FetchOut{ID: h.String(), Title: title, Text: text, URL: h.link(base, who), Metadata: metadata}}, err
	})
}

func noObject(handle string) error {
	return fault.Missing("No object with id \"%s\".", fault.Clip(handle)).At("id")
}

// handle names one object of a workspace: "workout:12".
type handle struct {
	kind string
	id   int64
}

// handlePages are the addresses of the kinds.
var handlePages = map[string]string{"exercise": "exercises", "workout": "workouts", "program": "programs"}

func readHandle(text string) (handle, bool) {
	kind, number, _ := strings.Cut(text, ":")
	id, err := strconv.ParseInt(number, 10, 64)
	h := handle{kind, id}
	return h, err == nil && handlePages[kind] != "" && h.String() == text
}

// String returns the handle as search and fetch spell it.
func (h handle) String() string { return fmt.Sprintf("%s:%d", h.kind, h.id) }

// link returns the page of the object in the caller's workspace.
func (h handle) link(base string, who contract.Caller) string {
	return fmt.Sprintf("%s/%s/%d?w=%d", base, handlePages[h.kind], h.id, who.Workspace)
}

// read returns the object with its title and what its own tool says about it.
func (h handle) read(ctx context.Context, tx *db.Tx, who contract.Caller) (title, text string, object any, err error) {
	switch h.kind {
	case "exercise":
		return fetchExercise(ctx, tx, who, h.id)
	case "workout":
		row, err := which{id: &h.id}.find(ctx, tx, who, noWorkoutOn)
		if err != nil {
			return "", "", nil, err
		}
		out, text, err := readWorkout(ctx, tx, who, row)
		return workoutTitle(out.Date), text, out, err
	}
	p, err := ReadProgram(ctx, tx, who, h.id)
	return p.Name, programText(p), p, err
}

func fetchExercise(ctx context.Context, tx *db.Tx, who contract.Caller, id int64) (title, text string, object any, err error) {
	row, found, err := store.ExerciseByID(ctx, tx, who.Workspace, id)
	if err == nil && !found {
		err = missing("exercise", id)
	}
	if err != nil {
		return "", "", nil, err
	}
	h := liftQuestion{tx: tx, who: who, movement: row, first: store.FirstDay, last: store.LastDay, until: who.Today(tx.Now())}
	out, text, err := h.read(ctx, mostFound)
	object = struct {
		Exercise
		Estimated *int64 `json:"estimated_1rm"`
	}{exercise(row), out.Estimated}
	return row.Name, text, object, err
}

// asObject returns a payload as an object whose numbers are as they were.
func asObject(v any) (map[string]any, error) {
	text, err := contract.Encode(v)
	if err != nil {
		return nil, fmt.Errorf("encode the object: %w", err)
	}
	var object map[string]any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&object); err != nil {
		return nil, fmt.Errorf("decode the object: %w", err)
	}
	return object, nil
}
