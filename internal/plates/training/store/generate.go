package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/plates/training/strength"
)

// History returns the sessions that lifts of the block wrote in its weeks
// before the given one, deload weeks left out: what a progression reads.
func History(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, program, beforeWeek int64) ([]strength.Session, error) {
	rows, err := New(tx).WrittenSets(ctx, WrittenSetsParams{WorkspaceID: ws, ProgramID: program, BeforeWeek: beforeWeek})
	if err != nil {
		return nil, fmt.Errorf("read what block %d wrote: %w", program, err)
	}
	var list []strength.Session
	var lift int64
	for _, r := range rows {
		if r.LiftID != lift {
			lift = r.LiftID
			list = append(list, strength.Session{
				Week: int(r.Week), Weekday: int(r.Weekday), Exercise: r.LiftExerciseID, Position: int(r.LiftPosition),
				Written: strength.Written{Sets: int(r.WrittenSets), Reps: Number(r.WrittenReps), Seconds: Number(r.WrittenSeconds)},
			})
		}
		at := &list[len(list)-1]
		at.Work = append(at.Work, strength.Work{
			Exercise: r.ExerciseID, Warmup: r.IsWarmup, Done: r.IsCompleted,
			Planned: strength.Set{Weight: Number(r.PlannedWeight), Reps: Number(r.PlannedReps), Seconds: Number(r.PlannedDurationSeconds)},
			Actual:  strength.Set{Weight: Number(r.Weight), Reps: Number(r.Reps), Seconds: Number(r.DurationSeconds)},
		})
	}
	for i := range list {
		untrainedWhenSwapped(&list[i])
	}
	return list, nil
}

// untrainedWhenSwapped turns a session in which another movement was done for
// every set of the lift into one in which the lift was not trained: what was
// written for it still stands beside those sets.
func untrainedWhenSwapped(s *strength.Session) {
	if slices.ContainsFunc(s.Work, func(w strength.Work) bool { return w.Exercise == s.Exercise && !w.Warmup }) {
		return
	}
	for i := range s.Work {
		s.Work[i].Exercise, s.Work[i].Done = s.Exercise, false
	}
}

// WorkoutOfProgramDay returns the workout that was generated from a day, and
// false when there is none.
func WorkoutOfProgramDay(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, day int64) (int64, bool, error) {
	workout, err := New(tx).WorkoutOfDay(ctx, ws, &day)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("find the workout of day %d: %w", day, err)
	}
	return workout, true, nil
}

// GenerateWorkout writes the session of a training day: a workout on the date
// and the sets that its lifts write. When another generator was faster it
// returns that one's workout, untouched, and made is false.
func GenerateWorkout(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, day int64, date dbtype.Date, lifts []WrittenLift, by Author) (workout int64, made bool, err error) {
	if err := allVisible(ctx, tx, ws, lifts); err != nil {
		return 0, false, err
	}
	workout, err = New(tx).InsertGeneratedWorkout(ctx, InsertGeneratedWorkoutParams{
		WorkspaceID: ws, Date: date, ProgramDayID: &day,
		CreatedByClientID: by.ClientColumn(), CreatedByAccountID: by.AccountColumn(), CreatedAt: dbtype.At(tx.Now()),
	})
	if errors.Is(err, sql.ErrNoRows) {
		return otherWorkout(ctx, tx, ws, day)
	}
	if err != nil {
		return 0, false, fmt.Errorf("insert the workout of day %d: %w", day, err)
	}
	return workout, true, insertWrittenSets(ctx, tx, ws, workout, 0, lifts, by)
}

// otherWorkout returns the workout that another generator wrote for the day.
// One that was deleted since is a clash: the caller looks again.
func otherWorkout(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, day int64) (workout int64, made bool, err error) {
	workout, found, err := WorkoutOfProgramDay(ctx, tx, ws, day)
	if err == nil && !found {
		err = fault.Clash("The session of this day was written and deleted by somebody else just now, so nothing was changed.").Next("Generate the week again.")
	}
	return workout, false, err
}

// allVisible refuses lifts with a movement that the workspace does not see.
func allVisible(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, lifts []WrittenLift) error {
	ids := map[int64]bool{}
	for _, l := range lifts {
		ids[l.Exercise] = true
	}
	list, _ := json.Marshal(slices.Collect(maps.Keys(ids))) // numbers always encode
	if len(ids) == 0 {
		return nil
	}
	n, err := New(tx).CountVisible(ctx, &ws, string(list))
	if err != nil {
		return fmt.Errorf("look up the movements of a day: %w", err)
	}
	if n != int64(len(ids)) {
		return fault.Missing("A movement of this day is not one of this workspace.")
	}
	return nil
}

// Author is who makes a row: an account, and the client that acted for it.
type Author struct {
	Account id.AccountID
	Client  id.ClientID // 0 = a person
}

// ClientColumn returns the client as a column, NULL for a person.
func (a Author) ClientColumn() *int64 {
	if a.Client == 0 {
		return nil
	}
	v := int64(a.Client)
	return &v
}

// AccountColumn returns the account as a column.
func (a Author) AccountColumn() *int64 {
	if a.Account == 0 {
		return nil
	}
	v := int64(a.Account)
	return &v
}

// WrittenLift is what one lift writes into a session.
type WrittenLift struct {
	Lift      int64
	Exercise  int64
	PerSide   bool
	Barbell   bool
	Generated strength.Generated
}

var setColumns = []string{
	"workspace_id", "workout_id", "exercise_id", "program_lift_id", "position", "measure", "weight", "reps", "duration_seconds",
	"planned_weight", "planned_reps", "planned_duration_seconds", "is_per_side", "is_warmup", "is_barbell", "plan_reason",
	"created_by_client_id", "created_by_account_id", "created_at",
}

// insertWrittenSets writes the sets of lifts in their order, behind a position:
// the warm-ups and then the working sets of each lift, open, planned as they
// are. The reason stands on the first working set of its lift.
func insertWrittenSets(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, workout, behind int64, lifts []WrittenLift, by Author) error {
	var rows [][]any
	at := dbtype.At(tx.Now())
	add := func(l WrittenLift, s strength.Set, warmup bool, reason *string) {
		measure := "reps"
		if s.Seconds > 0 {
			measure = "time"
		}
		weight, reps, seconds := Optional(s.Weight), Optional(s.Reps), Optional(s.Seconds)
		rows = append(rows, []any{
			ws, workout, l.Exercise, l.Lift, behind + int64(len(rows)+1), measure, weight, reps, seconds,
			weight, reps, seconds, l.PerSide, warmup, l.Barbell, reason,
			by.ClientColumn(), by.AccountColumn(), at,
		})
	}
	for _, l := range lifts {
		for _, s := range l.Generated.Warmups {
			add(l, s, true, nil)
		}
		for i, s := range l.Generated.Working {
			var reason *string
			if i == 0 {
				reason = &l.Generated.Reason
			}
			add(l, s, false, reason)
		}
	}
	if err := tx.InsertMany(ctx, "training_sets", setColumns, rows); err != nil {
		return fmt.Errorf("write the sets of workout %d: %w", workout, err)
	}
	return nil
}
