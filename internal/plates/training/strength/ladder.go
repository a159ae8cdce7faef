package strength

// ladderStepPercent is how much lighter, in percent of the top, each earlier
// set of an ascending lift is.
const ladderStepPercent = 3

// Ladder returns the loads of n working sets that end at top, lightest first.
// Sets climb in steps of three percent of the top; where the grid is too
// coarse for that, in single increments; where those would fall below the
// floor, or the lift is not ascending, every set is the top.
func Ladder(top Pounds, n int, ascending bool, g Grid) []Pounds {
	if !ascending {
		return repeated(top, n)
	}
	if loads := percentLadder(top, n, g); allDifferent(loads) {
		return loads
	}
	if lightest := top - (n-1)*g.Increment; lightest >= max(g.Origin, 1) {
		return incrementLadder(top, n, g)
	}
	return repeated(top, n)
}

func percentLadder(top Pounds, n int, g Grid) []Pounds {
	loads := make([]Pounds, n)
	for i := range loads {
		below := n - 1 - i
		loads[i] = g.snapRatio(top*(100-ladderStepPercent*below), 100)
	}
	return loads
}

func incrementLadder(top Pounds, n int, g Grid) []Pounds {
	loads := make([]Pounds, n)
	for i := range loads {
		loads[i] = top - (n-1-i)*g.Increment
	}
	return loads
}

func repeated(top Pounds, n int) []Pounds {
	loads := make([]Pounds, n)
	for i := range loads {
		loads[i] = top
	}
	return loads
}

// allDifferent reports whether no two neighbours of a non-decreasing list are
// equal.
func allDifferent(loads []Pounds) bool {
	for i := 1; i < len(loads); i++ {
		if loads[i] == loads[i-1] {
			return false
		}
	}
	return true
}
