package pages_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/testkit/product"
)

// newBlock makes a block by its form and returns its address.
func newBlock(t *testing.T, b *product.Browser) string {
	t.Helper()
	made := b.Post("/programs", url.Values{"name": {"Spring"}, "start_date": {"2026-03-02"}}, http.StatusSeeOther)
	return made.Location
}

func lifts(more ...string) url.Values {
	form := url.Values{"whole": {"1"}}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

func TestABlockIsWrittenOnItsPage(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		b := who.Browser()
		block := newBlock(t, b)
		b.Post(block+"/days", url.Values{"week": {"1"}, "weekday": {"1"}, "focus": {"Squat"}}, http.StatusSeeOther)
		day := fmt.Sprint(dayOf(t, who, 0))
		added := b.Post(block+"/lifts", lifts("day_id", day, "exercise", "Back Squat", "sets", "4", "reps", "5", "top_weight", "155", "is_main", "1", "rest_seconds", "150"), http.StatusSeeOther)
		page := b.Get(added.Location, http.StatusOK).Page(t)
		if said := page.Find(".week .flash").Text(); !strings.Contains(said, "Back Squat is added.") {
			t.Errorf("beside the day it says %q", said)
		}
		if got := page.Find("[data-lift] [name=sets]").AttrOr("value", ""); got != "4" || page.Find("[data-lift] [name=is_main][checked]").Length() != 1 || !strings.Contains(page.Find("[data-lift] summary").Text(), "rest 2:30") {
			t.Errorf("the row shows %q sets", got)
		}
		b.Post(block+"/lifts", lifts("day_id", day, "exercise", "Plank Hold", "sets", "3", "duration_seconds", "60"), http.StatusSeeOther)
		b.Post(block+"/lifts", lifts("day_id", day, "exercise", "Dumbbell Row", "sets", "3", "reps", "8", "top_weight", "50", "progression", "double", "reps_to", "12", "is_per_side", "1"), http.StatusSeeOther)
		b.Post(block+"/weeks", url.Values{"copy_from": {"1"}}, http.StatusSeeOther)
		b.Post(block+"/weeks", url.Values{"copy_from": {""}, "is_deload": {"1"}}, http.StatusSeeOther)
		written := who.Must("get_program", map[string]any{"program_id": 1})
		if got := summary(written); got != "1: Back Squat 4x5@155 linear, Plank Hold 3x60s none, Dumbbell Row 3x8@50 linear; 2: Back Squat 4x5@155 linear, Plank Hold 3x60s none, Dumbbell Row 3x8@50 linear; 3 deload: " {
			t.Errorf("the block is %s", got)
		}
		if rule := b.Get(block, http.StatusOK).Page(t).Find("#week-1 [data-lift]:nth-of-type(3) option[selected]").Text(); rule != "fill the range" {
			t.Errorf("the rule with a range of reps is shown as %q", rule)
		}
	})
}

// summary tells a block in a line.
func summary(program map[string]any) string {
	var weeks []string
	for _, w := range program["weeks"].([]any) {
		week := w.(map[string]any)
		var all []string
		for _, d := range week["days"].([]any) {
			for _, l := range d.(map[string]any)["lifts"].([]any) {
				l := l.(map[string]any)
				count, load, rule := l["reps"], "", "none"
				if l["duration_seconds"] != nil {
					count = fmt.Sprint(l["duration_seconds"]) + "s"
				}
				if l["top_weight"] != nil {
					load = "@" + fmt.Sprint(l["top_weight"])
				}
				if l["percent_of_max"] != nil {
					load = "@" + fmt.Sprint(l["percent_of_max"]) + "%"
				}
				if l["progression"] != nil {
					rule = fmt.Sprint(l["progression"])
				}
				all = append(all, fmt.Sprintf("%v %vx%v%s %s", l["exercise"], l["sets"], count, load, rule))
			}
		}
		name := fmt.Sprint(week["number"])
		if week["is_deload"] == true {
			name += " deload"
		}
		weeks = append(weeks, name+": "+strings.Join(all, ", "))
	}
	return strings.Join(weeks, "; ")
}

// dayOf returns the id of a day of the first block, counted over all weeks.
func dayOf(t *testing.T, who *product.Person, n int) int64 {
	t.Helper()
	for _, w := range who.Must("get_program", map[string]any{"program_id": 1})["weeks"].([]any) {
		for _, d := range w.(map[string]any)["days"].([]any) {
			if n == 0 {
				return int64(d.(map[string]any)["id"].(float64))
			}
			n--
		}
	}
	t.Fatal("there is no such day")
	return 0
}

func TestAnEditSaysWhatBecameOfTheSession(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		program, workout := who.Week()
		b := who.Browser()
		block := fmt.Sprintf("/programs/%d", program)
		page := b.Get(block, http.StatusOK).Page(t)
		lift := page.Find("#week-1 [data-lift]").First().AttrOr("data-lift", "")
		saved := b.Post(block+"/lifts/"+lift, lifts("exercise", "Back Squat", "sets", "4", "reps", "5", "top_weight", "165", "is_main", "1"), http.StatusSeeOther)
		if said := b.Get(saved.Location, http.StatusOK).Page(t).Find(".flash").Text(); !strings.Contains(said, "The planned session on Monday was rewritten to match.") {
			t.Errorf("it says %q", said)
		}
		who.Must("complete_set", map[string]any{"set_id": firstSetOf(who, workout)})
		moved := b.Post(block+"/lifts/"+lift, url.Values{"position": {"1"}}, http.StatusSeeOther)
		if said := b.Get(moved.Location, http.StatusOK).Page(t).Find(".flash").Text(); !strings.Contains(said, "The Monday session has lifted sets in it, so it was left alone.") {
			t.Errorf("it says %q", said)
		}
		if second := b.Get(block, http.StatusOK).Page(t).Find("#week-1 [data-lift]").Eq(1).AttrOr("data-lift", ""); second != lift {
			t.Errorf("lift %s is second, want %s", second, lift)
		}
		removed := b.Post(block+"/lifts/"+lift+"/delete", nil, http.StatusSeeOther)
		if said := b.Get(removed.Location, http.StatusOK).Page(t).Find(".flash").Text(); !strings.Contains(said, "Back Squat is removed.") {
			t.Errorf("it says %q", said)
		}
	})
}

func firstSetOf(who *product.Person, workout int64) any {
	return who.Must("get_workout", map[string]any{"workout_id": workout})["set_list"].([]any)[0].(map[string]any)["id"]
}

func TestWhatIsRefusedInTheEditorStaysTyped(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		program, _ := who.Week()
		b := who.Browser()
		block := fmt.Sprintf("/programs/%d", program)
		lift := b.Get(block, http.StatusOK).Page(t).Find("#week-1 [data-lift]").First().AttrOr("data-lift", "")
		day := fmt.Sprint(dayOf(t, who, 0))
		for _, c := range []struct {
			path, at, says, field, typed string
			form                         url.Values
		}{
			{"/lifts/" + lift, "#lift-" + lift, "Sets 99 is out of range", "sets", "99", lifts("exercise", "Back Squat", "sets", "99", "reps", "5", "top_weight", "165")},
			{"/lifts/" + lift, "#lift-" + lift, "is not a whole number", "reps", "five", lifts("exercise", "Back Squat", "sets", "4", "reps", "five", "top_weight", "165")},
			{"/lifts/" + lift, "#lift-" + lift, "", "percent_of_max", "75", lifts("exercise", "Back Squat", "sets", "4", "reps", "5", "top_weight", "165", "percent_of_max", "75", "progression", "linear")},
			{"/lifts", "#new-lift-" + day, "", "exercise", "Split Squat", lifts("day_id", day, "exercise", "Split Squat", "sets", "", "reps", "5")},
			{"/days", "#new-day-1", "", "focus", "Pull", url.Values{"week": {"1"}, "weekday": {"9"}, "focus": {"Pull"}}},
			{"", "#block", "", "name", "", url.Values{"name": {""}, "start_date": {"2026-03-02"}}},
		} {
			a := b.Post(block+c.path, c.form, http.StatusUnprocessableEntity)
			row := a.Page(t).Find(c.at)
			if text := row.Text(); !strings.Contains(text, c.says) || row.Find(".err, .flash").Length() == 0 {
				t.Errorf("%s %v: nothing is said at %s: %.200s", c.path, c.form, c.at, strings.Join(strings.Fields(text), " "))
			}
			if got := row.Find("[name="+c.field+"]").AttrOr("value", ""); got != c.typed {
				t.Errorf("%s: %s holds %q, want what was typed: %q", c.path, c.field, got, c.typed)
			}
		}
	})
}

func TestPartsOfABlockAreDeletedAfterAQuestion(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		program, workout := who.Week()
		b := who.Browser()
		block := fmt.Sprintf("/programs/%d", program)
		who.Must("complete_set", map[string]any{"set_id": firstSetOf(who, workout)})
		if text := b.Get(block+"/weeks/1/delete", http.StatusOK).Page(t).Find("main").Text(); !strings.Contains(text, "What was lifted in 1 session stays") {
			t.Errorf("the question is %s", strings.Join(strings.Fields(text), " "))
		}
		b.Post(block+"/weeks/4/delete", nil, http.StatusSeeOther)
		b.Post(block+fmt.Sprintf("/days/%d/delete", dayOf(t, who, 2)), nil, http.StatusSeeOther)
		b.Post(block+"/delete", nil, http.StatusUnprocessableEntity)
		b.Post(block+"/delete", url.Values{"confirm": {"1"}}, http.StatusSeeOther)
		b.Get(fmt.Sprintf("/workouts/%d", workout), http.StatusOK)
		if a := b.Get(block, http.StatusSeeOther); a.Location != "/programs" {
			t.Errorf("the deleted block leads to %q", a.Location)
		}
	})
}

func TestABlockIsArchivedSharedAndBroughtIn(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who, other := p.Person(t, "lifter@example.com"), p.Person(t, "other@example.com")
		program, _ := who.Week()
		b := who.Browser()
		block := fmt.Sprintf("/programs/%d", program)
		shared := b.Get(block+"/share.json", http.StatusOK)
		if !strings.Contains(shared.Header.Get("Content-Disposition"), `filename="Block 0.json"`) || !json.Valid([]byte(shared.Body)) {
			t.Errorf("shared as %v", shared.Header)
		}
		b.Post(block+"/archive", url.Values{"archived": {"1"}}, http.StatusSeeOther)
		if page := b.Get("/programs", http.StatusOK).Page(t); page.Find("tbody tr").Length() != 0 || !strings.Contains(page.Find(".disclose").Text(), "Block 0") {
			t.Error("the archived block is not among the archived ones")
		}
		b.Post(block+"/archive", url.Values{"archived": {"0"}}, http.StatusSeeOther)

		ob := other.Browser()
		ob.Post("/programs/import", url.Values{"document": {"{"}}, http.StatusUnprocessableEntity)
		taken := ob.Post("/programs/import", url.Values{"document": {shared.Body}, "start_date": {"2026-04-06"}, "name": {"From a friend"}}, http.StatusSeeOther)
		if page := ob.Get(taken.Location, http.StatusOK).Page(t); page.Find("h1").Text() != "From a friend" || page.Find("[data-lift]").Length() != 20 {
			t.Errorf("brought in as %q with %d lifts", page.Find("h1").Text(), page.Find("[data-lift]").Length())
		}
	})
}

func TestAPreviewIsWhatIsGenerated(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		program, _ := who.Week()
		b := who.Browser()
		path := fmt.Sprintf("/programs/%d/weeks/2/preview", program)
		page := b.Get(path, http.StatusOK).Page(t)
		if sets := page.Find(".preview li").Length(); sets != 28 {
			t.Errorf("%d sets are shown, want 28", sets)
		}
		if page.Find(`form[action$="/generate"]`).Length() != 1 {
			t.Error("there is no button to generate")
		}
		if text := b.Get(fmt.Sprintf("/programs/%d/weeks/9/preview", program), http.StatusUnprocessableEntity).Page(t).Find("main").Text(); !strings.Contains(text, "has no week 9; it has 4.") {
			t.Errorf("a week that is not there: %s", text)
		}
	})
}

func TestAViewerReadsABlock(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		lifter, coach := p.Person(t, "lifter@example.com"), p.Person(t, "coach@example.com")
		program, _ := lifter.Week()
		coach.Join(lifter, contract.Viewer)
		b := coach.Browser()
		b.Enter(lifter)
		page := b.Get(fmt.Sprintf("/programs/%d", program), http.StatusOK).Page(t)
		if page.Find("main form").Length() != 0 || page.Find(".week table").Length() == 0 {
			t.Errorf("a viewer sees %d forms", page.Find("main form").Length())
		}
		b.Post(fmt.Sprintf("/programs/%d/days", program), url.Values{"week": {"1"}, "weekday": {"3"}}, http.StatusForbidden)
		if forms := b.Get("/programs", http.StatusOK).Page(t).Find("main form").Length(); forms != 0 {
			t.Errorf("a viewer sees %d forms in the list", forms)
		}
	})
}

func TestAPartOfAnotherBlockIsNotEdited(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who, other := p.Person(t, "lifter@example.com"), p.Person(t, "other@example.com")
		program, _ := who.Week()
		theirs, _ := other.Week()
		b := who.Browser()
		second := newBlock(t, b)
		b.Post(second+"/days", url.Values{"week": {"1"}, "weekday": {"1"}}, http.StatusSeeOther)
		before := summary(who.Must("get_program", map[string]any{"program_id": program}))
		foreign := other.Must("get_program", map[string]any{"program_id": theirs})
		day := fmt.Sprint(dayOf(t, who, 0))
		lift := b.Get(fmt.Sprintf("/programs/%d", program), http.StatusOK).Page(t).Find("[data-lift]").First().AttrOr("data-lift", "")
		row := lifts("exercise", "Back Squat", "sets", "9", "reps", "9", "top_weight", "99")
		for _, path := range []string{"/lifts/" + lift, "/lifts/" + lift + "/delete", "/lifts/99999", "/lifts/" + firstLift(foreign), "/days/" + day, "/days/" + day + "/delete", "/days/99999", "/weeks/4", "/weeks/4/delete", "/weeks/x"} {
			if got := b.Post(second+path, row, http.StatusSeeOther).Location; got != second {
				t.Errorf("%s leads to %q, want %q", path, got, second)
			}
			if says := b.Get(second, http.StatusOK).Page(t).Find(".flash").Text(); !strings.Contains(says, "is no longer part of this block.") {
				t.Errorf("%s: it says %q", path, says)
			}
		}
		for says, form := range map[string]url.Values{
			"That day is not part of this block.":  lifts("day_id", day, "exercise", "Back Squat", "sets", "3", "reps", "5"),
			"That week is not part of this block.": {"week": {"7"}, "weekday": {"2"}},
		} {
			path := second + "/days"
			if form.Has("day_id") {
				path = second + "/lifts"
			}
			if text := b.Post(path, form, http.StatusUnprocessableEntity).Page(t).Find("main").Text(); !strings.Contains(text, says) {
				t.Errorf("it does not say %q", says)
			}
		}
		if got := b.Post(fmt.Sprintf("/programs/%d/lifts/%s", theirs, lift), row, http.StatusSeeOther).Location; got != "/programs" {
			t.Errorf("a lift under the block of another workspace leads to %q", got)
		}
		if after := summary(who.Must("get_program", map[string]any{"program_id": program})); after != before {
			t.Errorf("the first block became %s", after)
		}
	})
}

func firstLift(program map[string]any) string {
	day := program["weeks"].([]any)[0].(map[string]any)["days"].([]any)[0].(map[string]any)
	return fmt.Sprint(day["lifts"].([]any)[0].(map[string]any)["id"])
}

func TestAWeekOnPaper(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		program, _ := who.Week()
		b := who.Browser()
		for week, reason := range map[int]string{1: "Written start.", 2: "165 again."} { // week 1 was not trained yet
			page := b.Get(fmt.Sprintf("/programs/%d/weeks/%d/sheet", program, week), http.StatusOK).Page(t)
			if boxes := page.Find(".box").Length(); boxes != 16 {
				t.Errorf("week %d has %d boxes, want one for each of 16 working sets", week, boxes)
			}
			if text := page.Find(".plift").First().Text(); !strings.Contains(text, reason) || !strings.Contains(text, "Warm-up") {
				t.Errorf("week %d begins with %s", week, strings.Join(strings.Fields(text), " "))
			}
			if cells := page.Find(".paper__block td").Length(); cells != 20 {
				t.Errorf("the whole block has %d cells, want five lifts in four weeks", cells)
			}
		}
		b.Get(fmt.Sprintf("/programs/%d/weeks/9/sheet", program), http.StatusSeeOther)
	})
}
