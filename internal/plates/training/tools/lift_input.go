package tools

import (
	"context"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// LiftInput is a lift to write. What is absent comes from how the movement is
// usually done.
type LiftInput struct {
	Exercise        string  `json:"exercise"`
	Sets            int64   `json:"sets"`
	Reps            *int64  `json:"reps"`
	DurationSeconds *int64  `json:"duration_seconds"`
	TopWeight       *int64  `json:"top_weight"`
	PercentOfMax    *int64  `json:"percent_of_max"`
	IsWeighted      *bool   `json:"is_weighted"`
	Measure         *string `json:"measure" enum:"reps,time"`
	IsPerSide       *bool   `json:"is_per_side"`
	IsMain          bool    `json:"is_main,omitempty"`
	IsBarbell       *bool   `json:"is_barbell"`
	Progression     *string `json:"progression" enum:"fixed,linear,strikes,percent"`
	StepUp          *int64  `json:"step_up"`
	StepDown        *int64  `json:"step_down"`
	Note            *string `json:"note"`
	StartsHere      bool    `json:"-"` // kept by a document and by nothing else
	LiftExtras
}

// newLift works out the lift that an input writes. A movement that nobody knows
// yet is made, and is then usually done as its first lift says.
func newLift(ctx context.Context, tx *db.Tx, who contract.Caller, in LiftInput) (Lift, error) {
	if err := checkAll(in.checkNumbers(), checkExerciseName(in.Exercise), tooLong("A note", "note", in.Note, strength.MaxNote)); err != nil {
		return Lift{}, err
	}
	movement, _, err := ensureExercise(ctx, tx, who, CreateExerciseIn{
		Name: in.Exercise, IsBarbell: in.IsBarbell, DefaultMeasure: in.Measure, DefaultIsPerSide: in.IsPerSide, DefaultIsWeighted: in.IsWeighted,
	})
	if err != nil {
		return Lift{}, at(err, "name", "exercise")
	}
	l := Lift{
		Exercise: movement.Name, ExerciseID: movement.ID, Sets: in.Sets, Reps: in.Reps, DurationSeconds: in.DurationSeconds,
		Measure:    liftMeasure(in.Measure, movement.DefaultMeasure, in.Reps, in.DurationSeconds),
		IsWeighted: valueOr(in.IsWeighted, movement.DefaultIsWeighted), IsPerSide: valueOr(in.IsPerSide, movement.DefaultIsPerSide),
		IsBarbell: valueOr(in.IsBarbell, movement.IsBarbell), IsMain: in.IsMain,
		TopWeight: in.TopWeight, PercentOfMax: in.PercentOfMax, Progression: in.Progression, StepUp: in.StepUp, StepDown: in.StepDown,
		Note: blankAsNone(in.Note), StartsHere: in.StartsHere, LiftExtras: in.LiftExtras,
	}
	settle(&l)
	l.RepsTo = in.RepsTo // to be refused rather than forgotten
	return l, checkAll(checkLift(l), checkExtras(l, nil))
}

func (in LiftInput) checkNumbers() error {
	return checkLiftNumbers(Lift{
		Sets: in.Sets, Reps: in.Reps, DurationSeconds: in.DurationSeconds,
		TopWeight: in.TopWeight, PercentOfMax: in.PercentOfMax, StepUp: in.StepUp, StepDown: in.StepDown,
	})
}

// liftMeasure decides how a lift is counted: as it says, by what was sent, or
// as its movement usually is.
func liftMeasure(said *string, usual string, reps, seconds *int64) string {
	switch {
	case said != nil:
		return *said
	case reps != nil && seconds == nil:
		return "reps"
	case seconds != nil && reps == nil:
		return "time"
	}
	return usual
}

// settle fills in what follows from the rest: the rule from the price, that a
// lift without load is not on a bar and has no rule, and that a range of reps
// ends where nothing reads it any more.
func settle(l *Lift) {
	if !l.IsWeighted {
		l.IsBarbell, l.Progression, l.StartsHere, l.RepsTo = false, nil, false, nil
		return
	}
	if l.Progression == nil {
		rule := string(strength.Linear)
		if l.PercentOfMax != nil {
			rule = string(strength.Percent)
		}
		l.Progression = &rule
	}
	if l.TopWeight == nil {
		l.StartsHere = false
	}
	if *l.Progression != string(strength.Linear) || l.Reps == nil || l.RepsTo != nil && *l.RepsTo <= *l.Reps {
		l.RepsTo = nil
	}
}

// checkLift refuses a lift that cannot stand as it is.
func checkLift(l Lift) error {
	return checkAll(checkLiftNumbers(l), checkPrice(l), checkCount(l), checkRule(l))
}

func checkLiftNumbers(l Lift) error {
	if l.TopWeight != nil && *l.TopWeight == 0 {
		return fault.BadArgument("A lift cannot weigh zero. For a plank, a band, or anything carrying no external load, set is_weighted to false instead.").At("top_weight")
	}
	return checkAll(
		inRange(strength.SetsRange, "sets", &l.Sets), inRange(strength.RepsRange, "reps", l.Reps),
		inRange(strength.DurationRange, "duration_seconds", l.DurationSeconds), inRange(strength.TopWeightRange, "top_weight", l.TopWeight),
		inRange(strength.PercentRange, "percent_of_max", l.PercentOfMax),
		inRange(strength.StepUpRange, "step_up", l.StepUp), inRange(strength.StepDownRange, "step_down", l.StepDown),
	)
}

func checkPrice(l Lift) error {
	priced := l.TopWeight != nil || l.PercentOfMax != nil
	switch {
	case !l.IsWeighted && priced:
		return fault.BadArgument("An unweighted lift carries no load, so it cannot also have a top_weight or a percent_of_max. Drop the load, or set is_weighted.").At("is_weighted")
	case l.IsWeighted && (l.TopWeight == nil) == (l.PercentOfMax == nil):
		return fault.BadArgument("A lift needs exactly one of top_weight (pounds) or percent_of_max (a percentage of the estimated max for that movement), unless is_weighted is false.").At("top_weight")
	}
	return nil
}

func checkCount(l Lift) error {
	switch {
	case l.Reps != nil && l.DurationSeconds != nil:
		return fault.BadArgument("Give reps or duration_seconds, not both.").At("duration_seconds")
	case l.Measure == "time" && l.DurationSeconds == nil:
		return fault.BadArgument("A timed lift needs duration_seconds.").At("duration_seconds")
	case l.Measure == "reps" && l.Reps == nil:
		return fault.BadArgument("A lift counted in reps needs reps.").At("reps")
	}
	return nil
}

func checkRule(l Lift) error {
	percent := l.Progression != nil && *l.Progression == string(strength.Percent)
	switch {
	case l.PercentOfMax != nil && !percent:
		return fault.BadArgument("Progression %s reads top_weight, so it cannot go with percent_of_max.", valueOr(l.Progression, "")).At("progression")
	case l.TopWeight != nil && percent:
		return fault.BadArgument("Progression percent reads percent_of_max, so it cannot go with top_weight.").At("progression")
	}
	return nil
}

// insertLift writes a lift into a day and returns its id.
func insertLift(ctx context.Context, tx *db.Tx, who contract.Caller, day int64, l Lift) (int64, error) {
	id, seen, err := store.AddLift(ctx, tx, store.InsertLiftParams{
		WorkspaceID: who.Workspace, ProgramDayID: day, ExerciseID: l.ExerciseID, Position: l.Position, Sets: l.Sets,
		Measure: l.Measure, Reps: l.Reps, DurationSeconds: l.DurationSeconds, IsWeighted: l.IsWeighted,
		TopWeight: l.TopWeight, PercentOfMax: l.PercentOfMax, Progression: l.Progression, StepUp: l.StepUp, StepDown: l.StepDown,
		StartsHere: l.StartsHere, IsPerSide: l.IsPerSide, IsBarbell: l.IsBarbell, IsMain: l.IsMain, Note: l.Note,
		RepsTo: l.RepsTo, RestSeconds: l.RestSeconds, WarmupRestSeconds: l.WarmupRestSeconds, CreatedAt: dbtype.At(tx.Now()),
	})
	if err == nil && !seen {
		err = missing("exercise", l.ExerciseID)
	}
	return id, err
}
