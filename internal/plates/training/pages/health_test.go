package pages_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"tectonic/internal/testkit/product"
)

const bodyPlus = `Date,"Weight (kg)","Fat mass (kg)","Bone mass (kg)","Muscle mass (kg)","Hydration (kg)",Comments
"2026-03-01 07:11:09",81.64,22.78,2.95,55.90,,
"2026-02-28 07:11:09",81.20,22.70,2.95,,,felt fine
`

// carried are the values that the first form of a page posts along.
func carried(page *goquery.Document) url.Values {
	form := url.Values{}
	page.Find("main form").First().Find("input[type=hidden]").Each(func(_ int, input *goquery.Selection) {
		form.Set(input.AttrOr("name", ""), input.AttrOr("value", ""))
	})
	return form
}

func counts(page *goquery.Document) string {
	return page.Find("section[aria-labelledby=preview-h] > p").First().Text()
}

func TestAFileOfReadingsIsPreviewedImportedAndUndone(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		b := p.Person(t, "lifter@example.com").Browser()
		typed := url.Values{"source": {"Body+"}, "time_zone": {"America/New_York"}, "format": {"auto"}}
		preview := b.Upload("/health/import", typed, "file", "weights.csv", bodyPlus, http.StatusOK).Page(t)
		if got := counts(preview); got != "7 readings: 7 new, 0 already there, 0 conflicting, 0 rejected" {
			t.Errorf("the preview says %q", got)
		}
		if text := b.Get("/health", http.StatusOK).Page(t).Find("main").Text(); !strings.Contains(text, "No readings yet.") {
			t.Error("a preview brought readings in")
		}
		form := carried(preview)
		form.Set("do", "import")
		if a := b.Post("/health/import", form, http.StatusSeeOther); a.Location != "/health" {
			t.Errorf("an import leads to %q", a.Location)
		}
		page := b.Get("/health", http.StatusOK).Page(t)
		if got := page.Find("main .flash").Text(); !strings.Contains(got, "weights.csv: 7 new, 0 already there, 0 conflicting, 0 rejected.") {
			t.Errorf("the import says %q", got)
		}
		if got := texts(page.Find("article.series h3")); strings.Join(got, ", ") != "Body weight, Bone mass, Fat mass, Muscle mass" {
			t.Errorf("the series are %q", got)
		}
		form.Set("request_id", "another press of the same button")
		gone := b.Post("/health/import", form, http.StatusUnprocessableEntity).Page(t)
		if got := gone.Find("#file-error").Text(); !strings.Contains(got, "The file is no longer here. Choose it again.") {
			t.Errorf("a file that was imported: %q", got)
		}
		again := b.Upload("/health/import", typed, "file", "weights.csv", bodyPlus, http.StatusOK).Page(t)
		if got := counts(again); got != "7 readings: 0 new, 7 already there, 0 conflicting, 0 rejected" || again.Find("button[name=do]").Length() != 0 {
			t.Errorf("the same file again: %q", got)
		}
		undo := page.Find("a[data-dialog]").AttrOr("href", "")
		if text := b.Get(undo, http.StatusOK).Page(t).Find("main").Text(); !strings.Contains(text, "Undo weights.csv?") {
			t.Errorf("%s asks %q", undo, text)
		}
		b.Post(undo, nil, http.StatusSeeOther)
		after := b.Get("/health", http.StatusOK).Page(t).Find("main").Text()
		if !strings.Contains(after, "Removed 7 readings.") || !strings.Contains(after, "No readings yet.") {
			t.Errorf("after the undo: %q", after)
		}
		if a := b.Post(undo, nil, http.StatusSeeOther); a.Location != "/health" {
			t.Errorf("a second undo leads to %q", a.Location)
		}
	})
}

func TestAFileMayWinOverWhatIsStoredUntilItIsUndone(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		b := p.Person(t, "lifter@example.com").Browser()
		for _, value := range []string{"180.2", "181.4"} {
			file := "measured_at,metric,value,unit\n2026-03-01T07:00:00Z,bodyweight," + value + ",lb\n"
			preview := b.Upload("/health/import", nil, "file", value+".csv", file, http.StatusOK).Page(t)
			form := carried(preview)
			form.Set("do", "import")
			if preview.Find("input[name=replace]").Length() == 1 {
				form.Set("replace", "1")
			}
			b.Post("/health/import", form, http.StatusSeeOther)
			if got := b.Get("/health", http.StatusOK).Page(t).Find("article.series .big").Text(); got != value {
				t.Errorf("after %s the scale says %s", value, got)
			}
		}
		b.Post(b.Get("/health", http.StatusOK).Page(t).Find("a[data-dialog]").First().AttrOr("href", ""), nil, http.StatusSeeOther)
		page := b.Get("/health", http.StatusOK).Page(t)
		if got := page.Find("article.series .big").Text(); got != "180.2" || !strings.Contains(page.Find("main .flash").Text(), "1 earlier value restored.") {
			t.Errorf("after the undo the scale says %s: %s", got, page.Find("main .flash").Text())
		}
	})
}

func TestAnImportKeepsItsFileThroughARefusal(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		b := p.Person(t, "lifter@example.com").Browser()
		for _, c := range []struct {
			name, content, field, says string
			typed                      url.Values
		}{
			{"unknown.txt", "hello", "format", "Could not tell what kind of export this is. Choose a format.", url.Values{}},
			{"zone.csv", bodyPlus, "time_zone", `"Mars/Base" is not a time zone this server knows.`, url.Values{"time_zone": {"Mars/Base"}}},
			{"unitless.csv", "Date,Weight\n\"2026-03-01 07:11:09\",81.64\n", "unit", "This file does not say kg or lb. Choose a unit.", url.Values{}},
		} {
			page := b.Upload("/health/import", c.typed, "file", c.name, c.content, http.StatusUnprocessableEntity).Page(t)
			if got := strings.TrimSpace(page.Find("#" + c.field + "-error").Text()); got != c.says {
				t.Errorf("%s: beside %s %q, want %q", c.name, c.field, got, c.says)
			}
			if got := page.Find("#file-hint").Text(); !strings.Contains(got, c.name+" is here already") {
				t.Errorf("%s is to be picked again: %q", c.name, got)
			}
		}
		unitless := b.Upload("/health/import", url.Values{}, "file", "unitless.csv", "Date,Weight\n\"2026-03-01 07:11:09\",81.64\n\"2026-03-02 07:11:09\",lots\n", http.StatusUnprocessableEntity).Page(t)
		form := carried(unitless)
		form.Set("unit", "kg")
		preview := b.Post("/health/import", form, http.StatusOK).Page(t)
		if got := counts(preview); got != "2 readings: 1 new, 0 already there, 0 conflicting, 1 rejected" {
			t.Errorf("with its unit the file says %q", got)
		}
		if got := texts(preview.Find("section table tbody tr")); len(got) != 1 || !strings.HasPrefix(got[0], "3") {
			t.Errorf("the rejected lines are %q", got)
		}
		none := b.Post("/health/import", url.Values{"source": {"Body+"}}, http.StatusUnprocessableEntity).Page(t)
		if got := strings.TrimSpace(none.Find("#file-error").Text()); got != "Choose a file." {
			t.Errorf("no file: %q", got)
		}
		big := strings.Repeat("x", 20<<20+1)
		large := b.Upload("/health/import", nil, "file", "big.csv", big, http.StatusUnprocessableEntity).Page(t)
		if got := strings.TrimSpace(large.Find("#file-error").Text()); got != "The file is larger than 20 MB; use the import command." {
			t.Errorf("a large file: %q", got)
		}
		stranger := p.Person(t, "stranger@example.com").Browser()
		form.Set("workspace", "")
		theirs := stranger.Post("/health/import", form, http.StatusUnprocessableEntity).Page(t)
		if got := theirs.Find("#file-error").Text(); !strings.Contains(got, "The file is no longer here.") {
			t.Errorf("somebody else's file: %q", got)
		}
	})
}

func TestSourcesNeverShareAGroup(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		b := p.Person(t, "lifter@example.com").Browser()
		lines := []string{"measured_at,metric,value,unit,source"}
		for i := range 7 {
			lines = append(lines, fmt.Sprintf("2026-02-%02dT07:00:00Z,body_fat_percent,%.1f,%%,Bathroom", i+1, 26.4+float64(i%2)*1.5))
			lines = append(lines, fmt.Sprintf("2026-02-%02dT08:00:00Z,body_fat_percent,%.1f,%%,Gym", i+1, 30.0))
		}
		preview := b.Upload("/health/import", nil, "file", "two.csv", strings.Join(lines, "\n"), http.StatusOK).Page(t)
		form := carried(preview)
		form.Set("do", "import")
		b.Post("/health/import", form, http.StatusSeeOther)
		refused := b.Post("/health/readings", url.Values{"metric": {"body_fat_percent"}, "value": {"400"}, "unit": {"%"}, "source": {"calipers"}}, http.StatusUnprocessableEntity).Page(t)
		if got := strings.TrimSpace(refused.Find("#value-error").Text()); got != "Body fat 400 is out of range; use 0-100 %." || refused.Find("#value").AttrOr("value", "") != "400" {
			t.Errorf("a reading out of range: %q", got)
		}
		b.Post("/health/readings", url.Values{"metric": {"body_fat_percent"}, "value": {"24.1"}, "unit": {"%"}, "source": {"calipers"}, "measured_at": {"2026-02-03T06:30"}}, http.StatusSeeOther)
		page := b.Get("/health", http.StatusOK).Page(t)
		if got := texts(page.Find("section .sec h2")); strings.Join(got, ", ") != "Bathroom, Gym, calipers, Imports" {
			t.Errorf("the sources are %q", got)
		}
		bathroom := strings.Join(texts(page.Find("article.series").First()), " ")
		for _, want := range []string{"26.4 %", "Feb 07, 2026", "7 readings since Feb 01, 2026", "day-to-day swing about ±1.5%"} {
			if !strings.Contains(bathroom, want) {
				t.Errorf("the bathroom scale does not say %q: %s", want, bathroom)
			}
		}
		for _, path := range []string{"/health", "/health/import"} {
			judging(t, path, b.Get(path, http.StatusOK).Page(t).Find("main").Text())
		}
		judging(t, "a preview", preview.Find("main").Text())
	})
}

// judging fails on the words that a page of readings never uses.
func judging(t *testing.T, where, text string) {
	t.Helper()
	text = strings.ToLower(text)
	for _, word := range []string{"target", "goal", "ideal", "healthy", "unhealthy", "overweight", "obese", "good", "bad", "progress", "improve", "should", "too much", "too little", "congratulations"} {
		if strings.Contains(text, word) {
			t.Errorf("%s says %q", where, word)
		}
	}
}

func TestHealthPagesLeadAwayFromOtherPeoplesImports(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		mira := p.Person(t, "mira@example.com").Browser()
		mira.Post("/health/readings", url.Values{"metric": {"bodyweight"}, "value": {"180.2"}, "unit": {"lb"}, "source": {"scale"}}, http.StatusSeeOther)
		theirs := mira.Get("/health", http.StatusOK).Page(t).Find("a[data-dialog]").AttrOr("href", "")
		stranger := p.Person(t, "stranger@example.com").Browser()
		for _, path := range []string{theirs, "/health/imports/99999/delete", "/health/imports/x/delete"} {
			if got := stranger.Get(path, http.StatusSeeOther).Location; got != "/health" {
				t.Errorf("%s leads to %q", path, got)
			}
			if got := stranger.Post(path, nil, http.StatusSeeOther).Location; got != "/health" {
				t.Errorf("posting %s leads to %q", path, got)
			}
		}
		if n := mira.Get("/health", http.StatusOK).Page(t).Find("article.series").Length(); n != 1 {
			t.Errorf("a stranger removed the reading: %d series", n)
		}
	})
}
