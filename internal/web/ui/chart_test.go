package ui

import (
	"bytes"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
)

func sketch(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	var page bytes.Buffer
	if err := c.Render(t.Context(), &page); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(&page)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func words(s *goquery.Selection) string {
	return strings.Join(s.Map(func(_ int, one *goquery.Selection) string { return one.Text() }), " ")
}

func TestBarsKeepZeroAndGapApart(t *testing.T) {
	t.Parallel()
	doc := sketch(t, Bars(BarsProps{Title: "Sets <each> week", Points: []Point{
		{Label: "Mar 2", Gap: true}, {Label: "Mar 9", Value: 8, Text: "8"}, {Label: "Mar 16", Text: "0"}, {Label: "Mar 23", Value: 4, Text: "4", Open: true},
	}}))
	if bars, zeros, now := doc.Find("rect.bar").Length(), doc.Find("line.zero").Length(), doc.Find(".bar--now").Length(); bars != 2 || zeros != 1 || now != 1 {
		t.Errorf("%d bars, %d zeros, %d of this week; want 2, 1 and 1", bars, zeros, now)
	}
	if got := words(doc.Find(".val")); got != "8 0 4" {
		t.Errorf("the values are %q", got)
	}
	high, half := doc.Find("rect.bar").First().AttrOr("height", ""), doc.Find("rect.bar").Last().AttrOr("height", "")
	if high != "124.0" || half != "62.0" {
		t.Errorf("heights %s and %s, want the second half of the first", high, half)
	}
	if got := doc.Find("svg[role=img]").AttrOr("aria-label", ""); got != "Sets <each> week. The numbers are in the table below." {
		t.Errorf("the chart is called %q", got)
	}
}

func TestLinesDoNotCrossGaps(t *testing.T) {
	t.Parallel()
	points := Spread([]Point{{Value: 150, Text: "150"}, {Value: 155, Text: "155"}, {Gap: true}, {Value: 160, Text: "160"}, {Value: 165, Text: "165", Apart: true}})
	doc := sketch(t, Line(LineProps{Title: "Top set", Points: points}))
	if joined, dots := doc.Find(".ln").Length(), doc.Find("circle.pt").Length(); joined != 1 || dots != 4 {
		t.Errorf("%d lines and %d points, want 1 and 4", joined, dots)
	}
	if doc.Find("svg").AttrOr("viewBox", "none") != "none" {
		t.Error("a view box would shrink the words")
	}
}

func TestAxesFitTheirValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		low, high float64
		from      float64
		step      float64
	}{
		{"a block of squats", 145, 170, 140, 10},
		{"one value", 150, 150, 148, 2},
		{"nothing below zero", 0, 3, 0, 1},
		{"body fat", 26.4, 27.9, 26, 0.5},
		{"thousands", 1200, 9800, 0, 5000},
	} {
		if got := fit(c.low, c.high); got.low != c.from || got.step != c.step || got.high < c.high {
			t.Errorf("%s: %+v, want from %v by %v", c.name, got, c.from, c.step)
		}
	}
}

func TestManyPlacesAreNamedSparsely(t *testing.T) {
	t.Parallel()
	points := make([]Point, 52)
	for i := range points {
		points[i] = Point{Label: "week", Value: float64(i % 40), Text: "value"}
	}
	doc := sketch(t, Bars(BarsProps{Title: "A year", Points: points}))
	if n := doc.Find("text:not(.val)").Length(); n < 5 || n > 8 {
		t.Errorf("%d weeks are named", n)
	}
	if n := doc.Find(".val").Length(); n != 3 {
		t.Errorf("%d values are told, want the first, the last and the highest", n)
	}
	if n := sketch(t, Line(LineProps{Title: "Empty"})).Find("circle").Length(); n != 0 {
		t.Errorf("no points are drawn as %d", n)
	}
}

func TestRulersNameTheirMarksOutwards(t *testing.T) {
	t.Parallel()
	doc := sketch(t, Ruler(RulerProps{Name: "Estimate and goal", Low: 185, High: 197, Marks: []RulerMark{
		{Value: 191, Text: "191 estimated", Class: "mk--est"}, {Value: 170, Text: "170 lifted", Class: "mk--top", Lower: true}, {Value: 205, Text: "goal 205", Class: "mk--goal"},
	}}))
	for class, want := range map[string]string{"mk--est-t": "end", "mk--top-t": "end", "mk--goal-t": "start"} {
		if got := doc.Find("."+class).AttrOr("text-anchor", ""); got != want {
			t.Errorf("%s is named at its %s, want %s", class, got, want)
		}
	}
	if doc.Find("rect.band").Length() != 1 {
		t.Error("the band is not shaded")
	}
}
