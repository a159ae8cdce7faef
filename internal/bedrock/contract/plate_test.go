package contract

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
)

// honest returns a Spec that keeps every promise of the contract.
func honest(name string) Spec {
	return Spec{
		Name: name, Title: "Write a set", Says: "Writes one set.", Scope: "write",
		ReadOnly: No, Destructive: No, Idempotent: No, OpenWorld: No, Why: "It adds a row.",
	}
}

type setIn struct {
	Weight  int           `json:"weight" doc:"Weight in pounds." label:"Weight"`
	Reps    int           `json:"reps" min:"1" max:"5000"`
	Measure *string       `json:"measure" enum:"reps,time"`
	Day     dbtype.Date   `json:"day,omitempty"`
	At      dbtype.Time   `json:"done_at,omitempty"`
	Note    Opt[string]   `json:"note" maxlen:"1200" doc:"Free text; null clears it."`
	Side    Opt[string]   `json:"side" enum:"left,right"`
	Tags    []string      `json:"tags,omitempty" enum:"a,b"`
	Share   float64       `json:"share,omitempty"`
	Done    bool          `json:"done,omitempty"`
	Places  []setPlace    `json:"places,omitempty"`
	Extra   Opt[setPlace] `json:"extra"`
}

type setPlace struct {
	Position int     `json:"position"`
	Name     *string `json:"name"`
}

type setOut struct {
	ID      int64       `json:"id"`
	Note    *string     `json:"note"`
	Measure string      `json:"measure" enum:"reps,time"`
	Place   setPlace    `json:"place"`
	Other   *setPlace   `json:"other"`
	Places  []setPlace  `json:"places"`
	DoneAt  dbtype.Time `json:"done_at"`
	Changed Changed     `json:"changed"`
	Inline  struct {
		X int `json:"x"`
	} `json:"inline"`
}

func echo(_ context.Context, _ *db.Tx, _ Caller, in setIn) (Answer[setIn], error) {
	return Answer[setIn]{Out: in}, nil
}

func setTool() *Tool {
	t := New(honest("create_set"), echo)
	return &t
}

// small has exactly the two arguments of the published vector.
func smallTool(s Spec) *Tool {
	type in struct {
		Weight int `json:"weight"`
		Reps   int `json:"reps" min:"1"`
	}
	t := New(s, func(context.Context, *db.Tx, Caller, in) (Answer[struct{}], error) { return Answer[struct{}]{}, nil })
	return &t
}

func wantSameJSON(t *testing.T, got []byte, want string) {
	t.Helper()
	var g, w any
	if err := json.Unmarshal(got, &g); err != nil {
		t.Fatalf("got %s: %v", got, err)
	}
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(w, g); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func wantRefusal(t *testing.T, err error, code fault.Code, sentence string) *fault.Refusal {
	t.Helper()
	r, ok := errors.AsType[*fault.Refusal](err)
	if !ok {
		t.Fatalf("got %v, want a refusal", err)
	}
	if r.Code != code || r.Sentence() != sentence {
		t.Errorf("got  %s: %s\nwant %s: %s", r.Code, r.Sentence(), code, sentence)
	}
	return r
}
