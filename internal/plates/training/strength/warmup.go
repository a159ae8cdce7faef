package strength

// rampStep is one warm-up set: a share of the basis in per mille, and reps.
type rampStep struct{ perMille, reps int }

// barReps is how often the empty bar is lifted to open a warm-up.
const barReps = 5

// rampSteps returns the steps between the bar and the work; the heavier the
// work, the more of them.
func rampSteps(basis Pounds) []rampStep {
	switch {
	case basis >= 136:
		return []rampStep{{600, 5}, {750, 3}, {875, 2}}
	case basis >= 96:
		return []rampStep{{700, 5}, {875, 3}}
	default:
		return []rampStep{{800, 3}}
	}
}

// Ramp returns the warm-up for a basis in pounds: the empty bar, then steps
// that each get heavier and stay below the lightest working set. The basis is
// the lift's top restated at its written reps. A basis of 0, or one that is no
// heavier than the bar, leaves only the bar; lightest 0 lifts the upper bound.
// Work without a bar has no warm-up.
func Ramp(basis Pounds, g Grid, lightest Pounds) []Set {
	if !g.Barbell() {
		return nil
	}
	ramp := []Set{{Weight: g.Origin, Reps: barReps}}
	if basis <= g.Origin {
		return ramp
	}
	for _, step := range rampSteps(basis) {
		w := g.snapRatio(basis*step.perMille, 1000)
		if w <= ramp[len(ramp)-1].Weight || (lightest > 0 && w >= lightest) {
			continue
		}
		ramp = append(ramp, Set{Weight: w, Reps: step.reps})
	}
	return ramp
}
