package tools

import (
	"context"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// BlockProgressIn may name a block and a movement.
type BlockProgressIn struct {
	ProgramID *int64  `json:"program_id"`
	Exercise  *string `json:"exercise"`
}

// BlockProgressOut is what became of the weeks of a block and of its lifts.
type BlockProgressOut struct {
	Program ProgramSummary `json:"program"`
	Weeks   []progressWeek `json:"weeks"`
	Lifts   []progressLift `json:"lifts"`
}

// The items are aliases of nameless types, because the contract has their
// schemas inline.
type (
	progressWeek = struct {
		Number    int64            `json:"number"`
		IsDeload  bool             `json:"is_deload"`
		StartDate dbtype.Date      `json:"start_date"`
		Sessions  progressSessions `json:"sessions"`
		Sets      int              `json:"sets"`
		Reps      int              `json:"reps"`
		Tonnage   int              `json:"tonnage"`
		Seconds   int              `json:"seconds"`
	}
	progressSessions = struct {
		Planned      int `json:"planned"`
		Performed    int `json:"performed"`
		Skipped      int `json:"skipped"`
		NotGenerated int `json:"not_generated"`
	}
	progressLift = struct {
		Exercise         string             `json:"exercise"`
		ExerciseID       int64              `json:"exercise_id"`
		Progression      *string            `json:"progression"`
		Goal             *Goal              `json:"goal"`
		Weeks            []progressLiftWeek `json:"weeks"`
		PlannedTopChange *int64             `json:"planned_top_change"`
		EstimatedChange  *int64             `json:"estimated_1rm_change"`
	}
	progressLiftWeek = struct {
		Week        int64  `json:"week"`
		IsDeload    bool   `json:"is_deload"`
		PlannedTop  *int64 `json:"planned_top"`
		PlannedReps *int64 `json:"planned_reps"`
		LiftedTop   *int64 `json:"lifted_top"`
		LiftedReps  *int64 `json:"lifted_reps"`
		Outcome     string `json:"outcome" enum:"met,short,untrained,not_generated"`
		Estimated   *int64 `json:"estimated_1rm"`
	}
)

// BlockProgress reads how a block is going.
func BlockProgress() contract.Tool {
	return contract.New(contract.Spec{
		Name: "block_progress", Title: "Block progress", Scope: "read",
		Says:     "How a training block is going. Per week: sessions planned, performed, skipped or not generated, working sets, reps, tonnage and seconds. Per lift and week: the planned top set, what was lifted at the top, how the progression read it (met, short, untrained), and the estimated max at the end of the week; plus the lift's rule, its goal, and the change from the first to the latest non-deload week. Defaults to the block that covers today. Reports numbers and draws no verdict.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Reads only.", Narrow: "Name one exercise.",
	}, blockProgress)
}

func blockProgress(ctx context.Context, tx *db.Tx, who contract.Caller, in BlockProgressIn) (contract.Answer[BlockProgressOut], error) {
	var none contract.Answer[BlockProgressOut]
	only := int64(0) // the movement that is asked for
	if in.Exercise != nil {
		movement, err := namedExercise(ctx, tx, who, *in.Exercise)
		if err != nil {
			return none, err
		}
		only = movement.ID
	}
	p, err := blockOrToday(ctx, tx, who, in.ProgramID)
	if err != nil {
		return none, err
	}
	r, err := readBlock(ctx, tx, who, p)
	if err != nil {
		return none, err
	}
	out := BlockProgressOut{Program: p.ProgramSummary, Weeks: r.weeks(), Lifts: []progressLift{}}
	text := []string{progressText(out)}
	for _, l := range r.movements() {
		if only != 0 && l.ExerciseID != only {
			continue
		}
		one, err := r.lift(ctx, tx, who, l)
		if err != nil {
			return none, err
		}
		out.Lifts = append(out.Lifts, one)
		text = append(text, r.liftText(one))
	}
	return contract.Answer[BlockProgressOut]{Out: out, Text: strings.Join(text, "\n")}, nil
}

// blockOrToday returns the block that is named, or the one that covers today.
func blockOrToday(ctx context.Context, tx *db.Tx, who contract.Caller, id *int64) (Program, error) {
	if id != nil {
		return ReadProgram(ctx, tx, who, *id)
	}
	const all = 200
	rows, err := store.New(tx).Programs(ctx, who.Workspace, all)
	if err != nil {
		return Program{}, fmt.Errorf("list blocks: %w", err)
	}
	weeks, err := weekNumbers(ctx, tx, who)
	if err != nil {
		return Program{}, err
	}
	today := store.Day(who.Today(tx.Now()))
	var named []string
	for _, r := range rows {
		if strength.WeekOn(store.Day(r.StartDate), today, weeks[r.ID]) != 0 {
			return ReadProgram(ctx, tx, who, r.ID)
		}
		if len(named) < 5 {
			named = append(named, fmt.Sprintf("%s (id %d)", r.Name, r.ID))
		}
	}
	if len(named) == 0 {
		return Program{}, fault.Refuse("No blocks have been written yet.")
	}
	return Program{}, fault.Refuse("No block covers today. Name one with program_id: %s.", strings.Join(named, ", ")).At("program_id")
}

// blockReport is a block with what its days became.
type blockReport struct {
	program  Program
	today    dbtype.Date
	status   map[int64]strength.Status     // of the workout, by day
	date     map[int64]dbtype.Date         // of the workout, by day
	byWeek   map[int64][]strength.Logged   // every working set, by week
	byLift   map[int64][]store.BlockLogRow // what each lift wrote
	evidence map[int64]store.Evidence      // for the max of a movement
	goals    store.Goals
}

func readBlock(ctx context.Context, tx *db.Tx, who contract.Caller, p Program) (*blockReport, error) {
	r := &blockReport{
		program: p, today: who.Today(tx.Now()), status: map[int64]strength.Status{}, date: map[int64]dbtype.Date{},
		byWeek: map[int64][]strength.Logged{}, byLift: map[int64][]store.BlockLogRow{}, evidence: map[int64]store.Evidence{},
	}
	q := store.New(tx)
	workouts, err := q.BlockWorkouts(ctx, who.Workspace, p.ID)
	if err != nil {
		return nil, fmt.Errorf("read the workouts of block %d: %w", p.ID, err)
	}
	for _, w := range workouts {
		r.status[*w.ProgramDayID], r.date[*w.ProgramDayID] = w.Status(store.Day(r.today)), w.Date
	}
	sets, err := q.BlockLog(ctx, who.Workspace, p.ID)
	if err != nil {
		return nil, fmt.Errorf("read the sets of block %d: %w", p.ID, err)
	}
	for _, s := range sets {
		r.byWeek[s.Week] = append(r.byWeek[s.Week], strength.Logged{Day: store.Day(s.Date), Set: s.Actual(), PerSide: s.IsPerSide, Done: s.IsCompleted})
		if s.ProgramLiftID != nil {
			r.byLift[*s.ProgramLiftID] = append(r.byLift[*s.ProgramLiftID], s)
		}
	}
	r.goals, err = store.GoalsOf(ctx, tx, who.Workspace)
	return r, err
}

func (r *blockReport) weeks() []progressWeek {
	list := make([]progressWeek, len(r.program.Weeks))
	for i, w := range r.program.Weeks {
		v := strength.VolumeOf(r.byWeek[w.Number])
		list[i] = progressWeek{
			Number: w.Number, IsDeload: w.IsDeload, StartDate: w.StartDate, Sessions: r.sessions(w),
			Sets: v.Sets, Reps: v.Reps, Tonnage: v.Tonnage, Seconds: v.Seconds,
		}
	}
	return list
}

func (r *blockReport) sessions(w Week) (s progressSessions) {
	for _, d := range w.Days {
		switch r.status[d.ID] {
		case strength.Planned:
			s.Planned++
		case strength.Performed:
			s.Performed++
		case strength.Skipped:
			s.Skipped++
		default:
			s.NotGenerated++
		}
	}
	return s
}

// movements returns the latest lift of every movement of the block, in the
// order in which the block names them first.
func (r *blockReport) movements() []Lift {
	var list []Lift
	at := map[int64]int{}
	for _, w := range r.program.Weeks {
		for _, d := range w.Days {
			for _, l := range d.Lifts {
				if i, seen := at[l.ExerciseID]; seen {
					list[i] = l
					continue
				}
				at[l.ExerciseID] = len(list)
				list = append(list, l)
			}
		}
	}
	return list
}

// lift reads what became of a movement in every week that has it.
func (r *blockReport) lift(ctx context.Context, tx *db.Tx, who contract.Caller, l Lift) (progressLift, error) {
	one := progressLift{Exercise: l.Exercise, ExerciseID: l.ExerciseID, Progression: l.Progression, Weeks: []progressLiftWeek{}}
	if one.Goal = goal(r.goals.For(l.ExerciseID, r.program.ID)); one.Goal == nil {
		one.Goal = goal(r.goals.For(l.ExerciseID, 0))
	}
	evidence, err := store.EvidenceOf(ctx, tx, who.Workspace, l.ExerciseID, r.today)
	if err != nil {
		return one, err
	}
	for _, w := range r.program.Weeks {
		week, has := r.liftWeek(w, l.ExerciseID)
		if !has {
			continue
		}
		if w.StartDate <= r.today { // a week to come says nothing yet
			if max, ok := evidence.On(store.Date(strength.WeekStart(store.Day(w.StartDate), 2).AddDate(0, 0, -1))); ok {
				week.Estimated = store.Optional(max.Best)
			}
		}
		one.Weeks = append(one.Weeks, week)
	}
	one.PlannedTopChange = moved(one.Weeks, func(w progressLiftWeek) *int64 { return w.PlannedTop })
	one.EstimatedChange = moved(one.Weeks, func(w progressLiftWeek) *int64 { return w.Estimated })
	return one, nil
}

// liftWeek reads one week of a movement. Where the week has several lifts of
// it, the one with the heaviest plan speaks for the week.
func (r *blockReport) liftWeek(w Week, exercise int64) (best progressLiftWeek, has bool) {
	for _, d := range w.Days {
		for _, l := range d.Lifts {
			if l.ExerciseID != exercise {
				continue
			}
			one := r.written(l)
			one.Week, one.IsDeload = w.Number, w.IsDeload
			if !has || valueOr(one.PlannedTop, 0) > valueOr(best.PlannedTop, 0) {
				best, has = one, true
			}
		}
	}
	return best, has
}

// written reads what one lift wrote and what was done of it.
func (r *blockReport) written(l Lift) progressLiftWeek {
	var work []strength.Work
	var plan, lifted strength.Set
	for _, s := range r.byLift[l.ID] {
		work = append(work, strength.Work{Exercise: s.ExerciseID, Done: s.IsCompleted, Planned: s.Plan(), Actual: s.Actual()})
		if s.ExerciseID != l.ExerciseID {
			continue // swapped for another movement
		}
		plan = heavier(plan, s.Plan())
		if s.IsCompleted {
			lifted = heavier(lifted, s.Actual())
		}
	}
	outcome := string(strength.OutcomeOf(l.ExerciseID, work))
	if outcome == string(strength.Uncounted) {
		outcome = "not_generated"
	}
	return progressLiftWeek{
		PlannedTop: store.Optional(plan.Weight), PlannedReps: store.Optional(plan.Reps),
		LiftedTop: store.Optional(lifted.Weight), LiftedReps: store.Optional(lifted.Reps), Outcome: outcome,
	}
}

// heavier returns the heavier of two sets, the one with more reps of equals.
func heavier(a, b strength.Set) strength.Set {
	if b.Weight > a.Weight || b.Weight == a.Weight && b.Reps > a.Reps {
		return b
	}
	return a
}

// moved returns the change from the first to the latest week that has a value
// and is no deload; nil when fewer than two have one.
func moved(weeks []progressLiftWeek, of func(progressLiftWeek) *int64) *int64 {
	var values []int64
	for _, w := range weeks {
		if v := of(w); v != nil && !w.IsDeload {
			values = append(values, *v)
		}
	}
	if len(values) < 2 {
		return nil
	}
	change := values[len(values)-1] - values[0]
	return &change
}

func progressText(out BlockProgressOut) string {
	head := fmt.Sprintf("%s, %d week(s) from %s", out.Program.Name, out.Program.WeekCount, out.Program.StartDate)
	if out.Program.CurrentWeek != nil {
		head = fmt.Sprintf("%s, week %d of %d", out.Program.Name, *out.Program.CurrentWeek, out.Program.WeekCount)
	}
	var all progressSessions
	for _, w := range out.Weeks {
		all.Performed += w.Sessions.Performed
		all.Skipped += w.Sessions.Skipped
		all.Planned += w.Sessions.Planned + w.Sessions.NotGenerated
	}
	return fmt.Sprintf("%s: %d performed, %d skipped, %d still planned.", head, all.Performed, all.Skipped, all.Planned)
}

// liftText tells a movement week by week: "  Back Squat: w1 165x3 met, w2
// 170x3 not trained yet; estimated max 191 to 197."
func (r *blockReport) liftText(l progressLift) string {
	var weeks []string
	var first, last *int64
	for _, w := range l.Weeks {
		if first == nil {
			first = w.Estimated
		}
		if w.Estimated != nil {
			last = w.Estimated
		}
		if w.Outcome != "not_generated" {
			weeks = append(weeks, fmt.Sprintf("w%d%s %s", w.Week, plannedLabel(w), r.outcomeWord(l.ExerciseID, w)))
		}
	}
	text := "  " + l.Exercise + ": " + strings.Join(weeks, ", ")
	if len(weeks) == 0 {
		text = "  " + l.Exercise + ": not scheduled yet"
	}
	switch {
	case first != nil && *first != *last:
		text += fmt.Sprintf("; estimated max %d to %d", *first, *last)
	case first != nil:
		text += fmt.Sprintf("; estimated max %d", *first)
	}
	return text + "."
}

func plannedLabel(w progressLiftWeek) string {
	if w.PlannedTop == nil && w.PlannedReps == nil {
		return ""
	}
	return " " + strength.SetLabel(strength.Set{Weight: store.Number(w.PlannedTop), Reps: store.Number(w.PlannedReps)}, false)
}

// outcomeWord says how a session went; one that is not over yet is not missed.
func (r *blockReport) outcomeWord(exercise int64, w progressLiftWeek) string {
	if w.Outcome != string(strength.Untrained) {
		return w.Outcome
	}
	for _, week := range r.program.Weeks {
		for _, d := range week.Days {
			for _, l := range d.Lifts {
				if week.Number == w.Week && l.ExerciseID == exercise && r.date[d.ID] >= r.today {
					return "not trained yet"
				}
			}
		}
	}
	return "not trained"
}
