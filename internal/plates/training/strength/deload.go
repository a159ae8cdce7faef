package strength

// Deload takes a tenth off a load and snaps the rest to the grid. It is
// applied last, to the weight the rule arrived at, in the units it is lifted.
func Deload(w Pounds, g Grid) Pounds { return g.snapRatio(w*9, 10) }
