package contract

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
)

type told struct {
	ID    int64    `json:"id"`
	Lifts []lift   `json:"lifts"`
	Best  *lift    `json:"best"`
	Names []string `json:"names"`
}

type lift struct {
	Exercise string `json:"exercise"`
	Weight   *int64 `json:"weight"`
}

func TestTheDescriptionTellsTheAnswerAndTheErrors(t *testing.T) {
	t.Parallel()
	tool := New(Spec{
		Name: "tell", Title: "Tell", Says: "Tells.", Why: "Reads only.", Scope: "read",
		ReadOnly: Yes, Destructive: No, Idempotent: Yes, OpenWorld: No, Errors: []fault.Code{fault.CodeNotFound},
	}, func(context.Context, *db.Tx, Caller, struct{}) (Answer[told], error) { return Answer[told]{}, nil })
	want := "Tells. Returns (presentation contract v4): id, lifts[] lift {exercise, weight}, best lift, names[]. " +
		"Errors: bad_arguments, db_unavailable, internal, not_found, rate_limited, scope_missing, timeout, too_large."
	if got := tool.Description(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestALockSaysWhatChanged(t *testing.T) {
	t.Parallel()
	old := Lock{Version: 4, Tools: map[string]Locked{"p.a": {"1", "2", "3", "4"}, "p.b": {"1", "2", "3", "4"}, "p.same": {"1", "1", "1", "1"}}}
	now := Lock{Version: 4, Tools: map[string]Locked{"p.a": {"1", "9", "3", "9"}, "p.c": {"1", "2", "3", "4"}, "p.same": {"1", "1", "1", "1"}}}
	changes, breaking := now.Diff(old)
	if got := strings.Join(changes, "; "); got != "p.a: changed output, hints; p.b: removed; p.c: new" || !breaking {
		t.Errorf("got %s, breaking %v", got, breaking)
	}
	delete(now.Tools, "p.a")
	delete(old.Tools, "p.a")
	delete(old.Tools, "p.b")
	if changes, breaking := now.Diff(old); len(changes) != 1 || breaking {
		t.Errorf("a new tool: got %v, breaking %v", changes, breaking)
	}
	read, err := ParseLock(now.String())
	if text, _ := json.Marshal(read); err != nil || read.String() != now.String() {
		t.Errorf("written and read again: %s, %v", text, err)
	}
}
