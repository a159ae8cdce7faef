package record_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/record"
	"tectonic/internal/bedrock/record/store"
	"tectonic/internal/testkit"
)

// write appends the row and reads it back.
func write(t *testing.T, d *db.DB, r record.Row) store.RecordRow {
	t.Helper()
	r.Ref = id.Ref()
	if r.Caller.Transport == "" {
		r.Caller.Transport = contract.OverMCPHTTP
	}
	var rows []store.RecordRow
	err := d.Write(t.Context(), func(tx *db.Tx) (err error) {
		if err := record.Append(t.Context(), tx, r); err != nil {
			return err
		}
		rows, err = store.New(tx).RowsByRef(t.Context(), r.Ref)
		return err
	})
	if err != nil || len(rows) != 1 {
		t.Fatalf("got %d rows, %v", len(rows), err)
	}
	return rows[0]
}

func of[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func TestAppendNamesWhoItWas(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		for _, c := range []struct {
			caller contract.Caller
			actor  string
			id     string
		}{
			{contract.Caller{}, "anonymous", ""},
			{contract.Caller{Account: 3}, "user", "3"},
			{contract.Caller{Account: 3, Client: 4}, "client", "3"},
			{contract.LocalOperator(contract.Caller{Account: 3}, contract.OverCLI), "local_operator", "3"},
			{contract.LocalOperator(contract.Caller{Account: 3}, contract.OverMCPStdio), "local_operator", "3"},
		} {
			row := write(t, d, record.Row{Phase: record.Event, Event: "x", Caller: c.caller})
			if row.ActorType != c.actor || of(row.ActorID) != c.id {
				t.Errorf("%+v: got %s %q, want %s %q", c.caller, row.ActorType, of(row.ActorID), c.actor, c.id)
			}
		}
	})
}

func TestAppendSaysWhatCameOfIt(t *testing.T) {
	t.Parallel()
	input := []byte(`{"name":"canary","short":"ab","list":["second canary"]}`)
	for _, c := range []struct {
		name    string
		row     record.Row
		outcome string
		code    string
		cause   string
		detail  string
	}{
		{"an intent has no outcome", record.Row{Phase: record.Intent}, "", "", "", ""},
		{"a success", record.Row{Phase: record.Outcome}, "ok", "", "", ""},
		{"a denial is refused, with a machine word", record.Row{Phase: record.Denial, Refusal: fault.Deny(fault.CodeScopeMissing, "canary")}, "refused", "scope_missing", "scope_absent", ""},
		{"a denial of a plate's own", record.Row{Phase: record.Denial, Refusal: fault.Deny("quarantined", "canary")}, "refused", "quarantined", "policy_denied", ""},
		{"wrong arguments name their places", record.Row{Phase: record.Outcome, Refusal: fault.BadArgument("canary").At("name").At("reps")}, "error", "bad_arguments", "", "/name /reps"},
		{"a refusal keeps no sentence", record.Row{Phase: record.Outcome, Refusal: fault.Refuse("canary").Because(errors.New("canary"))}, "error", "refused", "", ""},
		{
			"a fault keeps its cause without what was sent and without passwords",
			record.Row{Phase: record.Outcome, Input: input, Refusal: fault.Unexpected(errors.New(`insert canary "ab" to postgres://me:hunter2@db/x: tab of second canary`))},
			"error", "internal", "", `insert … "…" to postgres://me:xxxxx@db/x: tab of …`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			testkit.Each(t, func(t *testing.T, d *db.DB) {
				row := write(t, d, c.row)
				got := [4]string{of(row.Outcome), of(row.ErrorCode), of(row.Cause), of(row.CauseDetail)}
				if diff := cmp.Diff([4]string{c.outcome, c.code, c.cause, c.detail}, got); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
			})
		})
	}
}

// What a caller chooses is cut to what both databases store.
func TestAppendStoresAnyText(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		odd := "a\x00\xff" + strings.Repeat("é", 500)
		row := write(t, d, record.Row{
			Phase: record.Outcome, Plate: odd, Tool: odd, Caller: contract.Caller{Correlator: odd}, Took: 1500 * time.Millisecond,
			Refusal: fault.Unexpected(errors.New(odd)), BytesOut: 7, Cost: 12, Refs: []string{`set:1`, `a"b`},
		})
		if !strings.HasPrefix(row.Tool, "a��éé") || len(row.Tool) > 64 || len(row.Plate) > 64 || len(of(row.Correlator)) > 128 || len(of(row.CauseDetail)) > 300 {
			t.Errorf("got %+v", row)
		}
		if of(row.DurationMs) != 1500 || of(row.BytesOut) != 7 || row.CostMicro != 12 || of(row.ObjectRefs) != `["set:1","a\"b"]` {
			t.Errorf("got %d ms, %d bytes, %d micro, %s", of(row.DurationMs), of(row.BytesOut), row.CostMicro, of(row.ObjectRefs))
		}
	})
}
