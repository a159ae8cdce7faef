package strength

import "fmt"

// RepRange is what a lift with double progression climbs through: from so many
// reps a set to so many, before it adds pounds.
type RepRange struct{ From, To int }

// clamp returns the reps of the range nearest to n.
func (r RepRange) clamp(n int) int { return min(max(n, r.From), r.To) }

// NextInRange returns the top set that follows prev under double progression,
// given the outcomes of the lift's sessions, newest first, and whether the
// newest reached the top of the range in every set. A session that met its
// plan asks one more rep, or at the top of the range more weight; the second
// short session running takes weight off; anything else is repeated. Whenever
// the weight moves, the reps start again at the bottom of the range.
func NextInRange(prev Set, r RepRange, outcomes []Outcome, topped bool, steps Steps, floor Pounds) Set {
	if len(outcomes) == 0 {
		return prev
	}
	switch {
	case outcomes[0] == Met && topped:
		return Set{Weight: prev.Weight + steps.Up, Reps: r.From}
	case outcomes[0] == Met:
		return Set{Weight: prev.Weight, Reps: r.clamp(prev.Reps + 1)}
	case outcomes[0] == Short && secondStrike(outcomes):
		return Set{Weight: drop(prev.Weight, steps.Down, floor), Reps: r.From}
	}
	return prev
}

// climbs reports whether the lift progresses through a range of reps. A main
// lift that is lifted for other reps than written does not.
func (l Lift) climbs(d Day) bool {
	return l.Rule == Linear && l.Written.Seconds == 0 && l.RepsTo > l.Written.Reps && l.target(d) == l.Written.Reps
}

// climb steps through the range of reps from the newest earlier session. It
// steps down as the strikes rule does, which also waits for a second short
// session.
func (l Lift) climb(g Grid, planned Set, earlier []Session) (Set, string) {
	r := RepRange{l.Written.Reps, l.RepsTo}
	prev := Set{Reps: r.clamp(planned.Reps)}
	prev.Weight = g.load(Convert(planned.Weight, planned.Reps, prev.Reps, g))
	outcomes := outcomesOf(earlier)
	topped := outcomes[0] == Met && fewestReps(l.Exercise, earlier[0].Work) >= r.To
	steps := StepsFor(Strikes, l.StepUp, l.StepDown, g.Increment)
	next := NextInRange(prev, r, outcomes, topped, steps, g.Floor())
	return next, climbReason(earlier[0], r, outcomes, topped, prev, next)
}

// fewestReps returns the reps of the planned set that was done with the fewest.
func fewestReps(exercise int64, work []Work) int {
	fewest := RepsRange.High
	for _, w := range planned(exercise, work) {
		fewest = min(fewest, w.Actual.Reps)
	}
	return fewest
}

// climbReason words a step through a range of reps.
func climbReason(last Session, r RepRange, outcomes []Outcome, topped bool, prev, next Set) string {
	switch {
	case topped:
		return fmt.Sprintf("%s at %d reps: %d + %d, back to %d reps.", last.met(), r.To, prev.Weight, next.Weight-prev.Weight, next.Reps)
	case outcomes[0] == Met:
		return fmt.Sprintf("%s: %d again, for %d reps.", last.met(), next.Weight, next.Reps)
	case outcomes[0] == Untrained:
		return fmt.Sprintf("Week %d was not trained: %d for %d reps again.", last.Week, next.Weight, next.Reps)
	case !secondStrike(outcomes):
		return fmt.Sprintf("Week %d fell short once: %d for %d reps again.", last.Week, next.Weight, next.Reps)
	case next.Weight < prev.Weight:
		return fmt.Sprintf("Week %d fell short twice running: %d - %d, back to %d reps.", last.Week, prev.Weight, prev.Weight-next.Weight, next.Reps)
	default:
		return fmt.Sprintf("Week %d fell short twice running: %d again, back to %d reps.", last.Week, next.Weight, next.Reps)
	}
}
