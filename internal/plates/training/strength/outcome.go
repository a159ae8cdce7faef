package strength

// Outcome says how a session of one lift went, as far as progression asks.
type Outcome string

// The outcomes. Uncounted means the lift wrote no set there, so the session is
// passed over as if it had never been generated.
const (
	Uncounted Outcome = ""
	Untrained Outcome = "untrained"
	Met       Outcome = "met"
	Short     Outcome = "short"
)

// Work is one set that a lift wrote into a session: what it asked for and what
// was done. Exercise is the movement now on the set, which differs from the
// lift's after a swap. A zero Planned marks a set that was added by hand.
type Work struct {
	Exercise int64
	Planned  Set
	Actual   Set
	Warmup   bool
	Done     bool
}

// OutcomeOf judges a session of a lift of the given exercise. Warm-ups, sets
// without a plan and sets swapped to another movement say nothing. More weight
// or more reps than asked still meets the plan; both must be reached.
func OutcomeOf(exercise int64, work []Work) Outcome {
	written := planned(exercise, work)
	if len(written) == 0 {
		return Uncounted
	}
	done, reached := 0, 0
	for _, w := range written {
		if w.Done {
			done++
		}
		if w.Done && w.Actual.reaches(w.Planned) {
			reached++
		}
	}
	switch {
	case done == 0:
		return Untrained
	case reached == len(written):
		return Met
	default:
		return Short
	}
}

// planned returns the sets that count for the outcome of an exercise.
func planned(exercise int64, work []Work) []Work {
	var written []Work
	for _, w := range work {
		if w.Exercise == exercise && !w.Warmup && w.Planned.asksForWork() {
			written = append(written, w)
		}
	}
	return written
}

// reaches reports whether the set fulfils a plan. Whatever the plan leaves
// open is zero there, and so is reached by anything.
func (s Set) reaches(plan Set) bool {
	return s.Weight >= plan.Weight && s.Reps >= plan.Reps && s.Seconds >= plan.Seconds
}

// topOf returns the heaviest set planned for the exercise, zero when there is
// none.
func topOf(exercise int64, work []Work) Set {
	var top Set
	for _, w := range planned(exercise, work) {
		if w.Planned.Weight > top.Weight {
			top = w.Planned
		}
	}
	return top
}
