package gate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
)

const (
	canary     = `{"name":"canary"}`
	unexpected = "The tool failed unexpectedly and made no change. Please try again."
)

// Each failure has one sentence, changes nothing and leaves the named rows.
func TestCallRefused(t *testing.T) {
	t.Parallel()
	viewer := func(c *contract.Caller) { c.Scopes = []string{"read"} }
	nobody := func(c *contract.Caller) { c.Scopes = nil }
	same := func(*contract.Caller) {}
	for _, c := range []struct {
		name, tool, args string
		who              func(*contract.Caller)
		code             fault.Code
		want             string
		rows             []string
	}{
		{"an unknown tool", "nothing_like_it", `{}`, same, fault.CodeUnknownTool, "", []string{"denial error unknown_tool"}},
		{"a tool of another surface", "page_only", canary, same, fault.CodeUnknownTool, "", []string{"denial error unknown_tool"}},
		{
			"a write without its scope, before the arguments are read", "mark", `{"foo":1}`, viewer, fault.CodeScopeMissing,
			"This tool needs the 'write' scope; this token grants: read.",
			[]string{"denial refused scope_missing scope_absent"},
		},
		{
			"a caller without any scope", "list", `{}`, nobody, fault.CodeScopeMissing,
			"This tool needs the 'read' scope; this token grants: none.",
			[]string{"denial refused scope_missing scope_absent"},
		},
		{
			"wrong arguments of a write", "mark", `{"name":"plate"}`, same, fault.CodeBadArguments,
			`Name "plate" is not one of canary, chalk or rack.`,
			[]string{"outcome error bad_arguments"},
		},
		{"wrong arguments of a read", "list", `{"x":1}`, same, fault.CodeBadArguments, "Invalid arguments: /: additional properties 'x' not allowed. Correct the named fields and call again.", []string{}},
		{"what is against a rule", "refuses", canary, same, fault.CodeRefused, "A mark cannot be made on a rest day.", []string{"outcome error refused"}},
		{"a failed handler", "fails", canary, same, fault.CodeInternal, unexpected, []string{"outcome error internal"}},
		{"a panic", "panics", canary, same, fault.CodeInternal, unexpected, []string{"outcome error internal"}},
		{"a read that writes", "liar", canary, same, fault.CodeInternal, unexpected, []string{}},
		{"an answer unlike its schema", "odd", `{}`, same, fault.CodeInternal, unexpected, []string{"outcome error internal"}},
		{
			"an answer of a write over its cap", "grows", canary, same, fault.CodeTooLarge,
			"The answer is 8 bytes and the limit for grows is 4. Ask for one mark.",
			[]string{"outcome error too_large"},
		},
		{"an answer of a read over its cap", "list_much", `{}`, same, fault.CodeTooLarge, "The answer is 12 bytes and the limit for list_much is 4. Lower limit.", []string{}},
		{
			"a request id that is too long", "mark", `{"name":"canary"}`, same, fault.CodeBadArguments,
			"request_id is longer than 64 characters.",
			[]string{"outcome error bad_arguments"},
		},
	} {
		t.Run("refuses "+c.name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, d *db.DB) {
				b := setup(t, d)
				who, requestID := b.who, ""
				c.who(&who)
				if strings.HasPrefix(c.want, "request_id is") {
					requestID = strings.Repeat("x", 65)
				}
				_, err := b.call(who, c.tool, c.args, requestID)
				r := refusal(t, err)
				if r.Code != c.code || c.want != "" && r.Sentence() != c.want {
					t.Errorf("got  %s: %s\nwant %s: %s", r.Code, r.Sentence(), c.code, c.want)
				}
				if diff := cmp.Diff(c.rows, b.added()); diff != "" {
					t.Errorf("record: -want +got\n%s", diff)
				}
				if (r.Ref != "") != (len(c.rows) > 0) {
					t.Errorf("got the reference %q with %d rows", r.Ref, len(c.rows))
				}
				if n := b.marks(); n != 0 {
					t.Errorf("%d rows were changed", n)
				}
			})
		})
	}
}

func refusal(t *testing.T, err error) *fault.Refusal {
	t.Helper()
	r, ok := errors.AsType[*fault.Refusal](err)
	if !ok {
		t.Fatalf("got %v, want a refusal", err)
	}
	return r
}

func TestUnknownPlate(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		_, err := b.gate.Call(t.Context(), b.who, gate.Request{Plate: "a\x00b" + strings.Repeat("é", 200), Tool: "mark"})
		if r := refusal(t, err); r.Code != fault.CodeUnknownTool || len(b.added()) != 1 {
			t.Errorf("got %v, record %v", r, b.added())
		}
	})
}

func TestCallWrites(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		wire, err := b.call(b.who, "mark", canary, "")
		if err != nil {
			t.Fatal(err)
		}
		if wire.Text != "Marked." || string(wire.Structured) != `{"id":1}` || wire.Replayed {
			t.Errorf("got %+v", wire)
		}
		rows := b.rows()[b.base:]
		if len(rows) != 1 || b.marks() != 1 {
			t.Fatalf("got %d rows of the record, %d marks", len(rows), b.marks())
		}
		r := rows[0]
		got := map[string]any{
			"ref": r.Ref == wire.Ref, "phase": r.Phase, "outcome": *r.Outcome, "plate": r.Plate, "tool": r.Tool, "transport": r.Transport,
			"actor": r.ActorType, "refs": *r.ObjectRefs, "bytes": *r.BytesOut, "in": r.BytesIn, "cost": r.CostMicro,
			"correlator": *r.Correlator, "client": int64(*r.ClientID), "grant": int64(*r.GrantID), "digest": len(*r.InputSHA256),
			"workspace": *r.WorkspaceID == b.who.Workspace, "account": *r.AccountID == b.who.Account, "version": r.ContractVersion,
		}
		want := map[string]any{
			"ref": true, "phase": "outcome", "outcome": "ok", "plate": "bench", "tool": "mark", "transport": "mcp_http",
			"actor": "client", "refs": `["mark:1"]`, "bytes": int64(8), "in": int64(len(canary)), "cost": int64(0),
			"correlator": "trace-1", "client": int64(7), "grant": int64(9), "digest": 64,
			"workspace": true, "account": true, "version": int64(4),
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	})
}

// A change and its row are both there or neither is.
func TestChangeWithoutRecordIsRolledBack(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		b.breakRecord()
		_, err := b.call(b.who, "mark", canary, "k1")
		if r := refusal(t, err); r.Code != fault.CodeInternal || r.Ref != "" {
			t.Errorf("got %+v", r)
		}
		var keys int
		b.query("SELECT count(*) FROM request_keys", &keys)
		if b.marks() != 0 || keys != 0 || len(b.added()) != 0 {
			t.Errorf("got %d marks, %d keys, record %v", b.marks(), keys, b.added())
		}
	})
}

// breakRecord makes every insert into the record fail from now on.
func (b *bench) breakRecord() {
	b.t.Helper()
	statements := []string{"CREATE TRIGGER broken BEFORE INSERT ON record_rows BEGIN SELECT RAISE(ABORT, 'broken'); END"}
	if b.db.Dialect == db.Postgres {
		statements = []string{"CREATE TRIGGER broken BEFORE INSERT ON record_rows FOR EACH STATEMENT EXECUTE FUNCTION record_rows_refuse()"}
	}
	err := b.db.Write(b.t.Context(), func(tx *db.Tx) error {
		for _, s := range statements {
			if _, err := tx.ExecContext(b.t.Context(), s); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
}

func TestReadsAreRecordedOnlyWhenAudited(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		wire, err := b.call(b.who, "list", "null", "")
		if err != nil || wire.Ref != "" || len(b.added()) != 0 {
			t.Errorf("got %+v, %v, record %v", wire, err, b.added())
		}
		wire, err = b.call(b.who, "list_audited", `{}`, "")
		if err != nil || wire.Ref == "" || !cmp.Equal(b.added(), []string{"outcome ok"}) {
			t.Errorf("got %+v, %v, record %v", wire, err, b.added())
		}
		_, err = b.call(b.who, "list_audited", `{"x":1}`, "")
		if err == nil || !cmp.Equal(b.added(), []string{"outcome ok", "outcome error bad_arguments"}) {
			t.Errorf("got %v, record %v", err, b.added())
		}
	})
	t.Run("records all of them when the operator says so", func(t *testing.T) {
		t.Parallel()
		each(t, func(t *testing.T, d *db.DB) {
			b := setup(t, d, func(o *gate.Options) { o.AuditReads = true })
			wire, err := b.call(b.who, "list", "", "")
			if err != nil || wire.Ref == "" || !cmp.Equal(b.added(), []string{"outcome ok"}) {
				t.Errorf("got %+v, %v, record %v", wire, err, b.added())
			}
			b.breakRecord()
			if wire, err := b.call(b.who, "list", "", ""); err == nil {
				t.Errorf("got %+v, want no answer that is not recorded", wire)
			}
		})
	})
}

func TestKillSwitch(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d, func(o *gate.Options) { o.WritesEnabled = func() bool { return false } })
		closed := map[contract.Transport]bool{
			contract.OverMCPHTTP: true, contract.OverMCPStdio: true, contract.OverAPI: true,
			contract.OverWeb: false, contract.OverCLI: false,
		}
		for door, want := range closed {
			who := b.who
			who.Transport = door
			before := len(b.added())
			_, err := b.call(who, "mark", canary, "")
			if (err != nil) != want {
				t.Errorf("%s: got %v, want closed %v", door, err, want)
			}
			if want {
				r := refusal(t, err)
				if r.Code != fault.CodeWritesDisabled || r.HTTPStatus() != 403 || r.Message != "Writes are disabled on this server right now, so nothing was changed." {
					t.Errorf("%s: got %d %s: %s", door, r.HTTPStatus(), r.Code, r.Message)
				}
				if got := b.added()[before:]; !cmp.Equal(got, []string{"denial refused writes_disabled policy_denied"}) {
					t.Errorf("%s: record %v", door, got)
				}
			}
			if _, err := b.call(who, "list", "", ""); err != nil {
				t.Errorf("%s: a read was refused: %v", door, err)
			}
		}
		if got := b.marks(); got != 2 {
			t.Errorf("got %d marks, want the 2 of page and command line", got)
		}
	})
}

func TestOpaqueDenial(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		who := b.who
		who.Scopes = nil
		_, err := b.call(who, "list_opaque", "", "")
		r := refusal(t, err)
		if r.Sentence() != "Denied. Reference "+r.Ref+"." || r.Cause != nil || r.Remedy != "" {
			t.Errorf("got %s", r.Sentence())
		}
		if got := b.added(); !cmp.Equal(got, []string{"denial refused scope_missing scope_absent"}) {
			t.Errorf("record %v", got)
		}
	})
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d, func(o *gate.Options) { o.Timeout = 50 * time.Millisecond })
		_, err := b.call(b.who, "waits", canary, "k1")
		r := refusal(t, err)
		if r.Code != fault.CodeTimeout || r.HTTPStatus() != 504 || b.marks() != 0 {
			t.Errorf("got %d %s, %d marks", r.HTTPStatus(), r.Code, b.marks())
		}
		if got := b.added(); !cmp.Equal(got, []string{"outcome error timeout"}) {
			t.Errorf("record %v", got)
		}
	})
	t.Run("reports no fault when the caller goes away", func(t *testing.T) {
		t.Parallel()
		each(t, func(t *testing.T, d *db.DB) {
			reported := 0
			b := setup(t, d, func(o *gate.Options) {
				o.Report = func(context.Context, error, string) { reported++ }
			})
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			_, err := b.gate.Call(ctx, b.who, gate.Request{Plate: "bench", Tool: "waits", Args: json.RawMessage(canary)})
			if r := refusal(t, err); r.Code != fault.CodeTimeout || reported != 0 || b.marks() != 0 {
				t.Errorf("got %s, %d reports, %d marks", r.Code, reported, b.marks())
			}
		})
	})
}

func TestFaultsAreReported(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		var reports []string
		b := setup(t, d, func(o *gate.Options) {
			o.Report = func(_ context.Context, err error, ref string) {
				reports = append(reports, fmt.Sprintf("%v, reference %v", err, ref != ""))
			}
		})
		for _, tool := range []string{"fails", "refuses", "panics"} {
			if _, err := b.call(b.who, tool, canary, ""); err == nil {
				t.Errorf("%s succeeded", tool)
			}
		}
		want := []string{errHandler.Error() + ", reference true", "panic in bench.panics: mistake, reference true"}
		if diff := cmp.Diff(want, reports); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	})
}

func TestSharedRefusalCarriesNoReference(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		_, err := b.call(b.who, "refuses", canary, "")
		if refusal(t, err).Ref == "" || ruleBroken.Ref != "" {
			t.Errorf("got %q in the answer, %q in the plate's value", refusal(t, err).Ref, ruleBroken.Ref)
		}
	})
}

func TestNotes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		if _, err := b.call(b.who, "notes", canary, ""); err != nil {
			t.Fatalf("a failed note failed the call: %v", err)
		}
		if got := b.marks(); got != 2 {
			t.Errorf("got %d marks, want that of the call and that of its first note", got)
		}
	})
}

func TestOutside(t *testing.T) {
	// Not parallel with itself: outsideCalls is shared by both engines.
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		before := outsideCalls.Load()
		wire, err := b.call(b.who, "outside", canary, "")
		if err != nil || wire.Ref == "" {
			t.Fatalf("got %+v, %v", wire, err)
		}
		rows := b.rows()[b.base:]
		if len(rows) != 2 || rows[0].Phase != "intent" || rows[1].Phase != "outcome" || rows[0].Outcome != nil || rows[1].CostMicro != 1500 || rows[0].Ref != rows[1].Ref {
			t.Errorf("record %v", b.added())
		}
		_, err = b.call(b.who, "outside_fails", canary, "")
		r := refusal(t, err)
		if r.Sentence() != "The tool failed unexpectedly and its effect is unknown. Check before trying again." {
			t.Errorf("got %s", r.Sentence())
		}
		if got := b.added()[2:]; !cmp.Equal(got, []string{"intent", "outcome error internal"}) {
			t.Errorf("record %v", got)
		}
		b.breakRecord()
		_, err = b.call(b.who, "outside", canary, "")
		r = refusal(t, err)
		if r.Code != fault.CodeRecordUnavailable || r.HTTPStatus() != 503 || r.Message != "The call could not be recorded, so it was not made." {
			t.Errorf("got %d %s: %s", r.HTTPStatus(), r.Code, r.Message)
		}
		if calls := outsideCalls.Load() - before; calls != 1 || b.marks() != 1 {
			t.Errorf("got %d calls, %d marks, want 1: no call without an intent", calls, b.marks())
		}
	})
}

func TestOutsideTimeout(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d, func(o *gate.Options) { o.Timeout = 50 * time.Millisecond })
		_, err := b.call(b.who, "outside_waits", canary, "")
		r := refusal(t, err)
		if r.Code != fault.CodeTimeout || !strings.Contains(r.Message, "effect is unknown") {
			t.Errorf("got %s: %s", r.Code, r.Message)
		}
		if got := b.added(); !cmp.Equal(got, []string{"intent", "outcome error timeout"}) {
			t.Errorf("record %v", got)
		}
	})
}

// Whatever a caller sends, the record holds its digest and nothing of it.
func TestRecordHoldsNoArgument(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, d *db.DB) {
		b := setup(t, d)
		for _, tool := range []string{"mark", "refuses", "fails", "panics", "grows", "list_audited", "outside", "outside_fails", "notes"} {
			for _, args := range []string{canary, `{"name":"canary-wrong"}`, `{"canary":1}`, `canary`, `{"name":"canary\u0000"}`} {
				_, _ = b.call(b.who, tool, args, "")
			}
		}
		rows := b.rows()[b.base:]
		if len(rows) < 40 {
			t.Errorf("got %d rows, want every call recorded", len(rows))
		}
		text, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		if at := strings.Index(string(text), "canary"); at >= 0 {
			t.Errorf("the record holds an argument: …%s…", text[max(0, at-120):min(len(text), at+60)])
		}
	})
}

func TestRegister(t *testing.T) {
	t.Parallel()
	g := gate.New(gate.Options{})
	r, err := contract.NewRegistry("bench", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Register(r); err != nil {
		t.Fatal(err)
	}
	if err := g.Register(r); err == nil {
		t.Error("two plates of one name were taken")
	}
	if _, ok := g.Registry("bench"); !ok {
		t.Error("the plate is not there")
	}
}
