package pages_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/testkit/product"
)

// done logs a set that was lifted some days before today.
func done(q *product.Person, p *product.Product, ago int, exercise string, weight, reps int, more ...any) {
	args := map[string]any{"exercise": exercise, "date": day(q, p, -ago), "weight": weight, "reps": reps, "is_completed": true}
	for i := 0; i+1 < len(more); i += 2 {
		args[more[i].(string)] = more[i+1]
	}
	q.Must("create_set", args)
}

// day is a day before or after today, where the person is.
func day(q *product.Person, p *product.Product, from int) dbtype.Date {
	return q.Caller.Today(p.DB.Now()).AddDays(from)
}

// sinceMonday is how many days of this week are over.
func sinceMonday(q *product.Person, p *product.Product) int {
	return (int(q.Caller.Today(p.DB.Now()).Weekday()) + 6) % 7
}

// texts are the texts of what the selector finds, without the space around.
func texts(s *goquery.Selection) []string {
	return s.Map(func(_ int, one *goquery.Selection) string { return strings.Join(strings.Fields(one.Text()), " ") })
}

func TestTheExercisePageDrawsWhatWasLifted(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		me := p.Person(t, "lifter@example.com")
		b := me.Browser()
		if page := b.Get("/exercises/1", http.StatusOK).Page(t); page.Find("svg[role=img]").Length() != 0 || !strings.Contains(page.Find("main").Text(), "No sets logged yet.") {
			t.Error("an exercise without sets has a chart, or does not say that it has none")
		}
		done(me, p, 9, "Back Squat", 150, 3)
		done(me, p, 2, "Back Squat", 155, 5, "rpe", 8)
		done(me, p, 2, "Back Squat", 185, 2, "is_warmup", true)
		me.Must("create_set", map[string]any{"exercise": "Back Squat", "date": day(me, p, 5), "weight": 300, "reps": 1}) // planned
		me.Must("set_goal", map[string]any{"exercise": "Back Squat", "target_weight": 205})
		page := b.Get("/exercises/1", http.StatusOK).Page(t)
		chart := page.Find(`svg[aria-label^="Heaviest weight each day"]`)
		if got := texts(chart.Find(".val")); strings.Join(got, " ") != "150 155" {
			t.Errorf("the chart shows %q, want the two days that were lifted", got)
		}
		standing := strings.Join(texts(page.Find(".card.goal").First()), " ")
		for _, want := range []string{"191", "155 × 5 at RPE 8", "185 if it was a 9", "205", "14"} {
			if !strings.Contains(standing, want) {
				t.Errorf("the page does not say %q: %s", want, standing)
			}
		}
		if rows := page.Find("table tbody tr").Length(); rows != 4 {
			t.Errorf("%d sets in the table, want all four", rows)
		}
	})
}

func TestVolumeDrawsAWeekOffAsZero(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		me := p.Person(t, "lifter@example.com")
		b := me.Browser()
		if text := b.Get("/volume", http.StatusOK).Page(t).Find("main").Text(); !strings.Contains(text, "No completed working sets in the last 12 weeks.") {
			t.Error("an empty window does not say so")
		}
		monday := sinceMonday(me, p)
		done(me, p, monday+14, "Back Squat", 150, 5)
		done(me, p, monday+14, "Back Squat", 135, 5, "is_warmup", true)
		done(me, p, monday, "Back Squat", 165, 5)
		me.Must("create_set", map[string]any{"exercise": "Back Squat", "date": day(me, p, 0), "weight": 300, "reps": 1})
		for i, lift := range []string{"Bench Press", "Deadlift", "Overhead Press", "Barbell Row", "Barbell Curl"} {
			done(me, p, monday, lift, 95, 1+i)
		}
		me.Must("create_set", map[string]any{"exercise": "Split Squat", "date": day(me, p, -monday), "weight": 50, "reps": 8, "is_per_side": true, "is_completed": true})
		page := b.Get("/volume", http.StatusOK).Page(t)
		if got := texts(page.Find(".figs dd")); strings.Join(got, ", ") != "3,800 lb, 8, 41, 2 / 12" {
			t.Errorf("figures %q", got)
		}
		if got := texts(page.Find(`svg[aria-label^="Tonnage"] .val`)); strings.Join(got, " ") != "0.8 0 3.0" {
			t.Errorf("the weeks are drawn as %q, want a zero between", got)
		}
		squat := page.Find(`svg[aria-label^="Back Squat"]`)
		if squat.Find("circle").Length() != 2 || squat.Find(".ln").Length() != 0 {
			t.Error("the week off is joined across, or has a top set")
		}
		if !strings.Contains(page.Find("main").Text(), "Showing the 5 most-trained lifts; 2 more had working sets in this window.") {
			t.Error("the lifts that are left out are not counted")
		}
		if got := texts(page.Find(".tbl--volume tbody tr").Eq(1).Find("td")); got[0] != "0" || got[3] != "—" {
			t.Errorf("the week off is told as %q", got)
		}
	})
}

func TestVolumeReadsItsParametersKindly(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		me := p.Person(t, "lifter@example.com")
		done(me, p, 0, "Back Squat", 150, 5)
		done(me, p, 0, "Bench Press", 100, 5)
		other := p.Person(t, "other@example.com")
		done(other, p, 0, "Secret Squat", 150, 5)
		b := me.Browser()
		for query, want := range map[string]struct{ weeks, lift, figures string }{
			"":                                {"12", "", "1,250"},
			"?weeks=26&exercise_id=1":         {"26", "1", "750"},
			"?weeks=13":                       {"12", "", "1,250"},
			"?weeks=-1&exercise_id=99999":     {"12", "", "1,250"},
			"?weeks=1e3&exercise_id=%3Cb%3E":  {"12", "", "1,250"},
			"?weeks=52&exercise_id=9e99":      {"52", "", "1,250"},
			"?weeks=012&exercise_id=99999999": {"12", "", "1,250"},
		} {
			page := b.Get("/volume"+query, http.StatusOK).Page(t)
			weeks := page.Find("#weeks option[selected]").AttrOr("value", "none")
			lift := page.Find("#exercise_id option[selected]").AttrOr("value", "none")
			if got := page.Find(".figs .big").First().Text(); weeks != want.weeks || lift != want.lift || got != want.figures {
				t.Errorf("%s: %s weeks of lift %q, tonnage %s; want %+v", query, weeks, lift, got, want)
			}
			if strings.Contains(page.Text(), "Secret Squat") {
				t.Errorf("%s tells of another workspace's lift", query)
			}
		}
		one := b.Get("/volume?exercise_id=1", http.StatusOK).Page(t)
		if strings.Contains(one.Find("main").Text(), "Working sets per lift") {
			t.Error("one lift is ranked")
		}
	})
}

func TestGoalsAreSetChangedAndCleared(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		me := p.Person(t, "lifter@example.com")
		b := me.Browser()
		me.Must("create_exercise", map[string]any{"name": "Plank", "default_measure": "time", "default_is_weighted": false})
		for _, c := range []struct {
			name  string
			form  url.Values
			field string
			says  string
		}{
			{"no lift", url.Values{"exercise": {" "}, "target_weight": {"200"}}, "exercise", "Choose a movement from the list."},
			{"no such lift", url.Values{"exercise": {"Moon Squat"}, "target_weight": {"200"}}, "exercise", `No exercise named "Moon Squat". Close: `},
			{"no weight", url.Values{"exercise": {"Back Squat"}}, "target_weight", "A goal needs a weight."},
			{"too heavy", url.Values{"exercise": {"Back Squat"}, "target_weight": {"2001"}}, "target_weight", "Target weight 2001 is out of range; use 1-2000 lb."},
			{"no number", url.Values{"exercise": {"Back Squat"}, "target_weight": {"lots"}}, "target_weight", `"lots" is not a whole number.`},
			{"a day that passed", url.Values{"exercise": {"Back Squat"}, "target_weight": {"200"}, "target_date": {"2020-01-01"}}, "target_date", "Target date 2020-01-01 is in the past; use today or later."},
			{"a plank", url.Values{"exercise": {"Plank"}, "target_weight": {"200"}}, "exercise", "Plank carries no external load, so there is no weight to aim at."},
			{"no such block", url.Values{"exercise": {"Back Squat"}, "target_weight": {"200"}, "program_id": {"99999"}}, "program_id", "That block is not there any more."},
		} {
			page := b.Post("/goals", c.form, http.StatusUnprocessableEntity).Page(t)
			if got := page.Find(`input[name=target_weight]`).AttrOr("value", ""); got != c.form.Get("target_weight") {
				t.Errorf("%s: the weight holds %q", c.name, got)
			}
			if got := page.Find("#" + c.field + "-error").Text(); !strings.Contains(got, c.says) {
				t.Errorf("%s: beside %s %q, want %q", c.name, c.field, strings.TrimSpace(got), c.says)
			}
		}
		b.Post("/goals", url.Values{"exercise": {"back squat"}, "target_weight": {"200"}, "target_reps": {""}}, http.StatusSeeOther)
		b.Post("/goals", url.Values{"exercise": {"Back Squat"}, "target_weight": {"225"}, "target_reps": {"3"}, "note": {"<b>deep</b>"}}, http.StatusSeeOther)
		page := b.Get("/goals?exercise_id=1", http.StatusOK).Page(t)
		if got := texts(page.Find("article.goal .big").First()); got[0] != "225" {
			t.Errorf("the goal is %q", got)
		}
		if got := page.Find("input[name=target_weight]").AttrOr("value", ""); got != "225" {
			t.Errorf("the form begins with %q", got)
		}
		if got := texts(page.Find(".core .core__line")); len(got) != 1 || !strings.HasPrefix(got[0], "Back Squat 200 × 1Replaced") {
			t.Errorf("the former goals are %q", got)
		}
		b.Post("/goals", url.Values{"exercise": {"Back Squat"}, "clear": {"true"}}, http.StatusSeeOther)
		after := b.Get("/goals", http.StatusOK).Page(t)
		if got := texts(after.Find(".core .core__line")); len(got) != 2 || !strings.HasPrefix(got[0], "Back Squat 225 × 3Cleared") {
			t.Errorf("after clearing the former goals are %q", got)
		}
		if !strings.Contains(after.Find("main").Text(), "No goal is set.") {
			t.Error("a cleared goal is still shown")
		}
		b.Post("/goals", url.Values{"exercise": {"Back Squat"}, "clear": {"true"}}, http.StatusUnprocessableEntity)
	})
}

func TestProgressShowsPlannedBesideDone(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		me := p.Person(t, "lifter@example.com")
		block, workout := me.Week()
		for _, s := range me.Must("get_workout", map[string]any{"workout_id": workout})["set_list"].([]any) {
			me.Must("complete_set", map[string]any{"set_id": s.(map[string]any)["id"]})
		}
		me.Must("generate_program_week", map[string]any{"program_id": block, "week": 2})
		me.Must("set_goal", map[string]any{"exercise": "Back Squat", "target_weight": 205})
		b := me.Browser()
		path := fmt.Sprintf("/programs/%d/progress", block)
		if n := b.Get(fmt.Sprintf("/programs/%d", block), http.StatusOK).Page(t).Find(`main a[href="` + path + `"]`).Length(); n != 1 {
			t.Errorf("the block leads to its progress %d times", n)
		}
		page := b.Get(path, http.StatusOK).Page(t)
		squat := page.Find("section.liftprogress").First()
		text := strings.Join(texts(squat), " ")
		for _, want := range []string{"Back Squat", "linear", "Goal 205 × 1", "165 × 3", "met", "Written start.", "Week 1 met: 165 + 5.", "170 × 3", "planned", "not written", "4, deload"} {
			if !strings.Contains(text, want) {
				t.Errorf("the squat does not say %q: %s", want, text)
			}
		}
		if strings.Contains(text, "not trained") {
			t.Error("a session to come is called missed")
		}
		stranger := p.Person(t, "stranger@example.com").Browser()
		for _, path := range []string{path, "/programs/99999/progress", "/programs/x/progress"} {
			if got := stranger.Get(path, http.StatusSeeOther).Location; got != "/programs" {
				t.Errorf("%s leads to %q", path, got)
			}
		}
	})
}

func TestViewersReadWithoutControls(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		me := p.Person(t, "lifter@example.com")
		b := me.Browser()
		b.Post("/health/readings", url.Values{"metric": {"bodyweight"}, "value": {"180"}, "unit": {"lb"}, "source": {"scale"}}, http.StatusSeeOther)
		me.Must("set_goal", map[string]any{"exercise": "Back Squat", "target_weight": 205})
		err := p.DB.Write(context.WithoutCancel(t.Context()), func(tx *db.Tx) error {
			_, err := tx.ExecContext(t.Context(), "UPDATE members SET role = 'viewer' WHERE workspace_id = $1", me.Workspace())
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/goals", "/health", "/volume", "/exercises/1"} {
			if n := b.Get(path, http.StatusOK).Page(t).Find("main form[method=post]").Length(); n != 0 {
				t.Errorf("%s offers a viewer %d forms", path, n)
			}
		}
		b.Post("/goals", url.Values{"exercise": {"Back Squat"}, "target_weight": {"300"}}, http.StatusForbidden)
	})
}
