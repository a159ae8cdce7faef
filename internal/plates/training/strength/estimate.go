package strength

import "time"

// assumedRPE is the effort of a set nobody rated.
const assumedRPE = 8

// Estimate returns the one-rep max that a set speaks for, in pounds rounded
// half up, or 0 when the chart cannot read it. A set at a higher rating had
// fewer reps to spare, so it is read in the row of as many fewer reps; an
// unrated set (0) counts as RPE 8. A single at RPE 10 is the max itself.
func Estimate(weight Pounds, reps, rpe int) Pounds {
	if weight <= 0 || reps <= 0 {
		return 0
	}
	if rpe == 0 {
		rpe = assumedRPE
	}
	if reps == 1 && rpe >= 10 {
		return weight
	}
	row := reps + assumedRPE - rpe
	if row < 0 || row >= len(rpe8) {
		return 0
	}
	return roundHalfUp(weight*1000, rpe8[row])
}

// Band is what an estimated max would be if the effort of its set was misjudged
// by one: Low in pounds if it was a rating harder, High if it was a rating
// easier. 0 means that the chart cannot read that.
type Band struct {
	Low, High      Pounds
	Harder, Easier int // the ratings that Low and High are read at
}

// EstimateBand returns the band of the set that Estimate reads. Nothing is
// harder than RPE 10, so a set at 10 has no Low.
func EstimateBand(weight Pounds, reps, rpe int) Band {
	if rpe == 0 {
		rpe = assumedRPE
	}
	var b Band
	if rpe > RPERange.Low {
		b.High, b.Easier = Estimate(weight, reps, rpe-1), rpe-1
	}
	if rpe < RPERange.High {
		b.Low, b.Harder = Estimate(weight, reps, rpe+1), rpe+1
	}
	return b
}

// PercentLoad returns a percentage of an estimated max, snapped to the grid.
func PercentLoad(estimated Pounds, percent int, g Grid) Pounds {
	return g.snapRatio(estimated*percent, 100)
}

// SameShare returns the load that is the same share of one estimated max as a
// load is of another, snapped to the grid.
func SameShare(load, of, to Pounds, g Grid) Pounds { return g.snapRatio(to*load, of) }

// Logged is one set of one exercise in the log, as the estimate and the
// volume read it. RPE is 0 when the set was not rated.
type Logged struct {
	Day     time.Time
	Set     Set
	RPE     int
	PerSide bool
	Warmup  bool
	Done    bool
}

// trained reports whether the set is training that happened.
func (l Logged) trained() bool { return l.Done && !l.Warmup }

// BestEstimate returns the highest estimated max among the sets dated on or
// before a day, and the index of the set it comes from; 0 and -1 when none can
// be read. Warm-ups, unfinished, one-sided, timed and unweighted sets are no
// evidence. Among equals the first given wins.
func BestEstimate(sets []Logged, on time.Time) (best Pounds, basis int) {
	basis = -1
	for i, s := range sets {
		if !s.trained() || s.PerSide || s.Day.After(on) {
			continue
		}
		if e := Estimate(s.Set.Weight, s.Set.Reps, s.RPE); e > best {
			best, basis = e, i
		}
	}
	return best, basis
}
