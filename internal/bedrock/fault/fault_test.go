package fault_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"tectonic/internal/bedrock/fault"
)

// The one table of statuses and exit codes for every surface.
func TestStatusAndExitCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		refusal      *fault.Refusal
		status, exit int
	}{
		{fault.Unexpected(nil), 500, 1},
		{fault.TookTooLong(nil), 504, 1},
		{fault.Stopped(nil), 504, 1},
		{fault.BadArgument("x"), 400, 2},
		{&fault.Refusal{Kind: fault.Invalid, Code: fault.CodeUnknownTool}, 404, 2},
		{fault.Deny(fault.CodeUnauthenticated, "x"), 401, 3},
		{fault.Deny(fault.CodeScopeMissing, "x"), 403, 3},
		{fault.Deny(fault.CodeWritesDisabled, "x"), 403, 3},
		{fault.Deny(fault.CodeRateLimited, "x"), 429, 3},
		{fault.Refuse("x"), 422, 3},
		{fault.Missing("x"), 404, 4},
		{fault.Clash("x"), 409, 5},
		{&fault.Refusal{Kind: fault.TooLarge, Code: fault.CodeTooLarge}, 413, 6},
		{fault.NotReachable(nil), 503, 7},
		{&fault.Refusal{Kind: fault.Unavailable, Code: fault.CodeRecordUnavailable}, 503, 7},
		{&fault.Refusal{Kind: "new"}, 500, 1},
	} {
		if got := [2]int{c.refusal.HTTPStatus(), c.refusal.ExitCode()}; got != [2]int{c.status, c.exit} {
			t.Errorf("%s %s: got %v, want %d, %d", c.refusal.Kind, c.refusal.Code, got, c.status, c.exit)
		}
	}
}

func TestFrom(t *testing.T) {
	t.Parallel()
	cause := errors.New("disk on fire")
	refusal := fault.Missing("No workout 12.").Because(cause)
	if got := fault.From(fmt.Errorf("load: %w", refusal)); got != refusal || !errors.Is(got, cause) {
		t.Errorf("got %v, want the wrapped refusal", got)
	}
	if got := fault.From(cause); got.Code != fault.CodeInternal || !errors.Is(got, cause) {
		t.Errorf("got %v, want a fault that keeps its cause", got)
	}
	if got := fault.From(nil); got != nil {
		t.Errorf("got %v, want nil", got)
	}
}

func TestEnvelope(t *testing.T) {
	t.Parallel()
	r := fault.BadArgument("Reps must be 1 or more.").At("reps").Next("Send 1.").Because(errors.New("secret"))
	got, err := json.Marshal(r.Envelope())
	want := `{"code":"bad_arguments","message":"Reps must be 1 or more.","remedy":"Send 1.","fields":[{"path":"/reps","problem":"Reps must be 1 or more."}]}`
	if err != nil || string(got) != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
	if r.Sentence() != "Reps must be 1 or more. Send 1." || r.Problem("reps") == "" || r.Problem("weight") != "" {
		t.Errorf("got %q, %q, %q", r.Sentence(), r.Problem("reps"), r.Problem("weight"))
	}
}

func TestRedact(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"dial postgres://me:hunter2@db:5432/x: refused":       "dial postgres://me:xxxxx@db:5432/x: refused",
		`parse "postgres://me:hun@ter/2@db/x": invalid`:       `parse "postgres://me:xxxxx@db/x": invalid`,
		"connect host=db password=hunter2 user=me":            "connect host=db password=xxxxx user=me",
		"connect password='hunter 2' user=me":                 "connect password=xxxxx user=me",
		"see https://example.com/a?b=c, no password":          "see https://example.com/a?b=c, no password",
		"two lines\n  stay as they are at http://localhost:1": "two lines\n  stay as they are at http://localhost:1",
	} {
		if got := fault.Redact(text); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
