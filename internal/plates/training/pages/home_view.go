package pages

import (
	"strconv"
	"time"

	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// homeView is today's session and the month around it.
type homeView struct {
	Today   dbtype.Date
	Hero    *heroView
	Way     *wayOn // once the week is done
	Empty   bool   // neither a block nor a workout exists yet
	BlockID int64
	Block   string
	Week    int
	Weeks   int
	Month   calendarView
}

func (v homeView) title() string {
	t, err := strength.ParseDay(string(v.Today))
	if err != nil {
		return "Today"
	}
	return t.Format("Monday January 2")
}

// sub says where today stands: Week 2 of 4 in Block 0. Squat today.
func (v homeView) sub() string {
	said := ""
	if v.Week > 0 {
		said = "Week " + strconv.Itoa(v.Week) + " of " + strconv.Itoa(v.Weeks) + " in " + v.Block + "."
	}
	if v.Hero == nil || v.Hero.Date != v.Today || v.Hero.Focus == "" {
		return said
	}
	if said != "" {
		said += " "
	}
	return said + v.Hero.Focus + " today."
}

// heroView is the session to lift next.
type heroView struct {
	workoutView
	Today bool
	Lifts []agendaLine
	Lead  *setView // the set that the session is built around
}

// agendaLine is one lift of the session.
type agendaLine struct {
	Name  string
	Loads loads
	Why   string
}

// heroOf lays out a session for the first page.
func heroOf(w workoutView, sets []setView, today dbtype.Date) *heroView {
	h := &heroView{workoutView: w, Today: w.Date == today}
	for _, group := range groupLifts(sets) {
		h.Lifts = append(h.Lifts, agendaLine{Name: group[0].Exercise, Loads: loadsOf(group), Why: reasonOf(group)})
		if work := working(group); h.Lead == nil && len(work) > 0 && topOf(work).Actual.Weight > 0 {
			top := topOf(work)
			h.Lead = &top
		}
	}
	return h
}

// heading names the session: its focus, else its lead lift.
func (h heroView) heading() string {
	switch {
	case h.Focus != "":
		return h.Focus
	case h.Lead != nil:
		return h.Lead.Exercise
	}
	return "Workout"
}

// tone is the colour of the cue. A workout made by hand counts as trained from
// its day on, as in the calendar and the history, with or without a set done.
func (h heroView) tone() ui.Tone {
	if h.complete() || h.Status == strength.Performed && !h.lifted() {
		return ui.Done
	}
	return ui.Planned
}

// cue says where the session stands.
func (h heroView) cue() string {
	switch {
	case h.complete():
		return "trained today"
	case h.Done > 0:
		return "under way, " + strconv.Itoa(h.Done) + " of " + strconv.Itoa(h.Sets) + " sets done"
	case h.Status == strength.Performed:
		return "trained today, 0 of " + web.Plural(h.Sets, "set") + " done"
	case h.Today:
		return "planned for today"
	}
	return "next on " + web.WeekDay(h.Date)
}

// do is the text of the one large button.
func (h heroView) do() string {
	switch {
	case h.complete():
		return "Look at the session"
	case h.Done > 0:
		return "Continue session"
	}
	return "Run session"
}

var small = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// lifts counts the lifts in words up to nine.
func (h heroView) lifts() string {
	n := len(h.Lifts)
	word := strconv.Itoa(n)
	if n < len(small) {
		word = small[n]
	}
	if n == 1 {
		return word + " lift"
	}
	return word + " lifts"
}

// calendarView is a month in whole weeks, Monday first.
type calendarView struct {
	Month    time.Time
	Previous string // YYYY-MM, "" beyond the range
	Next     string
	Weeks    [][]calendarDay
	Tally    []tallyPart
}

func (c calendarView) title() string { return c.Month.Format("January 2006") }

// calendarDay is one cell.
type calendarDay struct {
	Date     time.Time
	Out      bool // of a neighbouring month
	Today    bool
	Workouts []workoutView
}

func (d calendarDay) class() string {
	switch {
	case d.Out && d.Today:
		return "is-out is-today"
	case d.Out:
		return "is-out"
	case d.Today:
		return "is-today"
	}
	return ""
}

// label is the day for screen readers.
func (d calendarDay) label() string {
	label := d.Date.Format("January 2")
	if d.Today {
		label += ", today"
	}
	return label
}

// tallyPart is one figure of the sentence above the month.
type tallyPart struct {
	Status strength.Status
	Days   int
}

// calendarOf lays out the month with the workouts of its grid. The tally
// counts days inside the month only.
func calendarOf(month, today time.Time, workouts []workoutView) calendarView {
	c := calendarView{Month: month, Previous: turn(month, -1, today), Next: turn(month, 1, today)}
	byDay := map[dbtype.Date][]workoutView{}
	for _, w := range workouts {
		byDay[w.Date] = append(byDay[w.Date], w)
	}
	first, last := strength.CalendarBounds(month)
	for day := first; !day.After(last); day = day.AddDate(0, 0, 1) {
		if day.Weekday() == time.Monday {
			c.Weeks = append(c.Weeks, nil)
		}
		w := len(c.Weeks) - 1
		c.Weeks[w] = append(c.Weeks[w], calendarDay{
			Date: day, Out: day.Month() != month.Month(), Today: day.Equal(today),
			Workouts: byDay[dbtype.Date(strength.FormatDay(day))],
		})
	}
	c.Tally = tally(c.Weeks)
	return c
}

// turn returns the month n away as YYYY-MM, or "" when the calendar does not
// go that far.
func turn(month time.Time, n int, today time.Time) string {
	to := month.AddDate(0, n, 0)
	text := to.Format("2006-01")
	if !strength.CalendarMonth(text, today).Equal(to) {
		return ""
	}
	return text
}

// tally counts the days of the month with at least one workout of a status, in
// the order trained, planned, missed, without zeros.
func tally(weeks [][]calendarDay) []tallyPart {
	days := map[strength.Status]int{}
	for _, week := range weeks {
		for _, d := range week {
			if d.Out {
				continue
			}
			for status := range statusesOf(d) {
				days[status]++
			}
		}
	}
	var parts []tallyPart
	for _, status := range []strength.Status{strength.Performed, strength.Planned, strength.Skipped} {
		if days[status] > 0 {
			parts = append(parts, tallyPart{status, days[status]})
		}
	}
	return parts
}

func statusesOf(d calendarDay) map[strength.Status]bool {
	has := map[strength.Status]bool{}
	for _, w := range d.Workouts {
		has[w.Status] = true
	}
	return has
}

// chipClass and chipIcon are the colour and the shape of a status.
func chipClass(s strength.Status) string { return "chip chip--" + string(statusTone(s)) }

func chipIcon(s strength.Status) string {
	switch s {
	case strength.Performed:
		return "done"
	case strength.Skipped:
		return "missed"
	}
	return "open"
}

// chipHref leads to the session of a workout that is still to be lifted today,
// else to its record.
func chipHref(w workoutView, d calendarDay) string {
	if d.Today && w.Done < w.Sets {
		return w.path() + "/session"
	}
	return w.path()
}
