package pages

import (
	"fmt"
	"strconv"
	"time"

	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// chart draws the heaviest weight of each day, the days evenly spaced.
func (v exerciseView) chart() ui.LineProps {
	points := make([]ui.Point, len(v.Heaviest))
	for i, d := range v.Heaviest {
		points[i] = ui.Point{Label: store.Day(d.Date).Format("Jan 2, 2006"), Value: float64(d.Weight), Text: web.Count(d.Weight)}
	}
	return ui.LineProps{
		Title: "Heaviest weight each day", Hint: "completed working sets, lb; days in order, evenly spaced",
		Height: 240, Points: ui.Spread(points), Labels: 6,
	}
}

// heaviest is the heaviest weight that was lifted, 0 for none.
func (v exerciseView) heaviest() int64 {
	best := int64(0)
	for _, d := range v.Heaviest {
		best = max(best, d.Weight)
	}
	return best
}

// band is what the max would be if the effort of its set was misjudged by one.
func (v exerciseView) band() strength.Band {
	return strength.EstimateBand(store.Number(v.Basis.Set.Weight), store.Number(v.Basis.Set.Reps), store.Number(v.Basis.Set.Rpe))
}

// bandText tells the band: "186 if it was a 9, 197 if it was a 7".
func (v exerciseView) bandText() string {
	b, rated := v.band(), ""
	if v.Basis.Set.Rpe == nil {
		rated = "not rated, so read as an 8; "
	}
	low, high := "", ""
	if b.Low != 0 {
		low = fmt.Sprintf("%d if it was %s", b.Low, rating(b.Harder))
	}
	if b.High != 0 {
		high = fmt.Sprintf("%d if it was %s", b.High, rating(b.Easier))
	}
	if low != "" && high != "" {
		low += ", "
	}
	return rated + low + high
}

// rating is a rating with its article: "a 9", "an 8".
func rating(rpe int) string {
	if rpe == 8 {
		return "an 8"
	}
	return "a " + strconv.Itoa(rpe)
}

func (v exerciseView) toGo() int64 { return v.Goal.TargetWeight - int64(v.Basis.Best) }

// timeLeft says what the distance to the goal is measured on, and how long
// there is.
func (v exerciseView) timeLeft() string {
	if v.Goal.TargetDate == "" {
		return "on the estimate"
	}
	return "on the estimate, " + left(store.Day(v.Goal.TargetDate), v.Today)
}

func (v exerciseView) goalWords() string {
	if v.Goal == nil {
		return "Set a goal"
	}
	return "Change the goal"
}

// goalDetail says until when a goal is aimed at, and when and by which program
// it was set.
func goalDetail(g store.ActiveGoalsRow, zone *time.Location) string {
	text := "set " + web.Day(localDay(g.CreatedAt.Time, zone))
	if g.ClientName != nil {
		text += " by " + *g.ClientName
	}
	if g.TargetDate == "" {
		return text
	}
	return "by " + web.Day(g.TargetDate) + ", " + text
}

// localDay is the day of an instant in a zone; nil is UTC.
func localDay(at time.Time, zone *time.Location) dbtype.Date {
	if zone == nil {
		zone = time.UTC
	}
	return store.Date(strength.DayOf(at.In(zone)))
}

// ruler puts what was lifted, what that says of the max, and the goal on one
// line. The shade is the band.
func (v exerciseView) ruler() ui.RulerProps {
	best := int64(v.Basis.Best)
	b := v.band()
	r := ui.RulerProps{
		Name:  "Estimated max " + web.Lb(best),
		Low:   float64(best),
		High:  float64(best),
		Marks: []ui.RulerMark{{Value: float64(best), Text: web.Count(best) + " estimated", Class: "mk--est"}},
	}
	if b.Low != 0 {
		r.Low = float64(b.Low)
	}
	if b.High != 0 {
		r.High = float64(b.High)
	}
	if top := v.heaviest(); top > 0 {
		r.Marks = append(r.Marks, ui.RulerMark{Value: float64(top), Text: web.Count(top) + " lifted", Class: "mk--top", Lower: true})
	}
	if v.Goal != nil {
		r.Name += ", goal " + web.Lb(v.Goal.TargetWeight)
		r.Marks = append(r.Marks, ui.RulerMark{Value: float64(v.Goal.TargetWeight), Text: "goal " + web.Count(v.Goal.TargetWeight), Class: "mk--goal"})
	}
	return r
}
