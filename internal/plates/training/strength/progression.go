package strength

// Progression is the rule by which a weighted lift finds its next top set.
type Progression string

// The progressions. Unweighted lifts have none.
const (
	Fixed   Progression = "fixed"   // the written load, always
	Linear  Progression = "linear"  // up when met, down when short
	Strikes Progression = "strikes" // as linear, but down only on the second short session running
	Percent Progression = "percent" // a percentage of the estimated max, re-read every week
)

// The steps of a lift that does not name its own, in pounds.
const (
	defaultStepUp      = 5
	defaultStepDown    = 10
	defaultStrikesDown = 5
)

// Steps are the pounds a lift goes up after a met session and down after a
// short one.
type Steps struct{ Up, Down Pounds }

// StepsFor returns the steps that take effect: the lift's own where given (0
// means not given), raised to the next multiple of the rack's increment.
func StepsFor(rule Progression, up, down, increment Pounds) Steps {
	if up == 0 {
		up = defaultStepUp
	}
	if down == 0 && rule == Strikes {
		down = defaultStrikesDown
	}
	if down == 0 {
		down = defaultStepDown
	}
	return Steps{Up: ceilDiv(up, increment) * increment, Down: ceilDiv(down, increment) * increment}
}

// Next returns the top set that follows prev under the linear or the strikes
// rule, given the outcomes of the lift's sessions, newest first. Without an
// outcome, or after an untrained session, the load stays.
func Next(rule Progression, prev Pounds, outcomes []Outcome, steps Steps, floor Pounds) Pounds {
	if len(outcomes) == 0 {
		return prev
	}
	switch {
	case outcomes[0] == Met:
		return prev + steps.Up
	case outcomes[0] == Short && (rule != Strikes || secondStrike(outcomes)):
		return drop(prev, steps.Down, floor)
	default:
		return prev
	}
}

// secondStrike reports whether the newest session was short and so was the
// attempt before it. Only attempted sessions count, so an untrained one in
// between neither adds a strike nor clears one.
func secondStrike(outcomes []Outcome) bool {
	strikes := 0
	for _, o := range outcomes {
		switch o {
		case Short:
			strikes++
		case Met:
			return false
		}
		if strikes == 2 {
			return true
		}
	}
	return false
}

// drop lowers a load, stopping at the floor; a load already under the floor is
// left alone rather than raised.
func drop(prev, down, floor Pounds) Pounds {
	if prev <= floor {
		return prev
	}
	return max(prev-down, floor)
}
