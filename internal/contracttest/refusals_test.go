package contracttest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"tectonic/internal/config"
	"tectonic/internal/testkit/product"
)

// refusal is one sentence of the rules and a call that meets it.
type refusal struct {
	rule string
	tool string
	args map[string]any
	code string
	says string // how the sentence begins
}

// beforeAnything are met in an empty workspace.
var beforeAnything = []refusal{
	{"R27 none", "block_progress", nil, "refused", "No blocks have been written yet."},
	{"R28", "bodyweight_trend", nil, "refused", "No readings from a scale yet."},
}

// refusals are met in a workspace with Block 0 and its first week lifted in
// part; the numbers are those of the training rules.
func refusals(program, workout, lifted int64) []refusal {
	return []refusal{
		{"R1", "create_set", map[string]any{"exercise": "Deadlift", "weight": 2001, "reps": 5}, "bad_arguments", "Weight 2001 is out of range; use 0-2000 lb."},
		{"R2", "add_program_day", map[string]any{"program_id": program, "week": 1, "weekday": 7}, "bad_arguments", "Weekday 7 is out of range; use 0 (Sunday) to 6 (Saturday)."},
		{"R3", "create_workout", map[string]any{"date": "someday"}, "bad_arguments", `Couldn't read "someday" as a date; use 'today' or YYYY-MM-DD.`},
		{"R4", "create_workout", map[string]any{"date": "1899-12-31"}, "bad_arguments", "Date 1899-12-31 is out of range; use 1900-01-01 to "},
		{"R5", "list_workouts", map[string]any{"from": "2026-03-02", "to": "2026-03-01"}, "bad_arguments", "From 2026-03-02 is after to 2026-03-01."},
		{"R6", "get_workout", map[string]any{"workout_id": 999}, "not_found", "No workout with id 999 on this account."},
		{"R7", "get_workout", map[string]any{"date": "1999-01-01"}, "not_found", "No workout on 1999-01-01 for this account."},
		{"R8", "exercise_history", map[string]any{"exercise": "Backwards Squat"}, "not_found", `No exercise named "Backwards Squat" for this account.`},
		{"R9", "create_exercise", map[string]any{"name": " "}, "bad_arguments", "An exercise needs a non-empty name."},
		{"R10", "delete_set", map[string]any{"set_id": lifted}, "refused", fmt.Sprintf("Set %d is marked as lifted", lifted)},
		{"R11", "update_workout", map[string]any{"workout_id": workout, "new_date": "2026-01-01"}, "refused", fmt.Sprintf("Workout %d has lifted sets", workout)},
		{"R12", "add_program_lift", map[string]any{"program_day_id": 1, "exercise": "Deadlift", "sets": 3, "reps": 5}, "bad_arguments", "A lift needs exactly one of top_weight"},
		{"R13", "add_program_lift", map[string]any{"program_day_id": 1, "exercise": "Deadlift", "sets": 3, "reps": 5, "top_weight": 0}, "bad_arguments", "A lift cannot weigh zero."},
		{"R14", "add_program_lift", map[string]any{"program_day_id": 1, "exercise": "Plank", "sets": 3, "duration_seconds": 30, "is_weighted": false, "top_weight": 45}, "bad_arguments", "An unweighted lift carries no load"},
		{"R15", "create_set", map[string]any{"exercise": "Deadlift", "reps": 5, "duration_seconds": 30}, "bad_arguments", "Give reps or duration_seconds, not both."},
		{"R16", "create_exercise", map[string]any{"name": "Row", "default_measure": "miles"}, "bad_arguments", `Measure "miles" is not one of reps or time.`},
		{"R17", "add_program_lift", map[string]any{"program_day_id": 1, "exercise": "Deadlift", "sets": 3, "reps": 5, "percent_of_max": 80, "progression": "linear"}, "bad_arguments", "Progression linear reads top_weight"},
		{"R18", "create_program", map[string]any{"name": "Block 0", "block": 0, "start_date": "2026-06-01", "weeks": []any{}}, "conflict", `You already have a block named "Block 0"`},
		{"R19", "add_program_week", map[string]any{"program_id": program, "number": 1}, "conflict", "Block 0 already has a week 1."},
		{"R20", "generate_program_week", map[string]any{"program_id": program, "week": 40}, "not_found", fmt.Sprintf("Program %d has no week 40; it has 4.", program)},
		{"R21", "generate_program_week", map[string]any{"program_id": program}, "refused", "Block 0 runs 4 week(s) from "},
		{"R22", "generate_program_week", map[string]any{"program_id": program + 1, "week": 1}, "refused", "No estimated max for Front Squat yet, so 80% of it cannot be worked out."},
		{"R23", "update_set", map[string]any{"set_id": lifted}, "bad_arguments", "Nothing to change: send at least one field."},
		{"R24", "fetch", map[string]any{"id": "workout:999"}, "not_found", `No object with id "workout:999".`},
		{"R25", "set_goal", map[string]any{"exercise": "Deadlift", "target_weight": 315, "target_date": "2001-01-01"}, "bad_arguments", "Target date 2001-01-01 is in the past; use today or later."},
		{"R26", "set_goal", map[string]any{"exercise": "Deadlift", "clear": true}, "not_found", "No goal is set for Deadlift."},
		{"R27", "block_progress", nil, "refused", "No block covers today. Name one with program_id: Percent (id 2), Block 0 (id 1)."},
		{"R29", "health_readings", map[string]any{"metric": "bodyweight", "source": "Nobody's scale"}, "not_found", "No bodyweight readings from source Nobody's scale"},
		{"R30", "health_readings", map[string]any{"metric": "mood"}, "bad_arguments", `"mood" is not a metric this tool knows; use one of `},
		{"R31", "create_program", map[string]any{"name": "Long", "start_date": "2026-06-01", "weeks": manyWeeks(53)}, "refused", "A week holds at most 14 days"},
		{"R32", "set_goal", map[string]any{"exercise": "Plank", "target_weight": 45}, "refused", "Plank carries no external load"},
		{"R34", "create_program", map[string]any{"name": " ", "start_date": "2026-06-01", "weeks": []any{}}, "bad_arguments", "A block needs a name."},
	}
}

func manyWeeks(n int) []any {
	weeks := make([]any, n)
	for i := range weeks {
		weeks[i] = map[string]any{"days": []any{}}
	}
	return weeks
}

func TestEveryRefusalIsToldOverMCPAndTheAPI(t *testing.T) {
	t.Parallel()
	p := product.New(t, product.DB(t), func(c *config.Config) { c.MCP.PerSecond = 0 })
	who := p.Person(t, "a@example.com")
	token := who.Token()
	check := func(list []refusal) {
		for _, c := range list {
			for door, tell := range map[string]func(*testing.T, *product.Product, string, refusal) (string, string){"MCP": overMCPRefused, "API": overAPIRefused} {
				if code, says := tell(t, p, token, c); code != c.code || !strings.HasPrefix(says, c.says) {
					t.Errorf("%s over %s: got %s %q, want %s %q", c.rule, door, code, says, c.code, c.says)
				}
			}
		}
	}
	check(beforeAnything)
	program := int64(who.Must("seed_program", map[string]any{"start": "2026-03-02"})["id"].(float64))
	week := who.Must("generate_program_week", map[string]any{"program_id": program, "week": 1})
	workout := int64(week["workouts"].([]any)[0].(map[string]any)["id"].(float64))
	lifted := firstSet(t, who, workout)
	who.Must("complete_set", map[string]any{"set_id": lifted})
	who.Must("add_health_reading", map[string]any{"metric": "bodyweight", "value": "180", "unit": "lb", "source": "Scale"})
	who.Must("create_exercise", map[string]any{"name": "Plank", "default_measure": "time", "default_is_weighted": false})
	who.Must("create_program", map[string]any{"name": "Percent", "start_date": "2027-01-04", "weeks": []any{map[string]any{"days": []any{
		map[string]any{"weekday": 1, "lifts": []any{map[string]any{"exercise": "Front Squat", "sets": 3, "reps": 5, "percent_of_max": 80}}},
	}}}})
	check(refusals(program, workout, lifted))
}

func ask(t *testing.T, url, token, body string) map[string]any {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	var reply map[string]any
	if err := json.Unmarshal(text, &reply); err != nil {
		t.Fatalf("%s answered %d %.300s", url, res.StatusCode, text)
	}
	return reply
}

func overAPIRefused(t *testing.T, p *product.Product, token string, c refusal) (code, says string) {
	t.Helper()
	e, _ := ask(t, p.Server.URL+"/api/v1/training/"+c.tool, token, string(encode(t, arguments(c))))["error"].(map[string]any)
	return envelope(e)
}

func overMCPRefused(t *testing.T, p *product.Product, token string, c refusal) (code, says string) {
	t.Helper()
	body := encode(t, map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": c.tool, "arguments": arguments(c)}})
	result, _ := ask(t, p.Server.URL+"/mcp", token, string(body))["result"].(map[string]any)
	meta, _ := result["_meta"].(map[string]any)
	e, _ := meta["tectonic/refusal"].(map[string]any)
	return envelope(e)
}

func arguments(c refusal) map[string]any {
	if c.args == nil {
		return map[string]any{}
	}
	return c.args
}

func envelope(e map[string]any) (code, says string) {
	code, _ = e["code"].(string)
	says, _ = e["message"].(string)
	remedy, _ := e["remedy"].(string)
	return code, strings.TrimSpace(says + " " + remedy)
}
