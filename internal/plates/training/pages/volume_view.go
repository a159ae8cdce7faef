package pages

import (
	"fmt"
	"strconv"
	"time"

	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// volumeView is what was trained in a window of weeks.
type volumeView struct {
	Today   time.Time
	Weeks   int
	Lift    int64            // the one that is shown; 0 = everything
	Lifts   []store.LiftWork // with work in the window, by name
	Shown   []store.LiftWork
	Total   strength.Volume
	Trained int                   // weeks
	ByWeek  []strength.WeekVolume // from the first trained one to this one
	Tops    []liftTops
}

// liftTops is a lift with its heaviest set of each week.
type liftTops struct {
	store.LiftWork
	Tops []strength.WeekTop
}

func (v volumeView) start() time.Time { return strength.WindowStart(v.Today, v.Weeks) }

func (v volumeView) says() string {
	return web.Day(store.Date(v.start())) + " to today. Warm-ups and unfinished sets are not counted."
}

func (v volumeView) liftOptions() []ui.Option {
	list := []ui.Option{{Text: "Everything"}}
	for _, l := range v.Lifts {
		list = append(list, ui.Option{Value: strconv.FormatInt(l.Exercise, 10), Text: l.Name})
	}
	return list
}

func windowOptions() []ui.Option {
	var list []ui.Option
	for _, weeks := range strength.VolumeWindows {
		list = append(list, ui.Option{Value: strconv.Itoa(weeks), Text: web.Plural(weeks, "week")})
	}
	return list
}

// chosen is the lift as the select has it.
func (v volumeView) chosen() string {
	if v.Lift == 0 {
		return ""
	}
	return strconv.FormatInt(v.Lift, 10)
}

func (v volumeView) figures() []ui.Figure {
	list := []ui.Figure{
		{Term: "Tonnage", Value: web.Count(v.Total.Tonnage), Unit: "lb"},
		{Term: "Working sets", Value: web.Count(v.Total.Sets)},
		{Term: "Reps", Value: web.Count(v.Total.Reps)},
	}
	return append(list, ui.Figure{Term: "Weeks trained", Value: web.Count(v.Trained), Unit: "/ " + strconv.Itoa(v.Weeks)})
}

// axisDay is a day on an axis: "Mar 2".
func axisDay(day time.Time) string { return day.Format("Jan 2") }

// bars are the weeks of the window; those before the first trained one are
// blank.
func (v volumeView) bars(value func(strength.Volume) int, text func(int) string) []ui.Point {
	points := make([]ui.Point, v.Weeks)
	blank := v.Weeks - len(v.ByWeek)
	for i := range points {
		points[i] = ui.Point{Label: axisDay(v.start().AddDate(0, 0, 7*i)), Gap: i < blank}
		if i >= blank {
			n := value(v.ByWeek[i-blank].Volume)
			points[i].Value, points[i].Text, points[i].Open = float64(n), text(n), i == v.Weeks-1
		}
	}
	return points
}

func (v volumeView) tonnage() ui.BarsProps {
	return ui.BarsProps{
		Title: "Tonnage each week", Hint: "thousand lb, weeks from Monday; this week is not over",
		Points: v.bars(func(w strength.Volume) int { return w.Tonnage }, thousands),
	}
}

func (v volumeView) sets() ui.BarsProps {
	return ui.BarsProps{
		Title: "Working sets each week", Hint: "warm-ups and unfinished sets are not counted",
		Points: v.bars(func(w strength.Volume) int { return w.Sets }, func(n int) string { return web.Count(n) }),
	}
}

// thousands is a tonnage in thousands of pounds: "12.8", "0".
func thousands(n int) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%.1f", float64(n)/1000)
}

// line draws the top sets of a lift on the weeks of the window. A week without
// one is a gap.
func (v volumeView) line(l liftTops) ui.LineProps {
	points := make([]ui.Point, v.Weeks)
	for i := range points {
		points[i].Gap = true
		if i == 0 || i == v.Weeks-1 {
			points[i].Label = axisDay(v.start().AddDate(0, 0, 7*i))
		}
	}
	for _, t := range l.Tops {
		p := &points[v.place(t.Monday)]
		p.Gap, p.Value, p.Text = false, float64(t.Weight), web.Count(t.Weight)
	}
	return ui.LineProps{Title: l.Name, Small: true, Points: ui.Spread(points)}
}

// wide is the line of the one lift that is chosen.
func (v volumeView) wide(l liftTops) ui.LineProps {
	p := v.line(l)
	p.Title, p.Hint, p.Small, p.Labels = "Top set each week", "heaviest completed working set, lb; a week without one is a gap", false, 9
	for i := range p.Points {
		p.Points[i].Label = axisDay(v.start().AddDate(0, 0, 7*i))
	}
	return p
}

// place is the place of a week in the window, from 0.
func (v volumeView) place(monday time.Time) int { return int(monday.Sub(v.start()).Hours()) / (7 * 24) }

// fewest tells which lifts the small charts leave out: "Showing the 5
// most-trained lifts; 3 more had working sets in this window."
func (v volumeView) fewest() string {
	more := len(v.Shown) - len(v.Tops)
	switch {
	case more == 0:
		return web.Plural(len(v.Tops), "lift") + ", most trained first"
	case len(v.Tops) == mostTops:
		return fmt.Sprintf("Showing the %d most-trained lifts; %d more had working sets in this window.", mostTops, more)
	}
	return fmt.Sprintf("Showing the %s with a load; %d more had working sets in this window.", web.Plural(len(v.Tops), "lift"), more)
}

func (v volumeView) ranking() []ui.Ranked {
	var list []ui.Ranked
	for _, l := range v.ranked() {
		sets := l.Total().Sets
		list = append(list, ui.Ranked{Name: l.Name, Href: exercisePath(l.Exercise), Count: sets, Text: web.Count(sets)})
	}
	return list
}

// weekRow is one week of the table.
type weekRow struct {
	strength.WeekVolume
	Now  bool
	Tops []string // of the lifts that have a chart
}

// rows are the weeks, the latest first.
func (v volumeView) rows() []weekRow {
	list := make([]weekRow, len(v.ByWeek))
	for i, w := range v.ByWeek {
		row := weekRow{WeekVolume: w, Now: i == len(v.ByWeek)-1}
		for _, l := range v.Tops {
			row.Tops = append(row.Tops, topIn(l.Tops, w.Monday))
		}
		list[len(list)-1-i] = row
	}
	return list
}

func topIn(tops []strength.WeekTop, monday time.Time) string {
	for _, t := range tops {
		if t.Monday.Equal(monday) {
			return web.Count(t.Weight)
		}
	}
	return "—"
}

// held reports whether any of the work was timed.
func (v volumeView) held() bool { return v.Total.Seconds > 0 }

func (v volumeView) columns() []ui.Column {
	list := []ui.Column{{Title: "Week of"}, {Title: "Tonnage, lb", Number: true}, {Title: "Sets", Number: true}, {Title: "Reps", Number: true}}
	if v.held() {
		list = append(list, ui.Column{Title: "Held", Number: true})
	}
	for _, l := range v.Tops {
		list = append(list, ui.Column{Title: l.Name, Number: true, Class: "tops"})
	}
	return list
}

// heldText is a time under tension: "3:05", "1:02:00"; "0" for none.
func heldText(seconds int) string {
	switch {
	case seconds == 0:
		return "0"
	case seconds < 3600:
		return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
}

func (v volumeView) numbers() string {
	return web.Plural(len(v.ByWeek), "week") + ", latest first; a dash is a week without that lift"
}

func (v volumeView) empty() string {
	return fmt.Sprintf("No completed working sets in the last %d weeks.", v.Weeks)
}
