package strength

import "fmt"

// Range is what a number may be, both ends included. Unit follows the upper
// end in the sentence of a refusal and brings its own leading blank.
type Range struct {
	Name string
	Low  int
	High int
	Unit string
}

// The ranges of the numbers people and models send. Weight allows 0 because a
// logged 0 means no external load.
var (
	WeightRange        = Range{"Weight", 0, 2000, " lb"}
	TopWeightRange     = Range{"Top weight", 1, 2000, " lb"}
	TargetWeightRange  = Range{"Target weight", 1, 2000, " lb"}
	RepsRange          = Range{"Reps", 1, 100, ""}
	TargetRepsRange    = Range{"Target reps", 1, 100, ""}
	DurationRange      = Range{"Duration", 1, 3600, " seconds"}
	RPERange           = Range{"RPE", 1, 10, ""}
	SetsRange          = Range{"Sets", 1, 20, ""}
	PercentRange       = Range{"Percent of max", 1, 200, "%"}
	StepUpRange        = Range{"Step up", 1, 100, " lb"}
	StepDownRange      = Range{"Step down", 1, 100, " lb"}
	PreferredRepsRange = Range{"Preferred reps", 1, 5, ""}
	WeekRange          = Range{"Week", 1, 52, ""}
	BlockRange         = Range{"Block", 0, 999, ""}
	LimitRange         = Range{"Limit", 1, 200, ""}
	RepsToRange        = Range{"Reps to", 1, 100, ""}
	RestRange          = Range{"Rest", 5, 900, " seconds"}
	WarmupRestRange    = Range{"Rest after a warm-up", 5, 900, " seconds"}
	BarWeightRange     = Range{"Bar weight", 1, 200, " lb"}
	PairsRange         = Range{"Pairs", 0, 50, ""}
)

// plateRange is in hundredths of a pound, so its sentence is PlateOutOfRange.
var plateRange = Range{"Plate", 25, 20000, " lb"}

// Has reports whether n is in the range.
func (r Range) Has(n int) bool { return n >= r.Low && n <= r.High }

// OutOfRange returns the sentence that refuses a number.
func (r Range) OutOfRange(n int) string {
	return fmt.Sprintf("%s %d is out of range; use %d-%d%s.", r.Name, n, r.Low, r.High, r.Unit)
}

// PlateInRange reports whether a plate of that many hundredths of a pound can
// be owned: a quarter pound to 200 lb.
func PlateInRange(hundredths int) bool { return plateRange.Has(hundredths) }

// PlateOutOfRange returns the sentence that refuses a plate, given its weight
// in pounds as it was written.
func PlateOutOfRange(text string) string {
	return fmt.Sprintf("Plate %s lb is out of range; use %s-%s%s.",
		text, PlateText(plateRange.Low), PlateText(plateRange.High), plateRange.Unit)
}

// ValidWeekday reports whether n is 0 (Sunday) to 6 (Saturday).
func ValidWeekday(n int) bool { return n >= 0 && n <= 6 }

// WeekdayOutOfRange returns the sentence that refuses a weekday.
func WeekdayOutOfRange(n int) string {
	return fmt.Sprintf("Weekday %d is out of range; use 0 (Sunday) to 6 (Saturday).", n)
}

// The sizes a block may grow to.
const (
	MaxDaysPerWeek   = 14
	MaxLiftsPerDay   = 30
	MaxWeeksPerBlock = 52
	MaxLiftsPerBlock = 600
)

// The lengths of texts, in characters.
const (
	MaxName     = 120
	MaxFocus    = 80
	MaxNote     = 2000
	MaxGoalNote = 500
	MaxIconURL  = 500
	MaxReason   = 200
)
