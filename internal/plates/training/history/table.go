package history

import (
	"fmt"
	"slices"
	"strings"

	"tectonic/internal/plates/training/strength"
)

// The roles of columns. A table of our own has them as the names of its
// columns.
const (
	roleDate     = "date"
	roleTitle    = "workout"
	roleExercise = "exercise"
	roleKind     = "type" // of the set: warm-up, drop set, to failure
	roleWeight   = "weight"
	roleUnit     = "unit"
	roleReps     = "reps"
	roleSeconds  = "seconds"
	roleDistance = "distance"
	roleRPE      = "rpe"
	roleNote     = "note"
	roleAbout    = "workout_notes"
)

// Roles returns what a column of a table can hold, in the order of a form.
func Roles() []string {
	return []string{roleDate, roleTitle, roleExercise, roleKind, roleWeight, roleUnit, roleReps, roleSeconds, roleRPE, roleNote, roleAbout}
}

// dialect is how an app names its columns: in lower case, without what stands
// in brackets behind.
type dialect struct {
	format Format
	needs  []string // the columns that tell the app
	roles  map[string][]string
}

var dialects = []dialect{
	{Strong, []string{"date", "workout name", "exercise name", "set order"}, map[string][]string{
		roleDate: {"date"}, roleTitle: {"workout name"}, roleExercise: {"exercise name"}, roleKind: {"set order"}, roleWeight: {"weight"}, roleUnit: {"weight unit"},
		roleReps: {"reps"}, roleSeconds: {"seconds"}, roleDistance: {"distance"}, roleRPE: {"rpe"}, roleNote: {"notes"}, roleAbout: {"workout notes"},
	}},
	{Hevy, []string{"title", "start_time", "exercise_title"}, map[string][]string{
		roleDate: {"start_time"}, roleTitle: {"title"}, roleExercise: {"exercise_title"}, roleKind: {"set_type"}, roleWeight: {"weight_kg", "weight_lbs", "weight_lb"},
		roleReps: {"reps"}, roleSeconds: {"duration_seconds"}, roleDistance: {"distance_km", "distance_miles", "distance_meters"}, roleRPE: {"rpe"}, roleNote: {"exercise_notes"}, roleAbout: {"description"},
	}},
	{FitNotes, []string{"date", "exercise", "category"}, map[string][]string{
		roleDate: {"date"}, roleExercise: {"exercise"}, roleWeight: {"weight"}, roleUnit: {"weight unit"},
		roleReps: {"reps"}, roleSeconds: {"time"}, roleDistance: {"distance"}, roleNote: {"comment", "notes"},
	}},
	{CSV, []string{"date", "exercise", "reps"}, map[string][]string{
		roleDate: {"date"}, roleTitle: {roleTitle, "workout name"}, roleExercise: {"exercise"}, roleKind: {roleKind}, roleWeight: {"weight"}, roleUnit: {"unit", "weight unit"},
		roleReps: {"reps"}, roleSeconds: {"seconds"}, roleDistance: {"distance"}, roleRPE: {"rpe"}, roleNote: {"note", "notes"}, roleAbout: {roleAbout},
	}},
}

// table is a file whose columns are known.
type table struct {
	File
	at map[string]int // the column of a role
}

// table finds the columns of a header.
func (f File) table(names []string) (table, error) {
	t := table{File: f, at: map[string]int{}}
	keys, units := make([]string, len(names)), make([]string, len(names))
	for i, n := range names {
		keys[i], units[i] = column(n)
	}
	d, err := t.dialect(keys)
	if err != nil {
		return t, err
	}
	t.Format = d.format
	for role, list := range d.roles {
		for _, name := range list {
			if i := slices.Index(keys, name); i >= 0 {
				t.at[role] = i
				break
			}
		}
	}
	if err := t.chosen(names); err != nil {
		return t, err
	}
	for _, role := range []string{roleDate, roleExercise} {
		if _, ok := t.at[role]; !ok {
			return t, ErrColumn(role)
		}
	}
	return t, t.unit(units)
}

// dialect returns the app that the columns belong to, or the one that was
// named.
func (t table) dialect(keys []string) (dialect, error) {
	for _, d := range dialects {
		if t.Format == d.format || t.Format == "" && hasAll(keys, d.needs) {
			return d, nil
		}
	}
	if len(t.Columns) > 0 {
		return dialect{format: CSV}, nil
	}
	return dialect{}, ErrUnknown
}

func hasAll(keys, needs []string) bool {
	for _, n := range needs {
		if !slices.Contains(keys, n) {
			return false
		}
	}
	return true
}

// chosen puts the columns that somebody named in the place of the usual ones.
func (t table) chosen(names []string) error {
	for role, name := range t.Columns {
		if name == "" {
			continue
		}
		i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, strings.TrimSpace(name)) })
		if i < 0 {
			return ErrColumn(name)
		}
		t.at[role] = i
	}
	return nil
}

// unit settles what weights are in, unless each line says it.
func (t *table) unit(units []string) error {
	if _, each := t.at[roleUnit]; each {
		return nil
	}
	i, weighted := t.at[roleWeight]
	if !weighted {
		return nil
	}
	if units[i] != "" {
		t.Unit = units[i]
	}
	if t.Unit == "" {
		return ErrNoUnit
	}
	return nil
}

// column splits "Weight (kg)" and "weight_lbs" into the name and the unit.
func column(name string) (key, unit string) {
	key = strings.ToLower(strings.TrimSpace(name))
	if before, behind, ok := strings.Cut(key, "("); ok {
		return strings.TrimSpace(before), unitOf(strings.Trim(behind, ") "))
	}
	if _, behind, ok := strings.Cut(key, "weight_"); ok {
		unit = unitOf(behind)
	}
	return key, unit
}

// unitOf reads the name of a unit of weight, "" when it is none.
func unitOf(name string) string {
	switch strings.ToLower(strings.Trim(name, " .")) {
	case "kg", "kgs", "kilogram", "kilograms":
		return "kg"
	case "lb", "lbs", "pound", "pounds":
		return "lb"
	}
	return ""
}

func (t table) cell(cells []string, role string) string {
	i, ok := t.at[role]
	if !ok || i >= len(cells) {
		return ""
	}
	return text(cells[i])
}

// line hands one line on, or rejects it.
func (t table) line(line int, cells []string, into *Reader) error {
	kind := strings.ToLower(t.cell(cells, roleKind))
	if kind == "rest timer" || kind == "note" {
		into.Skipped++
		return nil
	}
	s, why := t.set(line, cells, kind)
	if why != "" {
		into.Reject(line, why)
		return nil
	}
	into.number(&s, t.Format)
	into.keepNoteOnce(&s, t.cell(cells, roleNote))
	return into.Add(s)
}

// keepNoteOnce leaves a note out that the app repeats on every set of a
// movement.
func (into *Reader) keepNoteOnce(s *Set, note string) {
	place := s.WorkoutKey + s.Exercise
	if note == "" || into.last.place == place && into.last.note == note {
		return
	}
	into.last.place, into.last.note = place, note
	s.Note = clip(strings.TrimSpace(s.Note+"\n"+note), longestNote)
}

// set reads the cells of a line, or says why they are no set.
func (t table) set(line int, cells []string, kind string) (s Set, why string) {
	s = Set{
		Line: line, Title: clip(t.cell(cells, roleTitle), 200), About: t.cell(cells, roleAbout),
		Exercise: strings.Join(strings.Fields(t.cell(cells, roleExercise)), " "),
	}
	if s.Exercise == "" {
		return s, "the line names no movement"
	}
	if len([]rune(s.Exercise)) > strength.MaxName {
		return s, fmt.Sprintf("the name of the movement is longer than %d characters", strength.MaxName)
	}
	if s.Start, why = t.moment(t.cell(cells, roleDate)); why != "" {
		return s, why
	}
	if why = t.count(cells, &s); why != "" {
		return s, why
	}
	if why = t.load(cells, &s); why != "" {
		return s, why
	}
	s.RPE = effort(t.cell(cells, roleRPE))
	s.Warmup = kind == "w" || kind == "warmup" || kind == "warm-up" || kind == "warm up"
	switch kind {
	case "d", "dropset", "drop set", "drop":
		s.Note = strings.TrimSpace(s.Note + "\nDrop set")
	case "f", "failure":
		s.Note = strings.TrimSpace(s.Note + "\nTo failure")
	}
	return s, ""
}

// count reads the repetitions, or else the seconds.
func (t table) count(cells []string, s *Set) (why string) {
	reps, ok := whole(t.cell(cells, roleReps))
	if !ok {
		return fmt.Sprintf("%.40q is no number of reps", t.cell(cells, roleReps))
	}
	if reps != 0 {
		s.Reps = reps
		if reps < 1 || reps > strength.RepsRange.High {
			return fmt.Sprintf("%d reps are out of range; use 1-%d", reps, strength.RepsRange.High)
		}
		return ""
	}
	seconds, ok := duration(t.cell(cells, roleSeconds))
	switch {
	case !ok:
		return fmt.Sprintf("%.40q is no time", t.cell(cells, roleSeconds))
	case seconds == 0:
		if far, ok := decimal(t.cell(cells, roleDistance)); ok && far != nil && far.Sign() > 0 {
			return "the line has only a distance, which is not kept"
		}
		return "the line has neither reps nor a time"
	case seconds < 1 || seconds > strength.DurationRange.High:
		return fmt.Sprintf("%d seconds are out of range; use 1-%d", seconds, strength.DurationRange.High)
	}
	s.Seconds = seconds
	return ""
}

// load reads the weight.
func (t table) load(cells []string, s *Set) (why string) {
	written := t.cell(cells, roleWeight)
	amount, inside, _ := strings.Cut(strings.ReplaceAll(written, "\u00a0", " "), " ")
	v, ok := decimal(amount)
	if !ok {
		return fmt.Sprintf("%.40q is no weight", written)
	}
	if v == nil || v.Sign() == 0 {
		return ""
	}
	unit := unitOf(inside)
	if _, each := t.at[roleUnit]; each && unit == "" {
		if unit = unitOf(t.cell(cells, roleUnit)); unit == "" && t.cell(cells, roleUnit) != "" {
			return fmt.Sprintf("%.40q is no unit of weight", t.cell(cells, roleUnit))
		}
	}
	if unit == "" {
		unit = t.Unit
	}
	if unit == "" {
		return "the line does not say kg or lb"
	}
	s.Written = strings.TrimPrefix(amount, "-") + " " + unit
	if v.Sign() < 0 { // an assisted movement: the machine takes weight away
		s.Note, s.Written = "Assisted by "+s.Written, ""
		return ""
	}
	pounds, exact := poundsOf(v, unit)
	s.Changed = unit == "kg" || !exact
	if pounds == 0 {
		s.Written, s.Changed = "", false
		return ""
	}
	if pounds > strength.WeightRange.High {
		return fmt.Sprintf("weight %s is out of range; use 1-%d lb", s.Written, strength.WeightRange.High)
	}
	s.Weight = pounds
	return ""
}
