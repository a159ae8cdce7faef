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

// goalsView is what is aimed at, and what was.
type goalsView struct {
	Today     time.Time
	Zone      *time.Location
	Active    []goalStanding
	Former    []store.FormerGoalsRow
	Movements []store.ExerciseRow
	Blocks    []store.ProgramsRow
	Writes    bool
	Form      web.Form
	Start     goalStart // what the form begins with
}

// goalStanding is an active goal with where its lift stands.
type goalStanding struct {
	store.ActiveGoalsRow
	Block  string                   // "" = for the lift as such
	Basis  *store.Basis             // of the estimated max; nil = not readable
	Best   *store.HeaviestAtRepsRow // for at least the reps of the goal
	Lifted dbtype.Date              // when the goal was lifted first, "" = not yet
}

// goalStart is what the form is filled with before anything is typed.
type goalStart struct{ Exercise, Weight, Reps, Date, Note string }

// prefill opens the form for a movement, with the goal that it has.
func (v *goalsView) prefill(goals store.Goals, lift int64) {
	v.Start.Reps = "1"
	for _, m := range v.Movements {
		if m.ID == lift {
			v.Start.Exercise = m.Name
		}
	}
	if g := goals.For(lift, 0); g != nil {
		v.Start = goalStart{g.Exercise, strconv.FormatInt(g.TargetWeight, 10), strconv.FormatInt(g.TargetReps, 10), string(g.TargetDate), text(g.Note)}
	}
}

func (v goalsView) blockName(id *int64) string {
	for _, b := range v.Blocks {
		if id != nil && b.ID == *id {
			return b.Name
		}
	}
	return ""
}

func (v goalsView) blockOptions() []ui.Option {
	list := []ui.Option{{Text: "The lift as such"}}
	for _, b := range v.Blocks {
		list = append(list, ui.Option{Value: strconv.FormatInt(b.ID, 10), Text: b.Name})
	}
	return list
}

// names are the movements that a goal can be set for: those with a load.
func (v goalsView) names() []string {
	var list []string
	for _, m := range v.Movements {
		if m.DefaultIsWeighted {
			list = append(list, m.Name)
		}
	}
	return list
}

// aim is a weight with its reps: "225 × 1".
func aim(weight, reps int64) string {
	return strength.LoadLabel(strength.Set{Weight: int(weight), Reps: int(reps)}, false)
}

func (g goalStanding) where() string {
	if g.Block == "" {
		return ""
	}
	return "in " + g.Block
}

// due says until when, and how long that is.
func (g goalStanding) due(today time.Time) string {
	if g.TargetDate == "" {
		return "no date"
	}
	return "by " + web.Day(g.TargetDate) + ", " + left(store.Day(g.TargetDate), today)
}

// left is how far a day is away: "16 weeks left", "3 days left", "passed".
func left(day, today time.Time) string {
	days := int(day.Sub(today) / (24 * time.Hour))
	switch {
	case days < 0:
		return "the day has passed"
	case days < 14:
		return web.Plural(days, "day") + " left"
	}
	return web.Plural(days/7, "week") + " left"
}

// best is the heaviest set for the reps of the goal.
func (g goalStanding) best() string {
	if g.Best == nil {
		return fmt.Sprintf("no set of %d or more reps yet", g.TargetReps)
	}
	return aim(int64(store.Number(g.Best.Weight)), int64(store.Number(g.Best.Reps))) + " on " + web.Day(g.Best.Date)
}

// max is the estimated max with the set that it comes from.
func (g goalStanding) max() (weight, from string) {
	if g.Basis == nil {
		return "", "not yet readable: it needs a completed set of 1 to 5 reps"
	}
	return web.Count(g.Basis.Best), basisText(*g.Basis) + " on " + web.Day(g.Basis.Set.Date)
}

// toGo is how far the estimate is from a goal of one rep, 0 when that says
// nothing.
func (g goalStanding) toGo() int64 {
	if g.Basis == nil || g.TargetReps != 1 {
		return 0
	}
	return max(0, g.TargetWeight-int64(g.Basis.Best))
}

// ended tells what became of a former goal.
func (v goalsView) ended(g store.FormerGoalsRow) string {
	word := "Cleared"
	if g.Replaced > 0 {
		word = "Replaced"
	}
	return word + " " + web.Day(localDay(g.SupersededAt.Time, v.Zone))
}

// formerDetail says when a former goal was set, by which program, and until
// when it was meant.
func (v goalsView) formerDetail(g store.FormerGoalsRow) string {
	out := "Set " + web.Day(localDay(g.CreatedAt.Time, v.Zone))
	if g.ClientName != nil {
		out += " by " + *g.ClientName
	}
	if g.TargetDate != "" {
		out += ", meant for " + web.Day(g.TargetDate)
	}
	if g.Program != nil {
		out += ", in " + *g.Program
	}
	return out + "."
}
