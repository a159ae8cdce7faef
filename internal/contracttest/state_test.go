package contracttest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/testkit/product"
)

// digest is a hash per table of everything in the database.
func digest(t *testing.T, d *db.DB) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, table := range tables(t, d) {
		rows, err := d.W.QueryContext(t.Context(), "SELECT * FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		names, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for rows.Next() {
			values := make([]any, len(names))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			var line strings.Builder
			for _, v := range values {
				fmt.Fprintf(&line, "%v|", *v.(*any))
			}
			lines = append(lines, line.String())
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		sort.Strings(lines)
		out[table] = fmt.Sprintf("%d rows, %x", len(lines), sha256.Sum256([]byte(strings.Join(lines, "\n"))))
	}
	return out
}

func tables(t *testing.T, d *db.DB) []string {
	t.Helper()
	query := "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	if d.Dialect == db.Postgres {
		query = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
	}
	rows, err := d.W.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return names
}

func isReadOnly(t *testing.T, name string) bool {
	t.Helper()
	for _, tool := range tools(t) {
		if tool.Name == name {
			return tool.ReadOnly.True()
		}
	}
	t.Fatalf("no tool %s", name)
	return false
}

// recorded counts the rows of the record.
func recorded(t *testing.T, d *db.DB) (rows int, last string) {
	t.Helper()
	err := d.W.QueryRowContext(t.Context(), "SELECT count(*) FROM record_rows").Scan(&rows)
	if err != nil {
		t.Fatal(err)
	}
	err = d.W.QueryRowContext(t.Context(), "SELECT phase || ' ' || tool || ' ' || COALESCE(outcome, '') || ' ' || COALESCE(error_code, '') FROM record_rows ORDER BY sequence DESC LIMIT 1").Scan(&last)
	if err != nil {
		t.Fatal(err)
	}
	return rows, strings.TrimSpace(last)
}

func TestReadsLeaveTheDatabaseAndWritesLeaveOneRow(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		who.Week()
		for _, s := range steps {
			before, rows := digest(t, p.DB), 0
			rows, _ = recorded(t, p.DB)
			if _, err := who.Call(s.tool, s.args); err != nil {
				t.Fatalf("%s %v: %v", s.tool, s.args, err)
			}
			now, last := recorded(t, p.DB)
			if isReadOnly(t, s.tool) {
				if diff := cmp.Diff(before, digest(t, p.DB)); diff != "" {
					t.Errorf("%s is read-only and changed the database:\n%s", s.tool, diff)
				}
				continue
			}
			if want := "outcome " + s.tool + " ok"; now != rows+1 || last != want {
				t.Errorf("%s left %d record rows, the last %q; want one, %q", s.tool, now-rows, last, want)
			}
		}
	})
}

// Every door refuses in the same way, leaves one row and changes nothing.
func TestRefusalsChangeNothing(t *testing.T) {
	t.Parallel()
	type refusal struct {
		name, tool string
		args       string
		caller     func(contract.Caller) contract.Caller
		code       fault.Code
		sentence   string
		row        string // "" = none: a read that was refused
	}
	reader := func(c contract.Caller) contract.Caller {
		return contract.Caller{Account: c.Account, Workspace: c.Workspace, Scopes: []string{"read"}, Transport: contract.OverMCPHTTP, Zone: c.Zone}
	}
	nobody := func(c contract.Caller) contract.Caller {
		return contract.Caller{Account: c.Account, Workspace: c.Workspace, Transport: contract.OverMCPHTTP, Zone: c.Zone}
	}
	list := []refusal{
		{"unknown tool", "fly", `{}`, nil, fault.CodeUnknownTool, "There is no tool \"fly\" here.", "denial fly error unknown_tool"},
		{"missing scope", "create_workout", `{"date":"today"}`, reader, fault.CodeScopeMissing, "This tool needs the 'write' scope; this token grants: read.", "denial create_workout refused scope_missing"},
		{"no scope at all", "whoami", `{}`, nobody, fault.CodeScopeMissing, "This tool needs the 'read' scope; this token grants: none.", "denial whoami refused scope_missing"},
		{"bad arguments", "create_workout", `{"day":"today"}`, nil, fault.CodeBadArguments, "Invalid arguments: ", "outcome create_workout error bad_arguments"},
		{"R1", "rate_workout", `{"rpe":11,"workout_id":1}`, nil, fault.CodeBadArguments, "RPE 11 is out of range; use 1-10.", "outcome rate_workout error bad_arguments"},
		{"R3", "create_workout", `{"date":"someday"}`, nil, fault.CodeBadArguments, "Couldn't read \"someday\" as a date; use 'today' or YYYY-MM-DD.", "outcome create_workout error bad_arguments"},
		{"R3 before the calendar", "get_workout", `{"date":"0000-01-01"}`, nil, fault.CodeBadArguments, "Couldn't read \"0000-01-01\" as a date", ""},
		{"R3 beside an id", "get_workout", `{"workout_id":1,"date":"garbage"}`, nil, fault.CodeBadArguments, "Couldn't read \"garbage\" as a date", ""},
		{"R5", "list_workouts", `{"from":"2026-03-02","to":"2026-03-01"}`, nil, fault.CodeBadArguments, "From 2026-03-02 is after to 2026-03-01.", ""},
		{"R6", "complete_set", `{"set_id":9999}`, nil, fault.CodeNotFound, "No set with id 9999 on this account.", "outcome complete_set error not_found"},
		{"R7", "rate_workout", `{"rpe":8,"date":"2020-01-01"}`, nil, fault.CodeNotFound, "No workout on 2020-01-01 to rate.", "outcome rate_workout error not_found"},
		{"R9", "create_exercise", `{"name":"  "}`, nil, fault.CodeBadArguments, "An exercise needs a non-empty name.", "outcome create_exercise error bad_arguments"},
		{"R10", "delete_set", `{"set_id":1}`, nil, fault.CodeRefused, "Set 1 is marked as lifted, so deleting it removes training that happened. Send confirm true if the user asked to remove it.", "outcome delete_set error refused"},
		{"R11", "update_workout", `{"workout_id":1,"new_date":"2026-01-01"}`, nil, fault.CodeRefused, "Workout 1 has lifted sets, so moving it rewrites training history.", "outcome update_workout error refused"},
		{"R15 both", "create_set", `{"exercise":"Back Squat","reps":5,"duration_seconds":30}`, nil, fault.CodeBadArguments, "Give reps or duration_seconds, not both.", "outcome create_set error bad_arguments"},
		{"R15 none", "create_set", `{"exercise":"Back Squat"}`, nil, fault.CodeBadArguments, "A set counted in reps needs reps.", "outcome create_set error bad_arguments"},
		{"R16", "create_exercise", `{"name":"Plank","default_measure":"minutes"}`, nil, fault.CodeBadArguments, "Measure \"minutes\" is not one of reps or time.", "outcome create_exercise error bad_arguments"},
		{"R20", "generate_program_week", `{"program_id":1,"week":9}`, nil, fault.CodeNotFound, "Program 1 has no week 9; it has 4.", "outcome generate_program_week error not_found"},
		{"R23", "update_set", `{"set_id":1}`, nil, fault.CodeBadArguments, "Nothing to change: send at least one field.", "outcome update_set error bad_arguments"},
		{"limit", "list_programs", `{"limit":500}`, nil, fault.CodeBadArguments, "Limit 500 is out of range; use 1-200.", ""},
	}
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		who.Week()
		who.Must("complete_set", map[string]any{"set_id": 1})
		for _, r := range list {
			t.Run(r.name, func(t *testing.T) {
				caller := who.Caller
				if r.caller != nil {
					caller = r.caller(caller)
				}
				before := digest(t, p.DB)
				delete(before, "record_rows")
				rows, _ := recorded(t, p.DB)
				_, err := p.Gate.Call(context.WithoutCancel(t.Context()), caller, gate.Request{Plate: "training", Tool: r.tool, Args: []byte(r.args)})
				got := fault.From(err)
				if got == nil || got.Code != r.code || !strings.HasPrefix(got.Message, r.sentence) {
					t.Fatalf("got %v (%+v), want %s %q", got, err, r.code, r.sentence)
				}
				after := digest(t, p.DB)
				delete(after, "record_rows")
				if diff := cmp.Diff(before, after); diff != "" {
					t.Errorf("the refusal changed the database:\n%s", diff)
				}
				now, last := recorded(t, p.DB)
				if r.row == "" && now != rows || r.row != "" && (now != rows+1 || last != r.row) {
					t.Errorf("record: %d new rows, the last %q; want %q", now-rows, last, r.row)
				}
			})
		}
	})
}

// The kill switch closes the doors of programs and leaves those of people
// open: a lifter can always press Done.
func TestKillSwitch(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		who.Week()
		off := p.Config
		off.WritesEnabled = false
		p.Reload(off)
		for over, closed := range map[contract.Transport]bool{
			contract.OverMCPHTTP: true, contract.OverMCPStdio: true, contract.OverAPI: true, contract.OverWeb: false, contract.OverCLI: false,
		} {
			caller := who.Caller
			caller.Transport = over
			_, err := p.Gate.Call(context.WithoutCancel(t.Context()), caller, gate.Request{Plate: "training", Tool: "complete_set", Args: []byte(`{"set_id":1}`)})
			r := fault.From(err)
			if closed && (r == nil || r.Code != fault.CodeWritesDisabled || r.Message != "Writes are disabled on this server right now, so nothing was changed.") {
				t.Errorf("a write over %s: %v", over, err)
			}
			if !closed && err != nil {
				t.Errorf("a write over %s: %v", over, err)
			}
			if _, err := p.Gate.Call(context.WithoutCancel(t.Context()), caller, gate.Request{Plate: "training", Tool: "whoami"}); err != nil {
				t.Errorf("a read over %s: %v", over, err)
			}
		}
	})
}

func TestARequestIDAnswersOnce(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		args := map[string]any{"exercise": "Back Squat", "weight": 155, "reps": 5, "request_id": "monday-1"}
		first, second := who.Must("create_set", args), who.Must("create_set", args)
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("the second answer differs:\n%s", diff)
		}
		args["reps"] = 4
		_, err := who.Call("create_set", args)
		if r := fault.From(err); r == nil || r.Code != fault.CodeConflict || r.Message != `request_id "monday-1" was already used for a call with different contents. Use a new one.` {
			t.Errorf("other contents: %v", err)
		}
		if got := number(t, p.DB, "SELECT count(*) FROM training_sets"); got != 1 {
			t.Errorf("%d sets, want 1", got)
		}
	})
}
