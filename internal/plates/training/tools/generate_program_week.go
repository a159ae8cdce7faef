package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// GenerateProgramWeekIn names a block and a week of it, the one that today
// falls in when there is none.
type GenerateProgramWeekIn struct {
	ProgramID int64  `json:"program_id"`
	Week      *int64 `json:"week"`
}

// GenerateProgramWeekOut is the week's sessions and why each load is what it
// is.
type GenerateProgramWeekOut struct {
	ProgramID int64              `json:"program_id"`
	Week      int64              `json:"week"`
	Workouts  []scheduledWorkout `json:"workouts"`
	Lifts     []scheduledLift    `json:"lifts"`
}

// The two items are aliases of nameless types, because the contract has their
// schemas inline: a named type would become a definition.
type (
	scheduledWorkout = struct {
		Workout
		Created bool `json:"created"`
	}
	scheduledLift = struct {
		WorkoutID int64  `json:"workout_id"`
		Exercise  string `json:"exercise"`
		TopWeight *int64 `json:"top_weight"`
		Reps      *int64 `json:"reps"`
		Reason    string `json:"reason"`
	}
)

// GenerateProgramWeek turns one written week into sessions.
func GenerateProgramWeek() contract.Tool {
	return contract.New(contract.Spec{
		Name: "generate_program_week", Title: "Schedule a week", Scope: "write",
		Says:     "Turn one written week into real sessions: one per training day, warm-ups included, dated from the block, with loads worked out from how the previous week went and rounded to what the bar can hold. week defaults to the one today falls in. Running it again changes nothing and never rewrites lifted work. Returns the sessions, whether each was created now, and for every lift its top weight and the reason for it.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Sessions already there are returned untouched.", Narrow: "Read the sessions one by one with get_workout.",
	}, generateProgramWeek)
}

// generator writes one week. Days are written in their order; a day that has
// its workout is left alone.
type generator struct {
	tx      *db.Tx
	who     contract.Caller
	program Program
	week    Week
	rack    strength.Rack
	history []strength.Session
	maxima  map[int64]int
}

func generateProgramWeek(ctx context.Context, tx *db.Tx, who contract.Caller, in GenerateProgramWeekIn) (contract.Answer[GenerateProgramWeekOut], error) {
	var none contract.Answer[GenerateProgramWeekOut]
	g, err := newGenerator(ctx, tx, who, in)
	if err != nil {
		return none, err
	}
	out := GenerateProgramWeekOut{
		ProgramID: g.program.ID, Week: g.week.Number,
		Workouts: []scheduledWorkout{}, Lifts: []scheduledLift{}, // never null
	}
	var said, refs []string
	for _, d := range g.week.Days {
		id, created, err := g.day(ctx, d)
		if err != nil {
			return none, err
		}
		if err := g.report(ctx, &out, id, created); err != nil {
			return none, err
		}
		w := out.Workouts[len(out.Workouts)-1]
		said = append(said, dayText(w.Workout, created))
		refs = append(refs, workoutRef(id))
	}
	text := fmt.Sprintf("Week %d of %s is scheduled: %s.", out.Week, g.program.Name, strings.Join(said, ", "))
	if len(said) == 0 {
		text = fmt.Sprintf("Week %d of %s has no training days, so nothing was scheduled.", out.Week, g.program.Name)
	}
	return contract.Answer[GenerateProgramWeekOut]{Out: out, Text: text, Refs: refs}, nil
}

func dayText(w Workout, created bool) string {
	already := ""
	if !created {
		already = ", already there"
	}
	return fmt.Sprintf("%s (%d sets%s)", store.Day(w.Date).Format("Mon Jan 2"), w.Sets, already)
}

func newGenerator(ctx context.Context, tx *db.Tx, who contract.Caller, in GenerateProgramWeekIn) (*generator, error) {
	program, err := lockProgram(ctx, tx, who, in.ProgramID)
	if err != nil {
		return nil, err
	}
	week, err := pickWeek(program, in.Week)
	if err != nil {
		return nil, err
	}
	return generatorFor(ctx, tx, who, program, week)
}

// generatorFor reads what the lifts of a week progress from.
func generatorFor(ctx context.Context, tx *db.Tx, who contract.Caller, program Program, week Week) (*generator, error) {
	g := &generator{tx: tx, who: who, program: program, week: week, maxima: map[int64]int{}}
	var err error
	if g.rack, err = store.RackOf(ctx, tx, who.Workspace); err != nil {
		return nil, err
	}
	g.history, err = store.History(ctx, tx, who.Workspace, program.ID, week.Number)
	return g, err
}

func pickWeek(p Program, number *int64) (Week, error) {
	if number == nil {
		number = p.CurrentWeek
	}
	if number == nil {
		return Week{}, fault.Refuse("%s runs %d week(s) from %s, which does not cover today. Name a week.", p.Name, p.WeekCount, p.StartDate).At("week")
	}
	return weekOf(p, *number, "week")
}

// weekOf returns the week of that number, which the named argument asked for.
func weekOf(p Program, number int64, argument string) (Week, error) {
	for _, w := range p.Weeks {
		if w.Number == number {
			return w, nil
		}
	}
	return Week{}, fault.Missing("Program %d has no week %d; it has %d.", p.ID, number, p.WeekCount).At(argument)
}

// day returns the workout of a training day and makes it when there is none.
func (g *generator) day(ctx context.Context, d Day) (id int64, created bool, err error) {
	if d.WorkoutID != nil {
		// Locked, so that it is still there when the answer is read.
		found, err := store.Lock(ctx, g.tx, g.who.Workspace, *d.WorkoutID)
		if err != nil || found {
			return *d.WorkoutID, false, err
		}
	}
	written, err := g.lifts(ctx, d)
	if err != nil {
		return 0, false, err
	}
	return store.GenerateWorkout(ctx, g.tx, g.who.Workspace, d.ID, d.Date, written, author(g.who))
}

// lifts works out what each lift of the day writes.
func (g *generator) lifts(ctx context.Context, d Day) ([]store.WrittenLift, error) {
	written := make([]store.WrittenLift, len(d.Lifts))
	for i, l := range d.Lifts {
		var err error
		if written[i], err = g.lift(ctx, d, l); err != nil {
			return nil, err
		}
	}
	return written, nil
}

// lift works out what one lift of the day writes.
func (g *generator) lift(ctx context.Context, d Day, l Lift) (store.WrittenLift, error) {
	var none store.WrittenLift
	if err := g.learnMax(ctx, l); err != nil {
		return none, err
	}
	made, err := strength.GenerateLift(prescription(l), g.dayOf(d), g.history, func(exercise int64) int { return g.maxima[exercise] })
	if noMax, ok := errors.AsType[*strength.NoMaxError](err); ok {
		return none, fault.Refuse("%s", noMax.Error())
	}
	if err != nil {
		return none, fmt.Errorf("work out lift %d: %w", l.ID, err)
	}
	return store.WrittenLift{Lift: l.ID, Exercise: l.ExerciseID, PerSide: l.IsPerSide, Barbell: l.IsBarbell, Generated: made}, nil
}

// dayOf returns where in the block a day is generated.
func (g *generator) dayOf(d Day) strength.Day {
	return strength.Day{
		Week: int(g.week.Number), Weekday: int(d.Weekday), Deload: g.week.IsDeload,
		PreferredReps: store.Number(g.program.PreferredReps), Ascending: g.program.IsAscending, Rack: g.rack,
	}
}

// learnMax reads the estimated max that a percentage needs, once per movement.
func (g *generator) learnMax(ctx context.Context, l Lift) error {
	if _, known := g.maxima[l.ExerciseID]; known || l.PercentOfMax == nil {
		return nil
	}
	basis, _, err := store.EstimatedMax(ctx, g.tx, g.who.Workspace, l.ExerciseID, g.who.Today(g.tx.Now()))
	g.maxima[l.ExerciseID] = basis.Best
	return err
}

func prescription(l Lift) strength.Lift {
	return strength.Lift{
		Exercise: l.ExerciseID, Name: l.Exercise, Position: int(l.Position),
		Written:  strength.Written{Sets: int(l.Sets), Reps: store.Number(l.Reps), Seconds: store.Number(l.DurationSeconds)},
		Weighted: l.IsWeighted, Barbell: l.IsBarbell, Main: l.IsMain, Rule: strength.Progression(valueOr(l.Progression, "")),
		Top: store.Number(l.TopWeight), Percent: store.Number(l.PercentOfMax),
		StepUp: store.Number(l.StepUp), StepDown: store.Number(l.StepDown), RepsTo: store.Number(l.RepsTo), StartsHere: l.StartsHere,
	}
}

// report adds a workout and its lifts to the answer, from the rows as they
// are, so that a second run answers what the first one wrote.
func (g *generator) report(ctx context.Context, out *GenerateProgramWeekOut, id int64, created bool) error {
	row, found, err := store.WorkoutByID(ctx, g.tx, g.who.Workspace, id)
	if err == nil && !found {
		err = missing("workout", id)
	}
	if err != nil {
		return err
	}
	sets, err := store.SetsOf(ctx, g.tx, g.who.Workspace, id)
	if err != nil {
		return err
	}
	out.Workouts = append(out.Workouts, scheduledWorkout{workout(row, g.who.Today(g.tx.Now())), created})
	for i, s := range sets {
		if s.PlanReason == nil {
			continue
		}
		top := topOf(sets[i:])
		out.Lifts = append(out.Lifts, scheduledLift{id, s.Exercise, top.PlannedWeight, top.PlannedReps, *s.PlanReason})
	}
	return nil
}

// topOf returns the heaviest planned set of the lift that the first set
// belongs to.
func topOf(sets []store.SetRow) store.SetRow {
	top := sets[0]
	for _, s := range sets[1:] {
		if s.ProgramLiftID == nil || top.ProgramLiftID == nil || *s.ProgramLiftID != *top.ProgramLiftID {
			break
		}
		if store.Number(s.PlannedWeight) > store.Number(top.PlannedWeight) {
			top = s
		}
	}
	return top
}
