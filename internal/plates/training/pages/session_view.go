package pages

import (
	"fmt"
	"slices"
	"strconv"

	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// visibleDone is how many done rows of a lift stay in sight above the next
// set; older ones are folded.
const visibleDone = 3

// sessionView is everything the session screen says.
type sessionView struct {
	WorkoutID int64
	Date      dbtype.Date
	Focus     string
	Block     string      // "Block 0, week 2"
	Movements []ui.Option // to swap to
	RPE       int         // of the whole session, 0 = not rated

	Done, Total int
	Bar         []barLift
	Past        []pastLift // finished, folded into one line
	PastSets    int
	Lifts       []liftView // drawn one by one, in lifting order
	Finished    *finishedView
	Refused     *refusedAction
	Acted       *setView // the set last acted on, as it is now
	Says        string   // what the last action changed, for screen readers
}

// refusedAction is an action that changed nothing.
type refusedAction struct {
	Sentence string
	SetID    int64 // 0 = the rating of the session
	Form     web.Form
}

// typed returns what was typed for a set that was refused, else the fallback.
func (v sessionView) typed(set int64, name, fallback string) string {
	if v.refuses(set) {
		return v.Refused.Form.Value(name, fallback)
	}
	return fallback
}

// refuses reports whether the last action was about this set and refused.
func (v sessionView) refuses(set int64) bool { return v.Refused != nil && v.Refused.SetID == set }

// wrong reports whether the field of the set is the one that was refused.
func (v sessionView) wrong(set int64, name string) bool {
	return v.refuses(set) && v.Refused.Form.Error(name) != ""
}

// reopens reports whether the form for other numbers was in use when the
// action was refused: it is drawn open again, with the sentence in it.
func (v sessionView) reopens(set int64) bool {
	if !v.refuses(set) {
		return false
	}
	typed := v.Refused.Form.Values
	return typed.Has("weight") || typed.Has("reps") || typed.Has("duration_seconds")
}

// refusedInRow reports whether a row says what was refused. Warm-ups have no
// form for other numbers, so the sentence of a made-up one stands on top.
func (v sessionView) refusedInRow() bool {
	return v.Acted != nil && !v.Acted.Warmup && v.reopens(v.Acted.ID)
}

// refusesAmong reports whether the refused action was about one of the rows.
func (v sessionView) refusesAmong(rows []rowView) bool {
	for _, r := range rows {
		if v.refuses(r.ID) {
			return true
		}
	}
	return false
}

// focuses reports whether the field is where a refused form is mended: the
// wrong one, or the count when the refusal is about none.
func (v sessionView) focuses(set int64, name string) bool {
	if !v.reopens(set) {
		return false
	}
	if len(v.Refused.Form.Problems()) == 0 {
		return name != "weight"
	}
	return v.Refused.Form.First(name)
}

func (v sessionView) title() string { return web.WeekDay(v.Date) }

// sub is the line under the day: Squat · Block 0, week 2.
func (v sessionView) sub() string {
	if v.Focus != "" && v.Block != "" {
		return v.Focus + " · " + v.Block
	}
	return v.Focus + v.Block
}

func (v sessionView) path() string { return workoutPath(v.WorkoutID) }

// progress is the bar in words.
func (v sessionView) progress() string { return fmt.Sprintf("%d of %d sets", v.Done, v.Total) }

// says tells what the last action changed and how far the session is.
func (v sessionView) says() string {
	said := ""
	switch s := v.Acted; {
	case s == nil && v.RPE > 0:
		said = "Session RPE " + strconv.Itoa(v.RPE) + ". "
	case s == nil:
	case s.differs():
		said = "Done differently: " + s.load() + ", planned " + s.planned() + ". "
	case s.Done:
		said = "Done: " + s.load() + ". "
	default:
		said = "Undone: " + s.load() + ". "
	}
	return said + v.progress() + "."
}

// barLift is the segments of one lift in the progress bar: the classes of one
// mark per set.
type barLift struct{ Segments []string }

// widestLift is the most sets that the stylesheet makes room for in one lift.
const widestLift = 30

func (b barLift) class() string {
	return "prog__lift prog__lift--" + strconv.Itoa(min(len(b.Segments), widestLift))
}

// pastLift is one line about a lift with every set done.
type pastLift struct {
	Name string
	Says string // "170 × 3 on top, one set changed"
	Href string // opens the lift again
}

// liftView is one section of the session: consecutive sets of one exercise.
type liftView struct {
	Anchor string
	Name   string
	Why    string
	Folded bool // name and loads only, until it is opened
	Open   bool // a folded one that is drawn open
	Loads  loads
	Swap   *swapView // nil = nothing of it can be swapped

	Warm       []rowView
	WarmFolded bool
	Older      []rowView // done rows that are folded
	Rows       []rowView
}

// rowView is one set in its lift.
type rowView struct {
	setView
	Next bool
	Cue  string // "Next: set 4 of 4", should it be the next one
	At   int    // place among all sets of the session, from 0
}

// finished reports whether every set of the group is done.
func finished(sets []setView) bool {
	for _, s := range sets {
		if !s.Done {
			return false
		}
	}
	return true
}

// groupLifts cuts the sets, in lifting order, where the exercise changes. The
// same exercise twice with something between gives two groups.
func groupLifts(sets []setView) [][]setView {
	var groups [][]setView
	for i, s := range sets {
		if i == 0 || s.ExerciseID != sets[i-1].ExerciseID {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], s)
	}
	return groups
}

// arrange fills the view from the sets in lifting order. The lift that holds
// the set last acted on stays open even when it is finished.
func (v *sessionView) arrange(sets []setView, lastSet int64) {
	next, from := nextOpen(sets), 0
	v.Total, v.Acted = len(sets), find(sets, lastSet)
	for i, group := range groupLifts(sets) {
		v.Bar = append(v.Bar, barOf(group, next))
		v.Done += countDone(group)
		touched, at := holds(group, lastSet), from
		from += len(group)
		if finished(group) && !touched {
			v.Past = append(v.Past, v.pastOf(i, group))
			v.PastSets += len(group)
			continue
		}
		v.Lifts = append(v.Lifts, liftOf(i, at, group, next, touched))
	}
	if v.Total > 0 && v.Done == v.Total {
		v.Finished = finish(sets)
	}
}

// nextOpen returns the first set that is not done, 0 when all are.
func nextOpen(sets []setView) int64 {
	for _, s := range sets {
		if !s.Done {
			return s.ID
		}
	}
	return 0
}

func countDone(sets []setView) int {
	n := 0
	for _, s := range sets {
		if s.Done {
			n++
		}
	}
	return n
}

// find returns the set of that id, nil when it is not among them.
func find(sets []setView, id int64) *setView {
	for i := range sets {
		if sets[i].ID == id {
			return &sets[i]
		}
	}
	return nil
}

func holds(sets []setView, id int64) bool { return find(sets, id) != nil }

func barOf(sets []setView, next int64) barLift {
	b := barLift{Segments: make([]string, len(sets))}
	for i, s := range sets {
		b.Segments[i] = segment(s, s.ID == next)
	}
	return b
}

// segment is the class of one mark: w half as high for a warm-up, y lime when
// done, nx white when it comes next.
func segment(s setView, next bool) string {
	class := ""
	switch {
	case s.Done:
		class = "y"
	case next:
		class = "nx"
	}
	if s.Warmup && class != "" {
		return "w " + class
	}
	if s.Warmup {
		return "w"
	}
	return class
}

func anchor(lift int) string { return "lift-" + strconv.Itoa(lift+1) }

func (v *sessionView) pastOf(i int, sets []setView) pastLift {
	p := pastLift{Name: sets[0].Exercise, Says: onTop(sets)}
	if n := countChanged(sets); n > 0 {
		p.Says += ", " + changedSets(n) + " changed"
	}
	p.Href = fmt.Sprintf("%s/session?set=%d#%s", v.path(), sets[0].ID, anchor(i))
	return p
}

// onTop is the heaviest set of a lift, or its working sets when there is no
// load on them.
func onTop(sets []setView) string {
	work := working(sets)
	if len(work) == 0 {
		work = sets
	}
	if top := topOf(work); top.Actual.Weight > 0 {
		return top.load() + " on top"
	}
	return loadsOf(work).text()
}

func countChanged(sets []setView) int {
	n := 0
	for _, s := range sets {
		if s.differs() {
			n++
		}
	}
	return n
}

func changedSets(n int) string {
	if n == 1 {
		return "one set"
	}
	return strconv.Itoa(n) + " sets"
}

func liftOf(i, from int, sets []setView, next int64, touched bool) liftView {
	current := holds(sets, next)
	l := liftView{
		Anchor: anchor(i), Name: sets[0].Exercise, Why: reasonOf(sets), Loads: loadsOf(sets), Swap: swapOf(sets),
		Folded: !current && !finished(sets), Open: touched,
	}
	warm, rest := splitWarmups(sets)
	l.Warm = rowsOf(warm, next, from)
	l.WarmFolded = len(warm) > 0 && finished(warm) && countDone(rest) > 0
	l.Rows = rowsOf(rest, next, from+len(warm))
	if older := doneAhead(rest) - visibleDone; older > 0 {
		l.Older, l.Rows = l.Rows[:older], l.Rows[older:]
	}
	if finished(sets) {
		l.closeUp()
	}
	return l
}

// closeUp folds all but the last row of a finished lift into one line, so that
// the next lift, which stands below it, begins on the first screen.
func (l *liftView) closeUp() {
	rows := slices.Concat(l.Warm, l.Older, l.Rows)
	last := len(rows) - 1
	l.Warm, l.WarmFolded = nil, false
	l.Older, l.Rows = rows[:last], rows[last:]
}

// reasonOf returns why the lift has its load.
func reasonOf(sets []setView) string {
	for _, s := range sets {
		if s.Reason != "" {
			return s.Reason
		}
	}
	return ""
}

// splitWarmups takes the warm-ups that open the lift from the rest.
func splitWarmups(sets []setView) (warm, rest []setView) {
	for i, s := range sets {
		if !s.Warmup {
			return sets[:i], sets[i:]
		}
	}
	return sets, nil
}

// doneAhead counts the done sets before the first open one.
func doneAhead(sets []setView) int {
	for i, s := range sets {
		if !s.Done {
			return i
		}
	}
	return len(sets)
}

// rowsOf makes the rows of sets that stand at a place of the session.
func rowsOf(sets []setView, next int64, from int) []rowView {
	rows := make([]rowView, len(sets))
	for i, s := range sets {
		rows[i] = rowView{setView: s, Next: s.ID == next, Cue: cue(sets, i), At: from + i}
	}
	return rows
}

// cue names the next set by its place among the warm-ups or the working sets
// of its lift.
func cue(sets []setView, at int) string {
	word, place, of := "set", 0, 0
	if sets[at].Warmup {
		word = "warm-up"
	}
	for i, s := range sets {
		if s.Warmup != sets[at].Warmup {
			continue
		}
		of++
		if i <= at {
			place++
		}
	}
	return fmt.Sprintf("Next: %s %d of %d", word, place, of)
}

// olderSays is the line over folded done rows.
func olderSays(rows []rowView) string {
	changed := 0
	for _, r := range rows {
		if r.differs() {
			changed++
		}
	}
	says := web.Plural(len(rows), "set") + " done"
	if changed > 0 {
		says += ", " + changedSets(changed) + " changed"
	}
	return says
}

// rowLoads are the loads of rows, for a folded line: 45 95 120 140.
func rowLoads(rows []rowView) string {
	text := ""
	for i, r := range rows {
		if i > 0 {
			text += " "
		}
		if r.Actual.Weight > 0 {
			text += strconv.Itoa(r.Actual.Weight)
		} else {
			text += strconv.Itoa(r.count())
		}
	}
	return text
}
