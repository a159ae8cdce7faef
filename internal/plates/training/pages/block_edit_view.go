package pages

import (
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"tectonic/internal/plates/training/strength"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// form returns what was refused at the place, an empty form elsewhere.
func (v blockView) form(at place) web.Form {
	if v.At == at {
		return v.Form
	}
	return web.Form{}
}

// opens reports whether the place stands open: something was refused there.
func (v blockView) opens(at place) bool { return v.At == at && v.Form.Refusal != nil }

// says reports whether what was done is told at the place.
func (v blockView) says(at ...place) bool {
	for _, a := range at {
		if v.SaidAt == a {
			return true
		}
	}
	return false
}

// saidIn reports whether what was done is told in a day: at it or at one of
// its lifts.
func (v blockView) saidIn(d tools.Day) bool {
	for _, l := range d.Lifts {
		if v.says(atLift(l.ID)) {
			return true
		}
	}
	return v.says(atDay(d.ID))
}

// saidBelow reports whether what was done is told further down the page.
func (v blockView) saidBelow() bool {
	for _, w := range v.Program.Weeks {
		if v.says(atWeek(w.Number)) {
			return true
		}
		for _, d := range w.Days {
			if v.saidIn(d) {
				return true
			}
		}
	}
	return false
}

// liftRowView is a row of the editor: a lift, or the empty row of a day.
type liftRowView struct {
	Lift        tools.Lift // ID 0 = the empty row
	At          place
	Form        web.Form
	First, Last bool
	Generated   bool
	Written     writtenLift
	Ahead       tools.Forecast
	Day         int64 // of the empty row
	DayTitle    string
}

// edInput is a field in a cell.
type edInput struct {
	Name, Label, Value string
	Class, Placeholder string
	List               string
	Max                int
	Numeric            bool
}

func (r liftRowView) isNew() bool           { return r.Lift.ID == 0 }
func (r liftRowView) id(name string) string { return string(r.At) + "-" + name }
func (r liftRowView) formID() string        { return string(r.At) + "-form" }

func (r liftRowView) action(block int64) templ.SafeURL {
	path := blockPath(block) + "/lifts"
	if !r.isNew() {
		path += "/" + strconv.FormatInt(r.Lift.ID, 10)
	}
	return templ.SafeURL(path)
}

func (r liftRowView) name() string {
	if r.isNew() {
		return "the new lift"
	}
	return r.Lift.Exercise
}

func (r liftRowView) sets() string {
	if r.isNew() {
		return "3"
	}
	return strconv.FormatInt(r.Lift.Sets, 10)
}

// rule is the chosen rule.
func (r liftRowView) rule() string {
	rule := text(r.Lift.Progression)
	if rule == "linear" && r.Lift.RepsTo != nil {
		rule = doubleRule
	}
	return r.Form.Value("progression", rule)
}

// problem is everything that is wrong with the row, in one line.
func (r liftRowView) problem() string {
	if r.Form.Refusal == nil {
		return ""
	}
	return r.Form.Refusal.Sentence()
}

// focuses reports whether the page opens at the field: at what was refused, so
// that it is in sight on a phone, and at the name of a lift that was refused as
// a whole.
func (r liftRowView) focuses(name string) bool {
	if refusal := r.Form.Refusal; refusal == nil || len(refusal.Fields) > 0 {
		return r.Form.First(name)
	}
	return name == "exercise"
}

// opens reports whether the further fields stand open: one of them was refused
// or the row is new and has been filled in.
func (r liftRowView) opens() bool {
	if r.Form.Refusal == nil {
		return false
	}
	for _, name := range []string{"duration_seconds", "reps_to", "step_up", "step_down", "rest_seconds", "warmup_rest_seconds", "note"} {
		if r.Form.Error(name) != "" || strings.TrimSpace(r.Form.Value(name, "")) != "" {
			return true
		}
	}
	return false
}

// field and box give a further field the form of the row.
func (r liftRowView) field(p ui.FieldProps) ui.FieldProps {
	p.ID, p.Attrs = r.id(p.Name), templ.Attributes{"form": r.formID(), "autocomplete": "off"}
	return r.Form.Field(p)
}

func (r liftRowView) box(p ui.CheckboxProps) ui.CheckboxProps {
	p.ID, p.Attrs = r.id(p.Name), templ.Attributes{"form": r.formID()}
	return r.Form.Checkbox(p)
}

// extras says in a line what the further fields hold.
func (r liftRowView) extras() string {
	var said []string
	add := func(n *int64, before, after string) {
		if n != nil {
			said = append(said, before+strconv.FormatInt(*n, 10)+after)
		}
	}
	l := r.Lift
	add(l.DurationSeconds, "", " s each")
	add(l.RepsTo, "up to ", " reps")
	add(l.StepUp, "up by ", "")
	add(l.StepDown, "down by ", "")
	if l.RestSeconds != nil {
		said = append(said, "rest "+clock(*l.RestSeconds))
	}
	if l.IsPerSide {
		said = append(said, "per side")
	}
	if l.StartsHere {
		said = append(said, "starts again here")
	}
	if text(l.Note) != "" {
		said = append(said, "note")
	}
	return strings.Join(said, " · ")
}

// clock is seconds as minutes: "2:30".
func clock(seconds int64) string {
	return (time.Time{}).Add(time.Duration(seconds) * time.Second).Format("4:05")
}

func numberText(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

func preferredReps() []ui.Option {
	options := []ui.Option{{Value: "", Text: "the reps written"}}
	for n := strength.PreferredRepsRange.Low; n <= strength.PreferredRepsRange.High; n++ {
		options = append(options, ui.Option{Value: strconv.Itoa(n), Text: web.Plural(n, "rep")})
	}
	return options
}

func ruleOptions() []ui.Option {
	return []ui.Option{
		{Value: "", Text: "usual"},
		{Value: "linear", Text: "linear"},
		{Value: "strikes", Text: "strikes"},
		{Value: "fixed", Text: "fixed"},
		{Value: "percent", Text: "percent"},
		{Value: doubleRule, Text: "fill the range"},
	}
}

// weekdayOptions are the choices of a day, from Monday.
func weekdayOptions() []ui.Option {
	var options []ui.Option
	for i := range 7 {
		day := time.Weekday((i + 1) % 7)
		options = append(options, ui.Option{Value: strconv.Itoa(int(day)), Text: day.String()})
	}
	return options
}

// nextWeekday is a day of the week that is still free, two days after the last.
func nextWeekday(w tools.Week) string {
	if len(w.Days) == 0 {
		return strconv.Itoa(int(time.Monday))
	}
	return strconv.FormatInt((w.Days[len(w.Days)-1].Weekday+2)%7, 10)
}
