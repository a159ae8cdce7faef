package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/a-h/templ"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/strength"
)

// A session goes on without a network: the script of the page draws what was
// pressed, and sends it later with what the row said at that time, so that
// nothing is written over a change that was made elsewhere meanwhile.

// What an answer says to the script besides the screen.
const (
	refusalHeader = "X-Tectonic-Refusal" // why nothing was changed, percent-encoded
	seenHeader    = "X-Tectonic-Seen"    // what the set is now, as seen says it
)

// templateSet stands in the templates of rows; the script puts the id of the
// real set in its place.
const templateSet = 999999999

func templateRow(v sessionView) rowView {
	return rowView{setView: setView{ID: templateSet, WorkoutID: v.WorkoutID, Actual: strength.Set{Weight: 1, Reps: 1}}, Cue: "Next"}
}

// nextID and doneID are the ids of the next row and its button, which a
// template must not take from them.
func (r rowView) nextID() string {
	if r.ID == templateSet {
		return "row-of-next"
	}
	return "next"
}

func (r rowView) doneID() string {
	if r.ID == templateSet {
		return "button-of-next"
	}
	return "done"
}

// seenForm is the state of a set in a form that two moments can be compared
// by.
const seenForm = "%t.%d.%d.%d.%d.%d"

func (s setView) seen() string {
	return fmt.Sprintf(seenForm, s.Done, s.Actual.Weight, s.Actual.Reps, s.Actual.Seconds, s.RPE, s.ExerciseID)
}

// asSeen is the set in the state that a row once showed.
func asSeen(s setView, seen string) (setView, error) {
	_, err := fmt.Sscanf(seen, seenForm, &s.Done, &s.Actual.Weight, &s.Actual.Reps, &s.Actual.Seconds, &s.RPE, &s.ExerciseID)
	return s, err
}

// rowFacts is what the script must know about a row to draw it anew.
func rowFacts(r rowView) templ.Attributes {
	facts := templ.Attributes{
		"data-set": strconv.FormatInt(r.ID, 10), "data-at": strconv.Itoa(r.At), "data-seen": r.seen(),
		"data-done": oneOrZero(r.Done), "data-load": r.load(), "data-cue": r.Cue,
	}
	if r.Warmup {
		facts["data-warm"] = "1"
	}
	if r.Rest > 0 {
		facts["data-rest"] = strconv.Itoa(r.Rest)
	}
	return facts
}

func oneOrZero(is bool) string {
	if is {
		return "1"
	}
	return "0"
}

// overtaken refuses a change that waited on a device while the set was changed
// elsewhere. One that the set already says is no conflict: it has arrived.
func overtaken(set setView, args map[string]any, form url.Values) error {
	seen := form.Get("seen")
	if seen == "" || seen == set.seen() {
		return nil
	}
	was, err := asSeen(set, seen)
	if err != nil {
		return fault.BadArgument("The form did not say what the set was, so nothing was changed. Reload the page.")
	}
	if outcome(was, args).seen() == set.seen() {
		return nil
	}
	now := "not done"
	if set.Done {
		now = "done"
	}
	if set.Done && set.RPE > 0 {
		now += fmt.Sprintf(" at RPE %d", set.RPE)
	}
	return fault.Clash("It was changed elsewhere meanwhile: %s %s is %s.", set.Exercise, set.load(), now)
}

// outcome is what the arguments of complete_set make of a set.
func outcome(s setView, args map[string]any) setView {
	s.Done = true
	for name, field := range map[string]*int{"weight": &s.Actual.Weight, "reps": &s.Actual.Reps, "duration_seconds": &s.Actual.Seconds, "rpe": &s.RPE} {
		if n, ok := args[name].(float64); ok {
			*field = int(n)
		}
	}
	if done, ok := args["completed"].(bool); ok {
		s.Done = done
	}
	return s
}

// tellScript says in headers what the script keeps of an answer.
func tellScript(w http.ResponseWriter, v sessionView) {
	if v.Refused != nil {
		w.Header().Set(refusalHeader, url.PathEscape(v.Refused.Sentence))
	}
	if v.Acted != nil {
		w.Header().Set(seenHeader, v.Acted.seen())
	}
}
