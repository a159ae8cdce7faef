package pages

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tectonic/internal/plates/training/health"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// healthView is what was measured, series by series.
type healthView struct {
	Series  []store.ReadingSeries // by source, metric and unit
	Imports []store.ImportsRow    // the newest first
	Zone    *time.Location
	Now     time.Time
	Writes  bool
	Form    web.Form // of a reading by hand
}

// sourceView is the series of one source.
type sourceView struct {
	Name, Kind string
	Series     []seriesView
}

// seriesView is one metric of one source in one unit.
type seriesView struct {
	store.ReadingSeries
	Daily []health.Reading
}

// kindWords are the kinds of sources as a reader knows them.
var kindWords = map[string]string{
	"withings": "Withings", "garmin": "Garmin", "apple_health": "Apple Health", "csv": "CSV", "json": "JSON", "manual": "by hand",
}

// sources cuts the series, which are in the order of sources, by source.
func (v healthView) sources() []sourceView {
	var list []sourceView
	for _, s := range v.Series {
		kind := kindWords[s.Kind]
		if n := len(list); n == 0 || list[n-1].Name != s.Name || list[n-1].Kind != kind {
			list = append(list, sourceView{Name: s.Name, Kind: kind})
		}
		of := &list[len(list)-1]
		of.Series = append(of.Series, seriesView{s, health.Daily(s.Recent)})
	}
	return list
}

// shared reports whether two sources measure the same thing.
func (v healthView) shared() bool {
	by := map[string]int64{}
	for _, s := range v.Series {
		if other, seen := by[s.Metric]; seen && other != s.SourceID {
			return true
		}
		by[s.Metric] = s.SourceID
	}
	return false
}

func (s seriesView) word() string {
	word := health.Metric(s.Metric).Word()
	return strings.ToUpper(word[:1]) + word[1:]
}

// last is the newest reading.
func (s seriesView) last() health.Reading { return s.Recent[len(s.Recent)-1] }

// value is the last reading and its unit.
func (s seriesView) value() (number, unit string) {
	return unitless(s.last().Milli), unitWord(s.Unit)
}

// unitless is a value to one decimal without its unit.
func unitless(milli int64) string { return health.Show(milli, health.Rating) }

func unitWord(unit string) string {
	switch unit {
	case health.Rating:
		return ""
	case health.MassIndex:
		return "kg/m²"
	}
	return unit
}

// swing says how much the daily values differ from one day to the next.
func (s seriesView) swing() string {
	tenths, pairs, ok := health.Swing(s.Daily)
	if !ok {
		return "too few readings to say how much it swings day to day"
	}
	return "day-to-day swing about ±" + health.ShowTenths(tenths, s.Unit) + ", from " + web.Plural(pairs, "pair") + " of days"
}

// count tells how many readings there are, and since when.
func (s seriesView) count() string {
	if s.Readings == 1 {
		return "1 reading"
	}
	return web.Count(s.Readings) + " readings since " + web.Day(dayOf(s.FirstDay))
}

// mostApart is how many days may lie between two readings that are joined.
const mostApart = 7

// chart draws the daily values of the last days on their days; a week without
// one is a gap.
func (s seriesView) chart() ui.LineProps {
	first, last := s.Daily[0].Day, s.Daily[len(s.Daily)-1].Day
	points := make([]ui.Point, len(s.Daily))
	for i, d := range s.Daily {
		points[i] = ui.Point{Value: float64(d.Milli) / 1000, Text: unitless(d.Milli), At: 50}
		if last.After(first) {
			points[i].At = 2 + 94*float64(d.Day.Sub(first))/float64(last.Sub(first))
		}
		points[i].Apart = i > 0 && d.Day.Sub(s.Daily[i-1].Day) > mostApart*24*time.Hour
	}
	points[0].Label = axisDay(first)
	points[len(points)-1].Label = axisDay(last)
	return ui.LineProps{Title: s.word(), Small: true, Height: 120, Points: points}
}

// latest are the daily values, the newest first.
func (s seriesView) latest() []health.Reading {
	list := make([]health.Reading, len(s.Daily))
	for i, d := range s.Daily {
		list[len(list)-1-i] = d
	}
	return list
}

func (s seriesView) summary() string {
	return web.Plural(len(s.Daily), "day") + " with a reading, of the last " + strconv.Itoa(recentDays)
}

// id is the id of a series' heading.
func (s seriesView) id() string {
	return fmt.Sprintf("series-%d-%s-%d", s.SourceID, s.Metric, len(s.Unit))
}

func metricOptions() []ui.Option {
	var list []ui.Option
	for _, name := range health.Metrics() {
		word := health.Metric(name).Word()
		if name == string(health.BodyWaterPercent) || name == string(health.BodyFatPercent) {
			word += ", %"
		}
		list = append(list, ui.Option{Value: name, Text: strings.ToUpper(word[:1]) + word[1:]})
	}
	return list
}

func unitOptions() []ui.Option {
	var list []ui.Option
	for _, unit := range []string{health.Pound, health.Kilogram, health.Percent, health.MassIndex, health.Rating} {
		list = append(list, ui.Option{Value: unit, Text: strings.ReplaceAll(unit, "m2", "m²")})
	}
	return list
}

// nowTyped is this minute as the form takes it.
func (v healthView) nowTyped() string {
	if v.Zone == nil {
		return v.Now.UTC().Format(localMinute)
	}
	return v.Now.In(v.Zone).Format(localMinute)
}

// importName is what an import was made from.
func importName(row store.ImportsRow) string {
	switch {
	case row.Kind == "manual":
		return "A reading by hand"
	case row.FileName == "":
		return kindWords[row.Kind] + " file"
	}
	return row.FileName
}

// importedAs tells what kind of file an import read, and when.
func importedAs(row store.ImportsRow, zone *time.Location) string {
	when := web.When(row.CreatedAt.Time, zone)
	if row.Kind == "manual" {
		return when
	}
	return kindWords[row.Kind] + ", " + when
}

// importCounts tells what became of the readings of an import.
func importCounts(row store.ImportsRow) string {
	switch {
	case row.Kind == "manual":
		return "1 new"
	case row.FinishedAt.IsZero():
		return "Not finished: importing the same file again goes on where it ended."
	}
	return countsText(row.Added, row.AlreadyThere, row.Conflicting, row.Rejected)
}

func countsText(added, there, conflicting, rejected int64) string {
	return fmt.Sprintf("%s new, %s already there, %s conflicting, %s rejected", web.Count(added), web.Count(there), web.Count(conflicting), web.Count(rejected))
}

// undoing asks whether to remove an import.
func undoing(row store.ImportsRow) ui.ConfirmProps {
	path := "/health/imports/" + strconv.FormatInt(row.ID, 10) + "/delete"
	says := "The readings that it brought go with it, and values that it replaced come back. Importing the file again brings its readings back."
	if row.Kind == "manual" {
		says = "The reading goes with it. This cannot be undone."
	}
	return ui.ConfirmProps{
		ID: "undo-import-" + strconv.FormatInt(row.ID, 10), Open: "Undo", Label: "Undo " + importName(row), Href: path, Action: path,
		Title: "Undo " + importName(row) + "?", Says: says, Do: "Remove its readings", Back: "/health#imports", Small: true,
	}
}
