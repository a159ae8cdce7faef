package strength

// Grid is the ladder of loads a piece of equipment can hold: Origin,
// Origin+Increment, Origin+2*Increment and so on, in pounds. Origin is the
// empty bar for barbell work and 0 for everything else.
type Grid struct {
	Increment Pounds
	Origin    Pounds
}

// Barbell reports whether the grid starts at a bar.
func (g Grid) Barbell() bool { return g.Origin > 0 }

// Floor is the lightest load progression may arrive at: the empty bar, or one
// increment where there is no bar.
func (g Grid) Floor() Pounds {
	if g.Barbell() {
		return g.Origin
	}
	return g.Increment
}

// Snap returns the load of the grid nearest to w, the higher one on a tie and
// never less than Origin.
func (g Grid) Snap(w Pounds) Pounds { return g.snapRatio(w, 1) }

// snapRatio snaps num/den pounds without rounding in between. den is positive.
func (g Grid) snapRatio(num, den int) Pounds {
	steps := roundHalfUp(num-g.Origin*den, g.Increment*den)
	return max(g.Origin, g.Origin+steps*g.Increment)
}

// load returns w, or the floor where w was snapped away to nothing: a weighted
// set must never carry a zero, which would mean no external load.
func (g Grid) load(w Pounds) Pounds {
	if w <= 0 {
		return g.Floor()
	}
	return w
}

// ToIncrement rounds num/den pounds to the nearest multiple of increment,
// halves upwards. den and increment are positive.
func ToIncrement(num, den, increment int) Pounds {
	return roundHalfUp(num, den*increment) * increment
}

// roundHalfUp divides and rounds to the nearest whole number, halves upwards.
// den is positive; num may be negative.
func roundHalfUp(num, den int) int { return floorDiv(2*num+den, 2*den) }

// floorDiv divides rounding towards minus infinity, where Go's / truncates.
func floorDiv(num, den int) int {
	q := num / den
	if num%den != 0 && (num < 0) != (den < 0) {
		q--
	}
	return q
}

// ceilDiv divides two non-negative numbers rounding up.
func ceilDiv(num, den int) int { return (num + den - 1) / den }
