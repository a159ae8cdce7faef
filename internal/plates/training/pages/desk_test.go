package pages_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"tectonic/internal/testkit/product"
)

func TestEquipmentKeepsTheFormOnARefusal(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		b := p.Person(t, "lifter@example.com").Browser()
		for _, c := range []struct {
			name  string
			form  url.Values
			field string
			says  string
		}{
			{"a bar of nothing", url.Values{"bar_weight": {"0"}, "plates[45]": {"3"}}, "bar_weight", "Bar weight 0 is out of range; use 1-200 lb."},
			{"too many pairs", url.Values{"bar_weight": {"35"}, "plates[45]": {"60"}}, "plates[45]", "Pairs 60 is out of range; use 0-50."},
			{"a plate too light", url.Values{"bar_weight": {"35"}, "other_plate": {"0.1"}, "other_pairs": {"1"}}, "other_plate", "Plate 0.1 lb is out of range; use 0.25-200 lb."},
			{"no number", url.Values{"bar_weight": {"35"}, "plates[10]": {"many"}}, "plates[10]", `Pairs "many" is not a whole number.`},
			{"no bar", url.Values{"bar_weight": {" "}}, "bar_weight", "Give the weight of the bar."},
			{"a bar beyond every number", url.Values{"bar_weight": {"99999999999999999999"}}, "bar_weight", "Bar weight 99999999999999999999 is out of range."},
			{"no plate in the free row", url.Values{"bar_weight": {"35"}, "other_pairs": {"2"}}, "other_plate", "Give the weight of the plate."},
			{"no pairs in the free row", url.Values{"bar_weight": {"35"}, "other_plate": {"0.5"}}, "other_pairs", "Give the pairs of this plate, 0 for none."},
			{"a plate twice", url.Values{"bar_weight": {"35"}, "plates[45]": {"3"}, "other_plate": {"45.0"}, "other_pairs": {"2"}}, "other_plate", "The 45.0 lb plate has its own field above; change its pairs there."},
			{"a plate in letters", url.Values{"bar_weight": {"35"}, "other_plate": {"abc"}, "other_pairs": {"2"}}, "other_plate", `Weight "abc" is not a number of pounds.`},
			{"a plate with a sign", url.Values{"bar_weight": {"35"}, "other_plate": {"+5"}, "other_pairs": {"2"}}, "other_plate", `Weight "+5" is not a number of pounds.`},
			{"two wrong plates", url.Values{"bar_weight": {"35"}, "plates[5]": {"x"}, "plates[10]": {"x"}, "plates[25]": {"x"}, "plates[45]": {"x"}}, "plates[10]", `Pairs "x" is not a whole number.`},
		} {
			page := b.Post("/equipment", c.form, http.StatusUnprocessableEntity).Page(t)
			input := page.Find(`input[name="` + c.field + `"]`)
			if got, _ := input.Attr("value"); got != c.form.Get(c.field) {
				t.Errorf("%s: the field holds %q, want what was typed, %q", c.name, got, c.form.Get(c.field))
			}
			if got := page.Find(`[id="` + c.field + `-error"]`).Text(); strings.TrimSpace(got) != c.says {
				t.Errorf("%s: beside the field %q, want %q", c.name, got, c.says)
			}
		}
		made := b.Post("/equipment", url.Values{"bar_weight": {"35"}, "plates[foo]": {"2"}}, http.StatusUnprocessableEntity).Page(t)
		if got := made.Find("main .flash").Text(); !strings.Contains(got, "Plate foo lb is out of range") {
			t.Errorf("a plate that the form does not have: %q", got)
		}
		b.Post("/equipment", url.Values{"bar_weight": {"35"}, "plates[45]": {"2"}, "other_plate": {"0.5"}, "other_pairs": {"1"}}, http.StatusSeeOther)
		page := b.Get("/equipment", http.StatusOK).Page(t)
		if got, _ := page.Find(`input[name="plates[0.5]"]`).Attr("value"); got != "1" {
			t.Errorf("the plate of the free row is listed with %q pairs, want 1", got)
		}
		if text := page.Find("main").Text(); !strings.Contains(text, "Your smallest plate decides the smallest jump you can make: 1 lb.") {
			t.Errorf("the page does not say the jump: %s", text)
		}
	})
}

func TestMovementsAreAddedAndChanged(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		b := p.Person(t, "lifter@example.com").Browser()
		taken := b.Post("/exercises", url.Values{"name": {"back SQUAT"}, "is_barbell": {"1"}}, http.StatusUnprocessableEntity).Page(t)
		if got := strings.TrimSpace(taken.Find("#name-error").Text()); got != `There is already an exercise named "Back Squat".` {
			t.Errorf("name taken: %q", got)
		}
		made := b.Post("/exercises", url.Values{"name": {"Pin <b>Squat</b>"}, "is_barbell": {"1"}, "default_measure": {"reps"}}, http.StatusSeeOther)
		page := b.Get(made.Location, http.StatusOK).Page(t)
		if got := page.Find("h1").Text(); got != "Pin <b>Squat</b>" {
			t.Errorf("h1 %q", got)
		}
		id := strings.TrimPrefix(made.Location, "/exercises/")
		b.Post("/exercises", url.Values{"id": {id}, "name": {"Pin Squat"}}, http.StatusSeeOther)
		edit := b.Get(made.Location+"/edit", http.StatusOK).Page(t)
		if _, on := edit.Find(`input[name="is_barbell"]`).Attr("checked"); on {
			t.Error("a box that was not ticked means no")
		}
		if a := b.Get("/exercises/1/edit", http.StatusSeeOther); a.Location != "/exercises/1" {
			t.Errorf("the library leads to its page, not to %s", a.Location)
		}
	})
}

func TestABlockIsWrittenAndGenerated(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		b := p.Person(t, "lifter@example.com").Browser()
		made := b.Post("/programs/block-0", nil, http.StatusSeeOther)
		b.Post("/programs/block-0", nil, http.StatusSeeOther) // a second press
		if got := b.Get("/programs", http.StatusOK).Page(t).Find("tbody tr").Length(); got != 1 {
			t.Errorf("%d blocks, want 1", got)
		}
		refused := b.Post(made.Location+"/generate", url.Values{"week": {"9"}}, http.StatusUnprocessableEntity)
		if !strings.Contains(refused.Body, "has no week 9; it has 4.") {
			t.Error("a week that is not there is not refused in its words")
		}
		after := b.Post(made.Location+"/generate", url.Values{"week": {"1"}}, http.StatusSeeOther)
		if said := b.Get(after.Location, http.StatusOK).Page(t).Find(".flash").Text(); !strings.Contains(said, "Week 1 of Block 0 is scheduled: Mon ") {
			t.Errorf("after generating the page says %q", said)
		}
		text := b.Get(made.Location, http.StatusOK).Page(t).Find("#week-1").Text()
		if main := b.Get(made.Location, http.StatusOK).Page(t).Find("main").Text(); !strings.Contains(main, "A main lift that is written for 4 to 5 reps is lifted for 3, with a weight that is as hard.") {
			t.Error("the page does not explain why 4 × 5 became × 3")
		}
		for _, want := range []string{"generated", "150 155 160", "165", "Written start."} {
			if !strings.Contains(text, want) {
				t.Errorf("week 1 does not say %q", want)
			}
		}
	})
}

func TestTrainingSettingsKeepTheChoice(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		b := p.Person(t, "lifter@example.com").Browser()
		b.Post("/settings/training", url.Values{"display_unit": {"stone"}}, http.StatusUnprocessableEntity)
		b.Post("/settings/training", url.Values{"display_unit": {"kg"}}, http.StatusSeeOther)
		page := b.Get("/settings/training", http.StatusOK).Page(t)
		if got, _ := page.Find("#display_unit option[selected]").Attr("value"); got != "kg" {
			t.Errorf("unit %q, want the one chosen", got)
		}
	})
}

func TestDeskPagesLeadToTheLoginAndBack(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		b := p.Browser(t)
		for _, path := range []string{"/exercises?q=row", "/exercises/new", "/programs", "/equipment", "/settings/training", "/volume?weeks=26", "/goals", "/programs/1/progress", "/health", "/health/import", "/import"} {
			if got, want := b.Get(path, http.StatusSeeOther).Location, "/login?next="+url.QueryEscape(path); got != want {
				t.Errorf("%s leads to %q, want %q", path, got, want)
			}
		}
	})
}

func TestDeskPagesLeadAwayFromOtherPeoplesRows(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		program, _ := p.Person(t, "mira@example.com").Week()
		own := p.Person(t, "kofi@example.com")
		made := own.Must("create_exercise", map[string]any{"name": "Pin Squat"})
		b := p.Person(t, "ada@example.com").Browser()
		for path, list := range map[string]string{
			fmt.Sprintf("/programs/%d", program):          "/programs",
			"/programs/99999":                             "/programs",
			"/programs/none":                              "/programs",
			fmt.Sprintf("/exercises/%v", made["id"]):      "/exercises",
			fmt.Sprintf("/exercises/%v/edit", made["id"]): "/exercises",
			"/exercises/99999":                            "/exercises",
		} {
			if got := b.Get(path, http.StatusSeeOther).Location; got != list {
				t.Errorf("%s leads to %q, want %q", path, got, list)
			}
		}
		if got := b.Post(fmt.Sprintf("/programs/%d/generate", program), url.Values{"week": {"2"}}, http.StatusSeeOther).Location; got != "/programs" {
			t.Errorf("generating another workspace's week leads to %q", got)
		}
		change := url.Values{"id": {fmt.Sprint(made["id"])}, "name": {"Mine now"}}
		if got := b.Post("/exercises", change, http.StatusSeeOther).Location; got != "/exercises" {
			t.Errorf("changing another workspace's movement leads to %q", got)
		}
	})
}

func TestARefusedMovementKeepsItsForm(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		b := p.Person(t, "lifter@example.com").Browser()
		page := b.Post("/exercises", url.Values{
			"name": {"Back Squat"}, "default_measure": {"time"}, "default_is_per_side": {"1"}, "icon_url": {"https://pics.example/squat.png"},
		}, http.StatusUnprocessableEntity).Page(t)
		for selector, want := range map[string]string{"#name": "Back Squat", "#icon_url": "https://pics.example/squat.png", "#default_measure option[selected]": "time"} {
			if got, _ := page.Find(selector).Attr("value"); got != want {
				t.Errorf("%s holds %q, want %q", selector, got, want)
			}
		}
		for box, want := range map[string]bool{"#is_barbell": false, "#default_is_per_side": true, "#default_is_weighted": false} {
			if _, got := page.Find(box).Attr("checked"); got != want {
				t.Errorf("%s ticked %v, want %v", box, got, want)
			}
		}
	})
}

func TestTheListOfMovementsIsNarrowed(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		me := p.Person(t, "lifter@example.com")
		me.Must("create_exercise", map[string]any{"name": "Seal Row"})
		page := me.Browser().Get("/exercises?q=ROW", http.StatusOK).Page(t)
		if got := page.Find("caption").Text(); got != "5 movements with “ROW” in the name, by name" {
			t.Errorf("caption %q", got)
		}
		if got := page.Find(`tr:contains("Seal Row") td`).First().Text(); strings.TrimSpace(got) != "Yours" {
			t.Errorf("the own movement is said to be of %q", got)
		}
		if got, _ := page.Find("#q").Attr("value"); got != "ROW" {
			t.Errorf("the search box holds %q", got)
		}
	})
}
