package health

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Reading is one value of a series. Day is the calendar day where it was
// taken, at midnight UTC.
type Reading struct {
	At    time.Time
	Day   time.Time
	Milli int64
}

// Daily returns the earliest reading of each day, in the order of the days.
func Daily(readings []Reading) []Reading {
	sorted := slices.Clone(readings)
	slices.SortStableFunc(sorted, func(a, b Reading) int {
		if c := a.Day.Compare(b.Day); c != 0 {
			return c
		}
		return a.At.Compare(b.At)
	})
	return slices.CompactFunc(sorted, func(a, b Reading) bool { return a.Day.Equal(b.Day) })
}

const (
	mostApart = 3 // days between neighbours that make a pair
	pairsFor  = 5 // that a swing needs
	daysFor   = 8 // daily values that a trend needs
	spanFor   = 14
)

const day = 24 * time.Hour

// Swing returns how much the daily values differ from one day to the next, in
// tenths, from how many pairs of days; ok is false when the pairs are too few
// to say.
func Swing(daily []Reading) (tenths int64, pairs int, ok bool) {
	var steps []int64
	for i := 1; i < len(daily); i++ {
		if daily[i].Day.Sub(daily[i-1].Day) <= mostApart*day {
			steps = append(steps, max(daily[i].Milli-daily[i-1].Milli, daily[i-1].Milli-daily[i].Milli))
		}
	}
	if len(steps) < pairsFor {
		return 0, len(steps), false
	}
	return halfUp(middle(steps), 200), len(steps), true
}

// Median returns the middle value in thousandths, rounded half up.
func Median(daily []Reading) int64 {
	values := make([]int64, len(daily))
	for i, r := range daily {
		values[i] = r.Milli
	}
	return halfUp(middle(values), 2)
}

// middle returns twice the median, so that it stays whole.
func middle(values []int64) int64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return sorted[(n-1)/2] + sorted[n/2]
}

// SwingText says how much a value in thousandths may mean: "27.9%, day-to-day
// swing about ±1.5%".
func SwingText(milli int64, unit string, tenths int64, ok bool) string {
	if !ok {
		return Show(milli, unit) + ", too few readings to say how much it swings day to day"
	}
	return fmt.Sprintf("%s, day-to-day swing about ±%s", Show(milli, unit), ShowTenths(tenths, unit))
}

// Why a trend is not given.
const (
	TooFewDays = "too_few_days"
	TooShort   = "too_short"
)

// Trend is a change per week with twice its standard error, both in
// hundredths, and whether the readings tell it apart from no change.
type Trend struct {
	PerWeek         int64
	PlusMinus       int64
	Distinguishable bool
}

// TrendOf fits a line through the daily values. It needs eight of them over
// two weeks; otherwise reason says what is missing.
func TrendOf(daily []Reading) (t Trend, reason string) {
	if len(daily) < daysFor {
		return Trend{}, TooFewDays
	}
	first := daily[0]
	if daily[len(daily)-1].Day.Sub(first.Day) < spanFor*day {
		return Trend{}, TooShort
	}
	// Everything is counted from the first value, which keeps the sums small;
	// they are exact up to the square root.
	var n, sx, sy, sxx, sxy, syy int64
	for _, r := range daily {
		x, y := int64(r.Day.Sub(first.Day)/day), r.Milli-first.Milli
		n, sx, sy, sxx, sxy, syy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y, syy+y*y
	}
	covariance, spread := n*sxy-sx*sy, n*sxx-sx*sx
	slope := float64(covariance) / float64(spread)
	left := (float64(n)*float64(syy) - float64(sy)*float64(sy) - slope*float64(covariance)) / float64(n)
	margin := 2 * math.Sqrt(max(left, 0)/float64(n-2)/(float64(spread)/float64(n)))
	return Trend{
		PerWeek:         halfUp(7*covariance, 10*spread),
		PlusMinus:       int64(math.Floor(margin*7/10 + 0.5)),
		Distinguishable: math.Abs(slope) > margin,
	}, ""
}

// Derived is fat and lean mass worked out from a weight and a body fat of one
// source, in tenths of the weight's unit. The margins are nil where a swing is
// not known.
type Derived struct {
	Fat, Lean             int64
	FatMargin, LeanMargin *int64
}

// Together is how far apart a weight and a body fat may be measured to be
// taken as one.
const Together = 5 * time.Minute

// Derive works out fat and lean mass from a weight and a body fat percentage,
// in thousandths, and their swings, in tenths or nil.
func Derive(weight, percent int64, weightSwing, percentSwing *int64) Derived {
	const whole = 100_000 // thousandths of a percent
	d := Derived{Fat: halfUp(weight*percent, whole*100), Lean: halfUp(weight*(whole-percent), whole*100)}
	if weightSwing == nil || percentSwing == nil {
		return d
	}
	fat := halfUp(weight*(*percentSwing)*100+percent*(*weightSwing)*100, whole*100)
	lean := halfUp(weight*(*percentSwing)*100+(whole-percent)*(*weightSwing)*100, whole*100)
	d.FatMargin, d.LeanMargin = &fat, &lean
	return d
}
