package strength

// rpe8 is the RPE-8 column of the RPE chart used in powerlifting: the share of
// a one-rep max, per mille, that a set of that many reps weighs when two more
// reps would have been possible. Row 0, a single with one rep to spare, is
// read by Estimate only.
var rpe8 = [...]int{955, 924, 887, 863, 838, 811}

// onChart reports whether sets of this many reps can be priced.
func onChart(reps int) bool { return reps >= 1 && reps < len(rpe8) }

// Convert restates a load for one rep count as the load of equal effort for
// another, snapped to the grid. Where either count is off the chart (1 to 5
// reps), or they are equal, the load is only snapped.
func Convert(w Pounds, from, to int, g Grid) Pounds {
	if from == to || !onChart(from) || !onChart(to) {
		return g.Snap(w)
	}
	return g.snapRatio(w*rpe8[to], rpe8[from])
}

// TargetReps returns the reps a main lift is performed with: the lifter's
// preferred count when it is set, smaller than the written one and both are on
// the chart; the written count otherwise.
func TargetReps(written, preferred int) int {
	if preferred < written && onChart(preferred) && onChart(written) {
		return preferred
	}
	return written
}
