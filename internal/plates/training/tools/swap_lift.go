package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// SwapLiftIn names a lift of a session and the movement to do instead. Its own
// movement swaps it back.
type SwapLiftIn struct {
	WorkoutID     int64  `json:"workout_id"`
	ProgramLiftID int64  `json:"program_lift_id"`
	Exercise      string `json:"exercise"`
}

// SwapLiftOut is the open sets of the lift after the swap.
type SwapLiftOut struct {
	Exercise string `json:"exercise"`
	Planned  string `json:"planned"` // the movement of the plan
	Sets     []Set  `json:"sets"`
}

// SwapLift replaces the movement of one lift in one session.
func SwapLift() contract.Tool {
	return contract.New(contract.Spec{
		Name: "swap_lift", Title: "Swap a lift for today", Scope: "write", Surfaces: pagesOnly,
		Says:     "Do another movement for one lift of one session. Its open sets take the movement; loads become the same percentage of its estimated max, or none when a max is not known. The plan stays, and the lift counts as not trained when none of its own sets is left. The lift's own movement swaps it back.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Changes the movement and the loads of open sets; the prescription stays beside them, and the lift's own movement takes it back.",
	}, swapLift)
}

// liftSwap is one lift of a session on its way to another movement.
type liftSwap struct {
	tx      *db.Tx
	who     contract.Caller
	workout int64
	lift    store.LiftsOfWorkoutRow
	to      store.ExerciseRow
	sets    []store.SetRow // of the whole session
	grid    strength.Grid
	date    dbtype.Date
}

func swapLift(ctx context.Context, tx *db.Tx, who contract.Caller, in SwapLiftIn) (contract.Answer[SwapLiftOut], error) {
	var none contract.Answer[SwapLiftOut]
	s, rack, err := openSwap(ctx, tx, who, in)
	if err != nil {
		return none, err
	}
	open := s.open(false)
	if len(open) == 0 {
		return none, fault.Refuse("Every set of %s is done, so there is nothing to swap.", s.lift.Exercise)
	}
	price, err := s.price(ctx)
	if err != nil {
		return none, err
	}
	for i := range open {
		if err := s.replace(ctx, &open[i], price); err != nil {
			return none, err
		}
	}
	if err := s.warmUp(ctx, open); err != nil {
		return none, err
	}
	out := SwapLiftOut{Exercise: s.to.Name, Planned: s.lift.Exercise, Sets: []Set{}}
	for _, row := range open {
		out.Sets = append(out.Sets, set(row, rack))
	}
	text := fmt.Sprintf("%s instead of %s on %s.", s.to.Name, s.lift.Exercise, s.date)
	if s.back() {
		text = fmt.Sprintf("%s again on %s.", s.to.Name, s.date)
	}
	return contract.Answer[SwapLiftOut]{Out: out, Text: text, Refs: []string{workoutRef(s.workout)}}, nil
}

// openSwap finds the lift in the session and the movement, under the lock of
// the session.
func openSwap(ctx context.Context, tx *db.Tx, who contract.Caller, in SwapLiftIn) (*liftSwap, strength.Rack, error) {
	s := &liftSwap{tx: tx, who: who, workout: in.WorkoutID}
	found, err := store.Lock(ctx, tx, who.Workspace, in.WorkoutID)
	if err == nil && !found {
		err = missing("workout", in.WorkoutID)
	}
	if err != nil {
		return nil, strength.Rack{}, err
	}
	lifts, err := store.New(tx).LiftsOfWorkout(ctx, who.Workspace, in.WorkoutID)
	if err != nil {
		return nil, strength.Rack{}, fmt.Errorf("read the lifts of workout %d: %w", in.WorkoutID, err)
	}
	for _, l := range lifts {
		if l.ID == in.ProgramLiftID {
			s.lift = l
		}
	}
	if s.lift.ID == 0 {
		return nil, strength.Rack{}, missing("lift", in.ProgramLiftID)
	}
	if s.to, err = namedExercise(ctx, tx, who, in.Exercise); err != nil {
		return nil, strength.Rack{}, err
	}
	if s.sets, err = store.SetsOf(ctx, tx, who.Workspace, s.workout); err != nil {
		return nil, strength.Rack{}, err
	}
	rack, err := store.RackOf(ctx, tx, who.Workspace)
	s.grid, s.date = rack.Grid(s.to.IsBarbell), s.sets[0].Date
	return s, rack, err
}

func (s *liftSwap) back() bool { return s.to.ID == s.lift.ExerciseID }

// open returns the open warm-ups or the open working sets of the lift.
func (s *liftSwap) open(warmup bool) []store.SetRow {
	var list []store.SetRow
	for _, r := range s.sets {
		if wrote(s.lift.ID, r) && !r.IsCompleted && r.IsWarmup == warmup {
			list = append(list, r)
		}
	}
	return list
}

// price returns what a planned load is on the new movement: the same share of
// its estimated max, on the grid of the rack; nil when a max is not known.
func (s *liftSwap) price(ctx context.Context) (func(planned *int64) *int64, error) {
	if s.back() {
		return func(planned *int64) *int64 { return planned }, nil
	}
	old, known, err := store.EstimatedMax(ctx, s.tx, s.who.Workspace, s.lift.ExerciseID, s.date)
	if err != nil {
		return nil, err
	}
	now, also, err := store.EstimatedMax(ctx, s.tx, s.who.Workspace, s.to.ID, s.date)
	if err != nil {
		return nil, err
	}
	return func(planned *int64) *int64 {
		if planned == nil || !known || !also || old.Best == 0 {
			return nil
		}
		return store.Optional(strength.SameShare(int(*planned), old.Best, now.Best, s.grid))
	}, nil
}

// replace gives one open set the movement. Its prescription stays.
func (s *liftSwap) replace(ctx context.Context, r *store.SetRow, price func(*int64) *int64) error {
	if r.ExerciseID == s.to.ID {
		return nil
	}
	r.ExerciseID, r.Exercise, r.IsBarbell = s.to.ID, s.to.Name, s.to.IsBarbell
	if s.back() {
		r.IsBarbell = s.lift.IsBarbell
	}
	r.Weight = price(r.PlannedWeight)
	_, err := store.New(s.tx).UpdateSet(ctx, store.UpdateSetParams{
		ExerciseID: r.ExerciseID, Measure: r.Measure, Weight: r.Weight, Reps: r.Reps, DurationSeconds: r.DurationSeconds,
		IsPerSide: r.IsPerSide, IsWarmup: r.IsWarmup, IsCompleted: r.IsCompleted, IsBarbell: r.IsBarbell,
		Rpe: r.Rpe, Note: r.Note, CompletedAt: r.CompletedAt, WorkspaceID: s.who.Workspace, ID: r.ID,
	})
	if err != nil {
		return fmt.Errorf("swap the movement of set %d: %w", r.ID, err)
	}
	return nil
}

// warmUp takes the open warm-ups of the old movement away and writes those of
// the new one, unless the lifter has begun to warm up.
func (s *liftSwap) warmUp(ctx context.Context, work []store.SetRow) error {
	gone := map[int64]bool{}
	for _, r := range s.open(true) {
		if r.ExerciseID == s.to.ID {
			return nil // swapped to this movement before
		}
		if _, err := store.New(s.tx).DeleteSet(ctx, s.who.Workspace, r.ID); err != nil {
			return fmt.Errorf("remove warm-up %d: %w", r.ID, err)
		}
		gone[r.ID] = true
	}
	gap := store.Gap{Before: work[0].Position}
	for _, r := range s.sets {
		if wrote(s.lift.ID, r) && r.IsCompleted {
			return nil
		}
		if r.Position < gap.Before && !gone[r.ID] {
			gap.Behind = r.Position
		}
	}
	lightest, top := bounds(work)
	if !work[0].IsBarbell || lightest == 0 {
		return nil
	}
	return store.WriteLiftSets(ctx, s.tx, s.who.Workspace, s.workout, gap, store.WrittenLift{
		Lift: s.lift.ID, Exercise: s.to.ID, PerSide: work[0].IsPerSide, Barbell: true,
		Generated: strength.Generated{Warmups: strength.Ramp(top, s.grid, lightest)},
	}, author(s.who))
}

func bounds(work []store.SetRow) (lightest, top strength.Pounds) {
	for i, r := range work {
		w := store.Number(r.Weight)
		if i == 0 || w < lightest {
			lightest = w
		}
		top = max(top, w)
	}
	return lightest, top
}
