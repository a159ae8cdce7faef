package pages

import (
	"strconv"
	"strings"
	"time"

	"tectonic/internal/plates/training/strength"
)

// setView is one set as the pages show it.
type setView struct {
	ID         int64
	WorkoutID  int64
	ExerciseID int64
	Exercise   string
	Actual     strength.Set
	Plan       strength.Set // zero: never planned
	PerSide    bool         // the count is per side
	Warmup     bool
	Done       bool
	Barbell    bool
	RPE        int          // 0 = not rated
	Lift       int64        // the lift of the plan that wrote it, 0 = none
	Rest       int          // seconds that the plan gives after it, 0 = it names none
	InsteadOf  string       // the movement of the plan, when another is done today
	Replaced   strength.Set // what was written for that one
	Reason     string       // why the lift has this load; on its first working set
	Note       string
	Plates     []strength.PlateCount // of one side; nil = none to show
	By         string                // the client that wrote it, "" for a person
	At         time.Time
}

// state is the row's class: open, done or changed.
func (s setView) state() string {
	switch strength.RowStateOf(s.Done, s.Plan, s.Actual) {
	case strength.Changed:
		return "changed"
	case strength.AsPlanned:
		return "done"
	}
	return "open"
}

// differs reports whether the set was done otherwise than written.
func (s setView) differs() bool { return s.state() == "changed" }

// strays reports whether the set has other numbers than those written for it,
// lifted or not.
func (s setView) strays() bool {
	return strength.RowStateOf(true, s.Plan, s.Actual) == strength.Changed
}

// load is the set in words: 155 × 3.
func (s setView) load() string { return strength.LoadLabel(s.Actual, s.PerSide) }

// planned is the prescription in words.
func (s setView) planned() string { return strength.LoadLabel(s.Plan, s.PerSide) }

// replaced is what was written for the movement of the plan, in words.
func (s setView) replaced() string { return strength.LoadLabel(s.Replaced, s.PerSide) }

// side is the text of the plates: "1×45 1×10", "—" for the bare bar, "" for
// none.
func (s setView) side() string { return strength.Label(s.Plates) }

// timed reports whether the set is held for seconds rather than counted.
func (s setView) timed() bool { return s.Actual.Seconds > 0 }

// weighted reports whether the set takes a weight: it has one, or was planned
// with one.
func (s setView) weighted() bool {
	return s.Actual.Weight > 0 || s.Plan.Weight > 0 || s.Replaced.Weight > 0
}

// count is the reps or the seconds.
func (s setView) count() int {
	if s.timed() {
		return s.Actual.Seconds
	}
	return s.Actual.Reps
}

// countUnit follows the count in small letters.
func (s setView) countUnit() string {
	unit := ""
	switch {
	case s.timed():
		unit = "s"
	case s.Actual.Weight == 0 && s.Actual.Reps == 1:
		unit = " rep"
	case s.Actual.Weight == 0:
		unit = " reps"
	}
	if s.PerSide {
		unit += " per side"
	}
	return unit
}

// atLeastPlanned reports whether neither load nor count fell short.
func (s setView) atLeastPlanned() bool {
	return s.Actual.Weight >= s.Plan.Weight && s.Actual.Reps >= s.Plan.Reps && s.Actual.Seconds >= s.Plan.Seconds
}

// path is the address of the set.
func (s setView) path() string {
	return workoutPath(s.WorkoutID) + "/sets/" + strconv.FormatInt(s.ID, 10)
}

func workoutPath(id int64) string { return "/workouts/" + strconv.FormatInt(id, 10) }

// rackUp gives each barbell set the plates that its load takes.
func rackUp(rack strength.Rack, sets []setView) {
	for i := range sets {
		if sets[i].Barbell {
			sets[i].Plates, _ = rack.PerSide(sets[i].Actual.Weight)
		}
	}
}

// loads is the working sets of a lift in one line: 155 160 165 170 × 3, the
// heaviest one marked. Without one common count Plain says it instead.
type loads struct {
	Weights []loadMark
	Count   string // "× 3"
	Plain   string // "3 × 10 reps", "100 × 8, 105 × 6"
}

type loadMark struct {
	Text string
	Top  bool
}

// text is the line without marks.
func (l loads) text() string {
	if l.Plain != "" {
		return l.Plain
	}
	words := make([]string, 0, len(l.Weights)+1)
	for _, w := range l.Weights {
		words = append(words, w.Text)
	}
	return strings.Join(append(words, l.Count), " ")
}

func loadsOf(sets []setView) loads {
	work := working(sets)
	if len(work) == 0 {
		work = sets
	}
	if len(work) == 0 {
		return loads{}
	}
	switch first := work[0]; {
	case !sameCount(work):
		return loads{Plain: listed(work)}
	case first.Actual.Weight == 0:
		return loads{Plain: strconv.Itoa(len(work)) + " × " + first.load()}
	default:
		return loads{Weights: marks(work), Count: "× " + strconv.Itoa(first.count()) + first.countUnit()}
	}
}

func marks(work []setView) []loadMark {
	top := topOf(work)
	list := make([]loadMark, len(work))
	for i, s := range work {
		list[i] = loadMark{Text: strconv.Itoa(s.Actual.Weight), Top: s.ID == top.ID}
	}
	return list
}

func sameCount(sets []setView) bool {
	first := sets[0]
	for _, s := range sets {
		if s.count() != first.count() || s.timed() != first.timed() || s.PerSide != first.PerSide ||
			(s.Actual.Weight == 0) != (first.Actual.Weight == 0) {
			return false
		}
	}
	return true
}

func listed(sets []setView) string {
	words := make([]string, len(sets))
	for i, s := range sets {
		words[i] = s.load()
	}
	return strings.Join(words, ", ")
}

// working returns the sets that are no warm-ups.
func working(sets []setView) []setView {
	var out []setView
	for _, s := range sets {
		if !s.Warmup {
			out = append(out, s)
		}
	}
	return out
}

// topOf returns the heaviest set, the last of equals.
func topOf(sets []setView) setView {
	top := sets[0]
	for _, s := range sets[1:] {
		if s.Actual.Weight >= top.Actual.Weight {
			top = s
		}
	}
	return top
}

// volumeOf sums the completed working sets.
func volumeOf(sets []setView) strength.Volume {
	logged := make([]strength.Logged, len(sets))
	for i, s := range sets {
		logged[i] = strength.Logged{Set: s.Actual, PerSide: s.PerSide, Warmup: s.Warmup, Done: s.Done}
	}
	return strength.VolumeOf(logged)
}
