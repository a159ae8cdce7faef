package contracttest

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/testkit/product"
)

// foreign maps an id argument to the kind it names and an id that belongs to
// somebody else; unknown is an id that nobody has.
const unknown = 987654

// Every tool that takes an id answers another workspace's id as it answers
// one that does not exist, but for the number itself.
func TestToolsHideOtherWorkspaces(t *testing.T) {
	t.Parallel()
	extra := map[string]map[string]any{
		"rate_workout": {"rpe": 8}, "update_workout": {"notes": "x"}, "update_set": {"rpe": 8},
		"create_set": {"exercise": "Back Squat", "reps": 5}, "update_exercise": {"name": "Mine"},
		"delete_set": {"confirm": true}, "delete_workout": {"confirm": true},
		"set_goal":        {"exercise": "Back Squat", "target_weight": 225},
		"add_program_day": {"week": 1, "weekday": 1}, "update_program_day": {"weekday": 2},
		"add_program_lift": {"exercise": "Back Squat", "sets": 3, "reps": 5, "top_weight": 155}, "update_program_lift": {"sets": 3},
		"set_lift_extras":   {"rest_seconds": 90},
		"save_program_lift": {"sets": 3}, "add_lift_row": {"exercise": "Back Squat", "sets": 3, "reps": 5, "top_weight": 155},
		"update_program": {"notes": "x"}, "update_program_week": {"week": 1, "is_deload": true}, "delete_program_week": {"week": 1},
		"swap_lift": {"workout_id": 777777, "program_lift_id": 1, "exercise": "Back Squat"},
	}
	product.Each(t, func(t *testing.T, p *product.Product) {
		owner := p.Person(t, "owner@example.com")
		program, workout := owner.Week()
		movement := owner.Must("create_exercise", map[string]any{"name": "Owner's Lift"})["id"]
		readings := owner.Must("import_health", map[string]any{"file_name": "scale.csv", "file": "measured_at,metric,value,unit\n2026-03-01T07:00:00Z,bodyweight,180.2,lb"})
		past := owner.Must("import_history", map[string]any{"file_name": "strong.csv", "unit": "kg", "file": strongFile})
		stranger := p.Person(t, "stranger@example.com")
		ids := map[string]any{"program_id": program, "workout_id": workout, "set_id": 1, "exercise_id": movement, "program_day_id": 1, "program_lift_id": 1, "import_id": readings["import_id"], "history_import_id": past["history_import_id"]}
		tried := 0
		for _, tool := range tools(t) {
			for _, prop := range tool.Properties() {
				own, takes := ids[prop.Name]
				if !takes {
					continue
				}
				tried++
				answers := []string{}
				for _, id := range []any{own, unknown} {
					args := map[string]any{prop.Name: id}
					for name, value := range extra[tool.Name] {
						if name != prop.Name {
							args[name] = value
						}
					}
					_, err := stranger.Call(tool.Name, args)
					r := fault.From(err)
					if r == nil || r.Code != fault.CodeNotFound {
						t.Errorf("%s with %s %v of another workspace: %v", tool.Name, prop.Name, id, err)
						continue
					}
					answers = append(answers, strings.ReplaceAll(r.Sentence(), fmt.Sprint(id), "N"))
				}
				if len(answers) == 2 && answers[0] != answers[1] {
					t.Errorf("%s tells the two apart:\n%s\n%s", tool.Name, answers[0], answers[1])
				}
			}
		}
		if tried < 10 {
			t.Errorf("only %d arguments were tried", tried)
		}
	})
}

var parameter = regexp.MustCompile(`\{(\w+)\}`)

// Every address with an id answers a stranger, with the owner's ids, exactly
// as with ids that nobody has.
func TestPagesHideOtherWorkspaces(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		owner := p.Person(t, "owner@example.com")
		program, workout := owner.Week()
		movement := owner.Must("create_exercise", map[string]any{"name": "Owner's Lift"})["id"]
		reading := owner.Must("add_health_reading", map[string]any{"metric": "bodyweight", "value": "180.2", "unit": "lb", "source": "scale"})["import_id"]
		grant := tokenOf(t, p, owner)
		member, invite := memberOf(t, p, owner, owner), inviteOf(t, p, owner)
		stranger := p.Person(t, "stranger@example.com")
		stranger.Must("create_workout", map[string]any{"date": "2026-01-05"})
		b := stranger.Browser()
		before := digest(t, p.DB)
		tried := 0
		for _, route := range p.Routes() {
			method, pattern, _ := strings.Cut(route.Pattern, " ")
			if !strings.Contains(pattern, "{id}") {
				continue
			}
			tried++
			id := any(workout)
			switch {
			case strings.HasPrefix(pattern, "/programs"):
				id = program
			case strings.HasPrefix(pattern, "/exercises"):
				id = movement
			case strings.HasPrefix(pattern, "/health/imports"):
				id = reading
			case strings.HasPrefix(pattern, "/connections"), strings.HasPrefix(pattern, "/settings/tokens"):
				id = grant
			case strings.HasPrefix(pattern, "/workspace/members"):
				id = member
			case strings.HasPrefix(pattern, "/workspace/invites"):
				id = invite
			}
			theirs := answer(b, method, fill(pattern, id, 1))
			nobodys := answer(b, method, fill(pattern, unknown, unknown))
			if theirs != nobodys {
				t.Errorf("%s: another workspace's id answers\n%s\nand an unknown one\n%s", route.Pattern, theirs, nobodys)
			}
			if strings.HasPrefix(theirs, "200") {
				t.Errorf("%s: a stranger was answered: %s", route.Pattern, theirs)
			}
		}
		if tried < 10 {
			t.Errorf("only %d routes were tried", tried)
		}
		after := digest(t, p.DB)
		for table := range before {
			if (strings.HasPrefix(table, "training_") || table == "grants" || table == "tokens" || table == "members" || table == "invites") && before[table] != after[table] {
				t.Errorf("a stranger changed %s", table)
			}
		}
	})
}

// inviteOf makes an invitation and returns its id.
func inviteOf(t *testing.T, p *product.Product, who *product.Person) any {
	t.Helper()
	if _, err := p.Accounts.Invite(t.Context(), account.Door{Transport: contract.OverWeb}, who.Caller, contract.Viewer); err != nil {
		t.Fatal(err)
	}
	list, err := p.Accounts.Invites(t.Context(), who.Workspace())
	if err != nil {
		t.Fatal(err)
	}
	return list[0].ID
}

// tokenOf makes a personal token of the person and returns its grant.
func tokenOf(t *testing.T, p *product.Product, who *product.Person) any {
	t.Helper()
	who.Token()
	list, err := p.OAuth.Tokens(t.Context(), who.Caller.Account, who.Workspace())
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	return list[0].Grant
}

func fill(pattern string, id, inner any) string {
	return parameter.ReplaceAllStringFunc(pattern, func(name string) string {
		if name == "{id}" {
			return fmt.Sprint(id)
		}
		return fmt.Sprint(inner)
	})
}

// form has something for every field that a page may ask.
var form = url.Values{
	"done": {"1"}, "confirm": {"1"}, "rpe": {"8"}, "date": {"2026-03-02"}, "notes": {"x"}, "name": {"Mine"},
	"exercise_id": {"1"}, "weight": {"135"}, "reps": {"5"}, "week": {"1"},
}

var reference = regexp.MustCompile(`rf_[a-z2-7]{26}|request_id" value="[^"]*"|/static/[^"]*`)

func answer(b *product.Browser, method, path string) string {
	var a product.Answer
	if method == http.MethodPost {
		a = b.Post(path, form, 0)
	} else {
		a = b.Get(path, 0)
	}
	body := strings.ReplaceAll(reference.ReplaceAllString(a.Body, "-"), path, "-") // the page names its own address
	if a.Status == http.StatusSeeOther {
		body = "" // a redirect's body repeats where it goes
	}
	return fmt.Sprintf("%d %s %s", a.Status, a.Location, body)
}
