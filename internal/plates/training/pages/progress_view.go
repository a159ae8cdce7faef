package pages

import (
	"fmt"
	"strconv"
	"time"

	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// progressView is what became of a block.
type progressView struct {
	Out     tools.BlockProgressOut
	Today   time.Time
	Reasons map[liftWeekKey]string
	ToCome  map[liftWeekKey]bool // sessions that are not over
}

// liftWeekKey is a movement in a week of the block.
type liftWeekKey struct{ Exercise, Week int64 }

// weekView is one week of the block as the table shows it.
type weekView struct {
	Number   int64
	Deload   bool
	Start    dbtype.Date
	Done     int // sessions
	Skipped  int
	Sessions int
	Sets     int
	Reps     int
	Tonnage  int
	Begun    bool
	UnderWay bool
}

func (v progressView) weeks() []weekView {
	list := make([]weekView, len(v.Out.Weeks))
	for i, w := range v.Out.Weeks {
		start := store.Day(w.StartDate)
		s := w.Sessions
		list[i] = weekView{
			Number: w.Number, Deload: w.IsDeload, Start: w.StartDate, Done: s.Performed, Skipped: s.Skipped,
			Sessions: s.Performed + s.Skipped + s.Planned + s.NotGenerated, Sets: w.Sets, Reps: w.Reps, Tonnage: w.Tonnage,
			Begun: !start.After(v.Today), UnderWay: !start.After(v.Today) && v.Today.Before(start.AddDate(0, 0, 7)),
		}
	}
	return list
}

// name is "Week 4 (deload)".
func (w weekView) name() string {
	text := "Week " + strconv.FormatInt(w.Number, 10)
	if w.Deload {
		text += " (deload)"
	}
	return text
}

// sessions tells what became of the sessions of a week: "2 of 3, 1 skipped".
func (w weekView) sessions() string {
	text := fmt.Sprintf("%d of %d", w.Done, w.Sessions)
	if w.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", w.Skipped)
	}
	return text
}

func (v progressView) sub() string {
	p := v.Out.Program
	if p.CurrentWeek != nil {
		return fmt.Sprintf("Week %d of %d, from %s. Planned beside done; warm-ups are not counted.", *p.CurrentWeek, p.WeekCount, web.Day(p.StartDate))
	}
	return web.Plural(p.WeekCount, "week") + " from " + web.Day(p.StartDate) + ". Planned beside done; warm-ups are not counted."
}

func (v progressView) figures() []ui.Figure {
	var done, sessions, skipped, sets, tonnage int
	for _, w := range v.weeks() {
		done, sessions, skipped, sets, tonnage = done+w.Done, sessions+w.Sessions, skipped+w.Skipped, sets+w.Sets, tonnage+w.Tonnage
	}
	return []ui.Figure{
		{Term: "Sessions done", Value: web.Count(done), Unit: "/ " + web.Count(sessions)},
		{Term: "Skipped", Value: web.Count(skipped)},
		{Term: "Working sets", Value: web.Count(sets)},
		{Term: "Tonnage", Value: web.Count(tonnage), Unit: "lb"},
	}
}

// tonnage draws the weeks of the block; those to come are blank.
func (v progressView) tonnage() ui.BarsProps {
	var points []ui.Point
	for _, w := range v.weeks() {
		points = append(points, ui.Point{Label: weekLabel(w.Number, w.Deload), Value: float64(w.Tonnage), Text: thousands(w.Tonnage), Gap: !w.Begun, Open: w.UnderWay})
	}
	return ui.BarsProps{Title: "Tonnage each week", Hint: "thousand lb; a week that is not over is outlined", Points: points}
}

// weekLabel is a week on an axis: "W4", a deload "W4 d".
func weekLabel(number int64, deload bool) string {
	text := "W" + strconv.FormatInt(number, 10)
	if deload {
		text += " deload"
	}
	return text
}

// liftProgress is a lift of the block with what its weeks became.
type liftProgress struct {
	Exercise string
	ID       int64
	Rule     string // "" = no load
	Goal     *tools.Goal
	Weeks    []liftProgressWeek
	TopMoved *int64
	MaxMoved *int64
}

// liftProgressWeek is one week of a lift.
type liftProgressWeek struct {
	Number       int64
	Deload       bool
	Plan, Lifted strength.Set
	Max          int
	Outcome      string
	ToCome       bool
	Reason       string
}

func (v progressView) lifts() []liftProgress {
	list := make([]liftProgress, len(v.Out.Lifts))
	for i, l := range v.Out.Lifts {
		one := liftProgress{Exercise: l.Exercise, ID: l.ExerciseID, Rule: text(l.Progression), Goal: l.Goal, TopMoved: l.PlannedTopChange, MaxMoved: l.EstimatedChange}
		for _, w := range l.Weeks {
			key := liftWeekKey{l.ExerciseID, w.Week}
			one.Weeks = append(one.Weeks, liftProgressWeek{
				Number: w.Week, Deload: w.IsDeload,
				Plan:   strength.Set{Weight: store.Number(w.PlannedTop), Reps: store.Number(w.PlannedReps)},
				Lifted: strength.Set{Weight: store.Number(w.LiftedTop), Reps: store.Number(w.LiftedReps)},
				Max:    store.Number(w.Estimated), Outcome: w.Outcome, ToCome: v.ToCome[key], Reason: v.Reasons[key],
			})
		}
		list[i] = one
	}
	return list
}

// says tells the rule of a lift and what moved: "linear; planned top 165 to
// 175, estimated max 191 to 197".
func (l liftProgress) says() string {
	out := l.Rule
	if out == "" {
		out = "no load"
	}
	if l.TopMoved != nil {
		out += "; planned top " + moved(*l.TopMoved)
	}
	if l.MaxMoved != nil {
		out += "; estimated max " + moved(*l.MaxMoved)
	}
	return out
}

// moved is a change in pounds with its sign: "+10 lb", "no change".
func moved(by int64) string {
	switch {
	case by > 0:
		return "+" + web.Lb(by)
	case by < 0:
		return web.Lb(by)
	}
	return "unchanged"
}

func (l liftProgress) goalText() string {
	if l.Goal == nil {
		return ""
	}
	out := "Goal " + aim(l.Goal.TargetWeight, l.Goal.TargetReps)
	if l.Goal.TargetDate != nil {
		out += " by " + web.Day(*l.Goal.TargetDate)
	}
	return out
}

// tops draws what was lifted at the top of each week beside what was planned.
func (l liftProgress) tops() (p ui.LineProps, drawn bool) {
	p = ui.LineProps{Title: "Top set", Hint: "lb; the open mark is what was planned", Height: 180}
	for _, w := range l.Weeks {
		drawn = drawn || w.Lifted.Weight > 0 || w.Plan.Weight > 0
		p.Points = append(p.Points, ui.Point{
			Label: weekLabel(w.Number, w.Deload), Gap: w.Lifted.Weight == 0, Value: float64(w.Lifted.Weight), Text: web.Count(w.Lifted.Weight), Plan: float64(w.Plan.Weight),
		})
	}
	ui.Spread(p.Points)
	return p, drawn
}

// estimates draws the estimated max at the end of each week, and the goal when
// it is one of a single rep.
func (l liftProgress) estimates() (p ui.LineProps, drawn bool) {
	p = ui.LineProps{Title: "Estimated max", Hint: "lb, at the end of each week", Height: 180}
	for _, w := range l.Weeks {
		drawn = drawn || w.Max > 0
		p.Points = append(p.Points, ui.Point{Label: weekLabel(w.Number, w.Deload), Gap: w.Max == 0, Value: float64(w.Max), Text: web.Count(w.Max)})
	}
	if l.Goal != nil && l.Goal.TargetReps == 1 {
		p.Level = &ui.Level{Value: float64(l.Goal.TargetWeight), Text: "goal " + web.Count(l.Goal.TargetWeight)}
	}
	ui.Spread(p.Points)
	return p, drawn
}

// name is "1", a deload "4, deload".
func (w liftProgressWeek) name() string {
	if w.Deload {
		return strconv.FormatInt(w.Number, 10) + ", deload"
	}
	return strconv.FormatInt(w.Number, 10)
}

func topText(s strength.Set) string {
	if s.Reps == 0 {
		return "—"
	}
	return strength.LoadLabel(s, false)
}

func (w liftProgressWeek) maxText() string {
	if w.Max == 0 {
		return "—"
	}
	return web.Count(w.Max)
}

// state says how the week of a lift went by word and tone. A session that is
// not over yet is not missed.
func (w liftProgressWeek) state() (ui.Tone, string) {
	switch {
	case w.Outcome == "met":
		return ui.Done, "met"
	case w.Outcome == "short":
		return ui.Changed, "short"
	case w.Outcome == "not_generated":
		return ui.Quiet, "not written"
	case w.ToCome:
		return ui.Planned, "planned"
	}
	return ui.Missed, "not trained"
}
