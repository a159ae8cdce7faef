package strength

import "fmt"

// Lift is one prescription of a programme day. Top is where a weighted lift
// starts, Percent its price as a percentage of the estimated max; a lift has
// one or the other. StepUp and StepDown are 0 for the rule's own steps.
type Lift struct {
	Exercise   int64
	Name       string // the movement's, for refusals
	Position   int
	Written    Written
	Weighted   bool
	Barbell    bool
	Main       bool
	Rule       Progression
	Top        Pounds
	Percent    int
	StepUp     Pounds
	StepDown   Pounds
	RepsTo     int  // a linear lift adds reps up to here before pounds; 0 = it adds pounds only
	StartsHere bool // start from Top whatever earlier weeks did
}

// Day is where in the block a session is generated, and the block's and the
// lifter's settings that shape it. PreferredReps is 0 when none is set.
type Day struct {
	Week          int
	Weekday       int // 0 = Sunday
	Deload        bool
	PreferredReps int
	Ascending     bool
	Rack          Rack
}

// Generated is what one lift writes into a session, in lifting order, and the
// sentence that says why the load is what it is.
type Generated struct {
	Warmups []Set
	Working []Set
	Reason  string
}

// Top returns the last working set, which is the heaviest.
func (g Generated) Top() Set {
	if len(g.Working) == 0 {
		return Set{}
	}
	return g.Working[len(g.Working)-1]
}

// MaxLookup returns the estimated max of an exercise in pounds as of the day
// of generation, 0 when no set gives one.
type MaxLookup func(exercise int64) Pounds

// NoMaxError refuses a percentage of a max that nothing gives evidence for.
type NoMaxError struct {
	Exercise string
	Percent  int
}

// Error returns the refusal as a full sentence, because it is shown as it is.
func (e *NoMaxError) Error() string {
	return fmt.Sprintf("No estimated max for %s yet, so %d%% of it cannot be worked out. "+
		"Log a completed set of 1 to 5 reps first.", e.Exercise, e.Percent)
}

// GenerateLift returns the sets one lift writes into a session. The history is
// every generated session of the same block, in any order; sessions that do
// not bear on the lift are ignored. Its only error is *NoMaxError.
func GenerateLift(l Lift, d Day, history []Session, maxOf MaxLookup) (Generated, error) {
	if !l.Weighted {
		return Generated{Working: l.flat(0), Reason: "No load."}, nil
	}
	g := d.Rack.Grid(l.Barbell)
	top, reason, err := l.price(d, g, history, maxOf)
	if err != nil {
		return Generated{}, err
	}
	if d.Deload {
		top.Weight, reason = Deload(top.Weight, g), reason+" Deload: less a tenth."
	}
	top.Weight = g.load(top.Weight)
	if l.Written.Seconds > 0 {
		return Generated{Working: l.flat(top.Weight), Reason: reason}, nil
	}
	working := ladderSets(Ladder(top.Weight, l.Written.Sets, d.Ascending, g), top.Reps)
	basis := Convert(top.Weight, l.target(d), l.Written.Reps, g)
	return Generated{Warmups: Ramp(basis, g, working[0].Weight), Working: working, Reason: reason}, nil
}

// target returns the reps the lift is performed with on that day.
func (l Lift) target(d Day) int {
	if !l.Main {
		return l.Written.Reps
	}
	return TargetReps(l.Written.Reps, d.PreferredReps)
}

// flat returns the written sets, all at one load.
func (l Lift) flat(w Pounds) []Set {
	sets := make([]Set, l.Written.Sets)
	for i := range sets {
		sets[i] = Set{Weight: w, Reps: l.Written.Reps, Seconds: l.Written.Seconds}
	}
	return sets
}

func ladderSets(loads []Pounds, reps int) []Set {
	sets := make([]Set, len(loads))
	for i, w := range loads {
		sets[i] = Set{Weight: w, Reps: reps}
	}
	return sets
}

// price returns the top set before any deload, in the reps it is lifted for,
// and why.
func (l Lift) price(d Day, g Grid, history []Session, maxOf MaxLookup) (Set, string, error) {
	switch l.Rule {
	case Percent:
		return l.priceOfMax(d, g, maxOf)
	case Fixed:
		top := l.start(d, g)
		top.Weight = g.load(top.Weight)
		return top, fmt.Sprintf("Held at %d.", top.Weight), nil
	}
	earlier := Earlier(history, l, d)
	if l.StartsHere || len(earlier) == 0 {
		return l.start(d, g), writtenStart, nil
	}
	top, reason := l.progress(d, g, earlier)
	return top, reason, nil
}

const writtenStart = "Written start."

// start returns the written load, restated for the reps it is lifted for.
func (l Lift) start(d Day, g Grid) Set {
	return Set{Weight: Convert(l.Top, l.Written.Reps, l.target(d), g), Reps: l.target(d)}
}

func (l Lift) priceOfMax(d Day, g Grid, maxOf MaxLookup) (Set, string, error) {
	estimated := maxOf(l.Exercise)
	if estimated <= 0 {
		return Set{}, "", &NoMaxError{Exercise: l.Name, Percent: l.Percent}
	}
	top := Convert(PercentLoad(estimated, l.Percent, g), l.Written.Reps, l.target(d), g)
	return Set{Weight: top, Reps: l.target(d)}, fmt.Sprintf("%d%% of an estimated max of %d.", l.Percent, estimated), nil
}

// progress steps from the newest earlier session, whose top is first restated
// for today's reps and for today's rack.
func (l Lift) progress(d Day, g Grid, earlier []Session) (Set, string) {
	last := earlier[0]
	planned := topOf(l.Exercise, last.Work)
	if planned.Weight == 0 {
		return l.start(d, g), writtenStart // it was lifted without load
	}
	if l.climbs(d) {
		return l.climb(g, planned, earlier)
	}
	outcomes := outcomesOf(earlier)
	prev := g.load(Convert(planned.Weight, planned.Reps, l.target(d), g))
	steps := StepsFor(l.Rule, l.StepUp, l.StepDown, g.Increment)
	next := Next(l.Rule, prev, outcomes, steps, g.Floor())
	return Set{Weight: next, Reps: l.target(d)}, stepReason(last, l.Rule, outcomes, prev, next)
}

func outcomesOf(sessions []Session) []Outcome {
	outcomes := make([]Outcome, len(sessions))
	for i, s := range sessions {
		outcomes[i] = s.outcome()
	}
	return outcomes
}

// stepReason words a step. It names the pounds really gone up or down, which
// are fewer than the step where the floor stopped a drop.
func stepReason(last Session, rule Progression, outcomes []Outcome, prev, next Pounds) string {
	switch {
	case outcomes[0] == Met:
		return fmt.Sprintf("%s: %d + %d.", last.met(), prev, next-prev)
	case outcomes[0] == Untrained:
		return fmt.Sprintf("Week %d was not trained: %d again.", last.Week, prev)
	case next < prev:
		return fmt.Sprintf("Week %d fell short: %d - %d.", last.Week, prev, prev-next)
	case rule == Strikes && !secondStrike(outcomes):
		return fmt.Sprintf("Week %d fell short once: %d again.", last.Week, prev)
	default:
		return fmt.Sprintf("Week %d fell short: %d again.", last.Week, prev)
	}
}
