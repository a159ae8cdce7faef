package pages

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// blockListView is the blocks of a workspace, the latest start first.
type blockListView struct {
	Blocks   []tools.ProgramSummary
	Archived []store.ArchivedProgramsRow
	Zone     *time.Location
	Writes   bool
	Start    string   // the first day that a new block is offered
	Form     web.Form // that was refused
}

// newForm and takeForm give each of the two forms its own refusal.
func (v blockListView) newForm() web.Form {
	if v.Form.Values.Has("document") {
		return web.Form{}
	}
	return v.Form
}

func (v blockListView) takeForm() web.Form {
	if !v.Form.Values.Has("document") {
		return web.Form{}
	}
	return v.Form
}

// blockView is a block as it is written, with what was generated from it.
type blockView struct {
	Program  tools.Program
	Jump     int                      // the smallest change the rack can make, in pounds
	Sessions map[int64]writtenSession // by day
	Refusal  string
	Zone     *time.Location

	Writes    bool                     // the reader may edit
	Movements []string                 // names to choose from
	Ahead     map[int64]tools.Forecast // by lift, of days without a session
	At        place                    // where Form was refused
	Form      web.Form
	SaidAt    place // where what was done is told
}

// writtenSession is a generated workout and what each lift wrote into it.
type writtenSession struct {
	Workout workoutView
	Lifts   map[int64]writtenLift // by lift
}

// writtenLift is the planned working sets of a lift and the reason for them.
type writtenLift struct {
	Sets   []strength.Set
	Reason string
}

// loads tells the sets of a lift but the last: "150 155 160".
func (l writtenLift) loads() string {
	var parts []string
	for _, s := range l.Sets[:max(0, len(l.Sets)-1)] {
		parts = append(parts, strconv.Itoa(s.Weight))
	}
	return strings.Join(parts, " ")
}

// weighted reports whether the loads can be told as numbers.
func (l writtenLift) weighted() bool { return len(l.Sets) > 0 && l.Sets[0].Weight > 0 }

func (l writtenLift) top() strength.Set { return l.Sets[len(l.Sets)-1] }

// count is "× 3" or "× 30s".
func (l writtenLift) count() string {
	if s := l.top(); s.Seconds > 0 {
		return fmt.Sprintf("× %ds", s.Seconds)
	}
	return fmt.Sprintf("× %d", l.top().Reps)
}

// weeksFrom is "4 weeks · from Mar 2, 2026".
func weeksFrom(p tools.ProgramSummary) string {
	return web.Plural(p.WeekCount, "week") + " · from " + fullDay(p.StartDate)
}

// fullDay is "Mar 2, 2026".
func fullDay(d dbtype.Date) string { return d.Time().Format("Jan 2, 2006") }

// span is the first and the last day of a week: "Mar 2 to Mar 8".
func span(w tools.Week) string {
	return w.StartDate.Time().Format("Jan 2") + " to " + w.StartDate.AddDays(6).Time().Format("Jan 2")
}

func weekTitle(w tools.Week) string {
	title := "Week " + strconv.FormatInt(w.Number, 10)
	if w.IsDeload {
		title += " (deload)"
	}
	return title
}

func dayTitle(d tools.Day) string {
	if d.Focus == nil {
		return d.WeekdayName
	}
	return d.WeekdayName + " — " + *d.Focus
}

// prescription is "4 × 5" or "3 × 30s".
func prescription(l tools.Lift) string {
	if l.Reps != nil {
		return fmt.Sprintf("%d × %d", l.Sets, *l.Reps)
	}
	if l.DurationSeconds == nil {
		return strconv.FormatInt(l.Sets, 10)
	}
	return fmt.Sprintf("%d × %ds", l.Sets, *l.DurationSeconds)
}

// price is what a lift starts from: pounds, a percentage or no load.
func price(l tools.Lift) string {
	switch {
	case l.TopWeight != nil:
		return strconv.FormatInt(*l.TopWeight, 10) + " lb"
	case l.PercentOfMax != nil:
		return strconv.FormatInt(*l.PercentOfMax, 10) + " %"
	}
	return "no load"
}

// generated reports whether every day of a week has its workout.
func (v blockView) generated(w tools.Week) bool {
	for _, d := range w.Days {
		if d.WorkoutID == nil {
			return false
		}
	}
	return len(w.Days) > 0
}

// trained reports whether something was lifted in every session of a week.
func (v blockView) trained(w tools.Week) bool {
	for _, d := range w.Days {
		if v.Sessions[d.ID].Workout.Status != strength.Performed {
			return false
		}
	}
	return len(w.Days) > 0
}

// weekTone and weekWord say what a generated week became.
func (v blockView) weekTone(w tools.Week) ui.Tone {
	if v.trained(w) {
		return ui.Done
	}
	return ui.Planned
}

func (v blockView) weekWord(w tools.Week) string {
	if v.trained(w) {
		return "trained"
	}
	return "generated"
}

// liftColumns are the columns of a day. Until its session is generated a phone
// shows where each lift starts; afterwards it shows what was written, with the
// prescription under the name.
func liftColumns(generated bool) []ui.Column {
	columns := []ui.Column{{Title: "Exercise"}, {Title: "Sets × reps", Wide: generated}, {Title: "Starts at", Wide: generated}, {Title: "Rule", Wide: true}}
	if generated {
		columns = append(columns, ui.Column{Title: "Writes"})
	}
	return columns
}

// expected is what a lift without a session will write when all goes as
// planned. The reason tells that it stands on sessions to come.
func expected(f tools.Forecast) writtenLift {
	reason := f.Generated.Reason
	if _, price, met := strings.Cut(reason, " met: "); met {
		reason = "if met: " + price
	}
	return writtenLift{Sets: f.Generated.Working, Reason: reason}
}
