package strength

// Pounds is a load in whole pounds, bar included; 0 means no external load.
// It is an alias because rows, JSON and forms carry the same plain number.
type Pounds = int

// Set is what one set asks for, or what was done in it. A set is counted in
// Reps or in Seconds, never both; the zero Set asks for nothing.
type Set struct {
	Weight  Pounds
	Reps    int
	Seconds int
}

// asksForWork reports whether the set has a count, and so can be a plan.
func (s Set) asksForWork() bool { return s.Reps > 0 || s.Seconds > 0 }
