package pages

import (
	"strconv"
	"time"

	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// workoutView is a workout without its sets.
type workoutView struct {
	ID        int64
	Date      dbtype.Date
	Status    strength.Status
	Sets      int
	Done      int // completed sets, warm-ups included
	RPE       int
	Notes     string
	Focus     string // of the day it was generated from
	ProgramID int64  // 0 = logged by hand
	Block     string
	Week      int
	By        string // the client that made it, "" for a person
	At        time.Time
}

// lifted reports whether any set of it was done.
func (w workoutView) lifted() bool { return w.Done > 0 }

// complete reports whether it has sets and all of them are done.
func (w workoutView) complete() bool { return w.Sets > 0 && w.Done == w.Sets }

func (w workoutView) path() string { return workoutPath(w.ID) }

// blockWeek is "Block 0, week 2", or "" for a workout logged by hand.
func (w workoutView) blockWeek() string {
	if w.ProgramID == 0 {
		return ""
	}
	return w.Block + ", week " + strconv.Itoa(w.Week)
}

// provenance is the line about a row that a client made; people's own rows
// have none.
func provenance(by string, at time.Time, zone *time.Location) string {
	if by == "" {
		return ""
	}
	if zone == nil {
		zone = time.UTC
	}
	return "Created by " + by + " on " + at.In(zone).Format("Jan 2, 2006")
}

// recordView is one workout with everything in it.
type recordView struct {
	workoutView
	Zone   *time.Location
	Lifts  []recordLift
	Volume strength.Volume
	Newer  *neighbour
	Older  *neighbour
	Way    *wayOn
	Place  string // "Workout 38 of 38, latest first"

	Refusal string // what was not done, "" = nothing
}

// firstThing is how the button for another set stands on a finished record: it
// is what to do first, unless the block goes on with a week to generate.
func (v recordView) firstThing() ui.Variant {
	if v.Way != nil && v.Way.Week > 0 {
		return ui.Outline
	}
	return ui.Go
}

// neighbour is the workout before or after in the history.
type neighbour struct {
	ID   int64
	Date dbtype.Date
}

func (n neighbour) day() string { return shortDay(n.Date) }

// shortDay writes a day as "Mar 2".
func shortDay(d dbtype.Date) string {
	t, err := strength.ParseDay(string(d))
	if err != nil {
		return string(d)
	}
	return t.Format("Jan 2")
}

// recordLift is every set of one exercise, which stands where it first
// appeared.
type recordLift struct {
	ExerciseID int64
	Name       string
	Why        string
	Sets       []setView
}

// countHead is the head of the column of counts.
func (l recordLift) countHead() string {
	timed := 0
	for _, s := range l.Sets {
		if s.timed() {
			timed++
		}
	}
	switch timed {
	case 0:
		return "Reps"
	case len(l.Sets):
		return "Seconds"
	}
	return "Count"
}

// recordLifts groups the sets by exercise in order of first appearance.
func recordLifts(sets []setView) []recordLift {
	var lifts []recordLift
	at := map[int64]int{}
	for _, s := range sets {
		i, seen := at[s.ExerciseID]
		if !seen {
			i = len(lifts)
			at[s.ExerciseID] = i
			lifts = append(lifts, recordLift{ExerciseID: s.ExerciseID, Name: s.Exercise})
		}
		if lifts[i].Why == "" {
			lifts[i].Why = s.Reason
		}
		lifts[i].Sets = append(lifts[i].Sets, s)
	}
	return lifts
}

// sub is the line under the day of a record.
func (v recordView) sub() []textPart {
	var parts []textPart
	if v.Focus != "" {
		parts = append(parts, words(v.Focus))
	}
	if v.ProgramID != 0 {
		if len(parts) > 0 {
			parts = append(parts, words(", "))
		}
		parts = append(parts, textPart{Text: v.Block, Href: "/programs/" + strconv.FormatInt(v.ProgramID, 10)}, words(" week "+strconv.Itoa(v.Week)))
	}
	if len(parts) > 0 {
		parts = append(parts, words(". "))
	}
	if line := provenance(v.By, v.At, v.Zone); line != "" {
		parts = append(parts, words(line+"."))
	}
	return parts
}

func (v recordView) figures() []ui.Figure {
	list := []ui.Figure{
		{Term: "Sets done", Value: strconv.Itoa(v.Done), Unit: "of " + strconv.Itoa(v.Sets)},
		{Term: "Tonnage", Value: web.Count(v.Volume.Tonnage), Unit: "lb"},
		{Term: "Working reps", Value: web.Count(v.Volume.Reps)},
	}
	if v.Volume.Seconds > 0 && v.Volume.Reps == 0 {
		list[2] = ui.Figure{Term: "Seconds held", Value: web.Count(v.Volume.Seconds)}
	}
	return append(list, ui.Figure{Term: "Session RPE", Value: rated(v.RPE)})
}

// rated is a rating as text, a dash for none.
func rated(rpe int) string {
	if rpe == 0 {
		return "—"
	}
	return strconv.Itoa(rpe)
}

// statusTone is the colour family of a status.
func statusTone(s strength.Status) ui.Tone {
	switch s {
	case strength.Performed:
		return ui.Done
	case strength.Skipped:
		return ui.Missed
	}
	return ui.Planned
}
