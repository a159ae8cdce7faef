package pages_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"tectonic/internal/testkit/product"
)

const (
	strongLog = "Date,Workout Name,Exercise Name,Set Order,Weight,Reps,RPE,Seconds\n2024-01-15 18:30:00,Lower,Squat (Barbell),1,100,5,8,0\n2024-01-15 18:30:00,Lower,Zercher Carry,1,20,8,,0\n"
	hevyLog   = "title,start_time,end_time,exercise_title,set_index,set_type,weight_kg,reps,duration_seconds,rpe\nMorning,\"28 Mar 2025, 07:05\",,Squat (Barbell),0,normal,102.5,5,,\n"
)

func TestPastTrainingIsPreviewedImportedAndUndone(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		b := who.Browser()
		if b.Get("/workouts", http.StatusOK).Page(t).Find(`main a[href="/import"]`).Length() == 0 {
			t.Error("the empty history does not lead to the import")
		}
		refused := b.Upload("/import", url.Values{"format": {"auto"}}, "file", "strong.csv", strongLog, http.StatusUnprocessableEntity).Page(t)
		if got := strings.TrimSpace(refused.Find("#unit-error").Text()); got != "This file does not say kg or lb. Choose a unit." {
			t.Errorf("without a unit: %q", got)
		}
		form := carried(refused)
		form.Set("unit", "kg")
		preview := b.Post("/import", form, http.StatusOK).Page(t)
		if got := counts(preview); got != "1 new workout with 2 new sets, 0 already there, 0 rejected lines, from Jan 15, 2024 to Jan 15, 2024." {
			t.Errorf("the preview says %q", got)
		}
		names := preview.Find("section[aria-labelledby=preview-h] tbody tr")
		if got := names.First().Find("option").First().Text(); got != "Zercher Carry (new)" {
			t.Errorf("the new movement is first offered as %q", got)
		}
		send := carried(preview)
		send["from"], send["to"] = []string{"Zercher Carry", "Squat (Barbell)"}, []string{"-", "Back Squat"}
		send.Set("do", "import")
		done := b.Post("/import", send, http.StatusSeeOther)
		page := b.Get(done.Location, http.StatusOK)
		if !strings.Contains(page.Body, "1 workout, 1 set") || !strings.Contains(page.Body, "1 left out") {
			t.Errorf("the done page: %s", page.Page(t).Find("main").Text())
		}
		hevy := carried(b.Upload("/import", url.Values{"format": {"auto"}}, "file", "hevy.csv", hevyLog, http.StatusOK).Page(t))
		hevy.Set("do", "import")
		b.Post("/import", hevy, http.StatusSeeOther)
		squat := b.Get("/exercises", http.StatusOK).Page(t).Find(`main a:contains("Back Squat")`).First().AttrOr("href", "")
		story := b.Get(squat, http.StatusOK).Body
		for _, want := range []string{"220", "226"} {
			if !strings.Contains(story, want) {
				t.Errorf("the page of the movement does not tell of %s lb", want)
			}
		}
		stranger := p.Person(t, "stranger@example.com").Browser()
		for _, path := range []string{done.Location, "/import/99999", "/import/x"} {
			if a := stranger.Get(path, http.StatusSeeOther); a.Location != "/import" {
				t.Errorf("a stranger asks for %s and is led to %s", path, a.Location)
			}
			if a := stranger.Post(path+"/undo", nil, http.StatusSeeOther); a.Location != "/import" {
				t.Errorf("a stranger undoes %s and is led to %s", path, a.Location)
			}
		}
		b.Post(done.Location+"/undo", nil, http.StatusSeeOther)
		if list := b.Get("/import", http.StatusOK).Body; strings.Contains(list, "strong.csv") || !strings.Contains(list, "hevy.csv") {
			t.Error("the list does not show just the import that is left")
		}
	})
}
