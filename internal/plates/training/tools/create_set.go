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

// CreateSetIn is one set to log.
type CreateSetIn struct {
	Exercise        string  `json:"exercise"`
	Date            *string `json:"date" doc:"'today' or YYYY-MM-DD"`
	WorkoutID       *int64  `json:"workout_id"`
	Weight          *int64  `json:"weight"`
	Reps            *int64  `json:"reps"`
	DurationSeconds *int64  `json:"duration_seconds"`
	RPE             *int64  `json:"rpe"`
	IsWarmup        bool    `json:"is_warmup,omitempty"`
	IsCompleted     bool    `json:"is_completed,omitempty"`
	IsPerSide       *bool   `json:"is_per_side"`
	Note            *string `json:"note"`
	RequestID       *string `json:"request_id" maxlen:"64"` // read by the gate
}

// CreateSetOut is the set that was logged.
type CreateSetOut struct {
	Set
	Created bool `json:"created"`
}

// CreateSet logs one set of a movement.
func CreateSet() contract.Tool {
	return contract.New(contract.Spec{
		Name: "create_set", Title: "Log a set", Scope: "write",
		Says:     "Log one set of a movement (by name, created if unknown) into the workout of a date (today by default, opened if missing) or a workout_id. Weights are whole pounds; leave weight out, or send 0, for no external load. Give reps, or duration_seconds for a held set. rpe is how hard that set was, 1 to 10. It is logged as not done unless is_completed is true. Plate math follows from the movement. Repeat request_id to retry safely. Returns the set with its plates per side. For a set a program already wrote, use complete_set instead.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.No, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound},
		Why:    "Every call logs another set unless request_id repeats.",
	}, tellingNew(createSet))
}

func createSet(ctx context.Context, tx *db.Tx, who contract.Caller, in CreateSetIn) (contract.Answer[CreateSetOut], error) {
	var none contract.Answer[CreateSetOut]
	if err := checkNumbers(in.Weight, in.Reps, in.DurationSeconds, in.RPE); err != nil {
		return none, err
	}
	if err := checkAll(checkExerciseName(in.Exercise), tooLong("A note", "note", in.Note, strength.MaxNote)); err != nil {
		return none, err
	}
	day, err := readWorkoutDay(valueOr(in.Date, "today"), "date", who.Today(tx.Now()))
	if err != nil {
		return none, err
	}
	into, err := workoutFor(ctx, tx, who, in, day)
	if err != nil {
		return none, err
	}
	movement, _, err := ensureExercise(ctx, tx, who, CreateExerciseIn{Name: in.Exercise})
	if err != nil {
		return none, at(err, "name", "exercise")
	}
	measure, err := measureOf(movement.DefaultMeasure, in.Reps, in.DurationSeconds)
	if err != nil {
		return none, err
	}
	logged, err := insertSet(ctx, tx, who, into, movement, measure, in)
	if err != nil {
		return none, err
	}
	row, out, err := readSet(ctx, tx, who, logged)
	if err != nil {
		return none, err
	}
	return contract.Answer[CreateSetOut]{
		Out:  CreateSetOut{Set: out, Created: true},
		Text: fmt.Sprintf("Logged %s of %s on %s (id %d).", label(row), row.Exercise, row.Date, row.ID), Refs: []string{setRef(row.ID), workoutRef(row.WorkoutID)},
	}, nil
}

// checkNumbers refuses a number outside its range.
func checkNumbers(weight, reps, seconds, rpe *int64) error {
	return checkAll(
		inRange(strength.WeightRange, "weight", weight), inRange(strength.RepsRange, "reps", reps),
		inRange(strength.DurationRange, "duration_seconds", seconds), inRange(strength.RPERange, "rpe", rpe),
	)
}

func checkExerciseName(name string) error {
	_, err := exerciseName(name)
	return at(err, "name", "exercise")
}

// at moves a refusal from one argument to the one that carries it here.
func at(err error, from, to string) error {
	if err == nil {
		return nil
	}
	if r := fault.From(err); len(r.Fields) == 1 && r.Fields[0].Path == "/"+from {
		r.Fields[0].Path = "/" + to
	}
	return err
}

// measureOf decides between repetitions and seconds. usual is the measure of
// the movement or of the set, which the sentence speaks of when both are
// missing.
func measureOf(usual string, reps, seconds *int64) (string, error) {
	switch {
	case reps != nil && seconds != nil:
		return "", fault.BadArgument("Give reps or duration_seconds, not both.").At("duration_seconds")
	case reps != nil:
		return "reps", nil
	case seconds != nil:
		return "time", nil
	case usual == "time":
		return "", fault.BadArgument("A timed set needs duration_seconds.").At("duration_seconds")
	}
	return "", fault.BadArgument("A set counted in reps needs reps.").At("reps")
}

// workoutFor returns the workout that the set goes into, locked: the one that
// was named, or the one of the date, which is opened when it is missing.
func workoutFor(ctx context.Context, tx *db.Tx, who contract.Caller, in CreateSetIn, day dbtype.Date) (int64, error) {
	if in.WorkoutID == nil {
		opened, _, err := openLocked(ctx, tx, who, day)
		return opened, err
	}
	found, err := store.Lock(ctx, tx, who.Workspace, *in.WorkoutID)
	if err == nil && !found {
		err = missing("workout", *in.WorkoutID)
	}
	return *in.WorkoutID, err
}

// openLocked opens the workout of a date and locks it. One that was deleted
// between the two is opened again; the workspace is locked, so once is enough.
func openLocked(ctx context.Context, tx *db.Tx, who contract.Caller, day dbtype.Date) (workout int64, created bool, err error) {
	for {
		opened, created, err := openWorkout(ctx, tx, who, day)
		if err != nil {
			return 0, false, err
		}
		found, err := store.Lock(ctx, tx, who.Workspace, opened)
		if err != nil || found || created {
			return opened, created, err
		}
	}
}

func insertSet(ctx context.Context, tx *db.Tx, who contract.Caller, workout int64, movement store.ExerciseRow, measure string, in CreateSetIn) (int64, error) {
	q := store.New(tx)
	last, err := q.LastPosition(ctx, who.Workspace, workout)
	if err != nil {
		return 0, fmt.Errorf("find the last position of workout %d: %w", workout, err)
	}
	by := author(who)
	p := store.InsertSetParams{
		WorkspaceID: who.Workspace, WorkoutID: workout, ExerciseID: movement.ID, Position: last + 1,
		Measure: measure, Weight: zeroAsNone(in.Weight), Reps: in.Reps, DurationSeconds: in.DurationSeconds,
		IsPerSide: valueOr(in.IsPerSide, movement.DefaultIsPerSide), IsWarmup: in.IsWarmup, IsCompleted: in.IsCompleted,
		IsBarbell: movement.IsBarbell, Rpe: in.RPE, Note: blankAsNone(in.Note),
		CreatedByClientID: by.ClientColumn(), CreatedByAccountID: by.AccountColumn(), CreatedAt: dbtype.At(tx.Now()),
	}
	if in.IsCompleted {
		p.CompletedAt = dbtype.At(tx.Now())
	}
	logged, found, err := store.AddSet(ctx, tx, p)
	if err == nil && !found {
		err = missing("exercise", movement.ID)
	}
	return logged, err
}

// zeroAsNone reads a logged 0 as no external load.
func zeroAsNone(weight *int64) *int64 {
	if weight == nil || *weight == 0 {
		return nil
	}
	return weight
}

// readSet returns a set as its row and as it is answered.
func readSet(ctx context.Context, tx *db.Tx, who contract.Caller, id int64) (store.SetRow, Set, error) {
	row, found, err := store.SetByID(ctx, tx, who.Workspace, id)
	if err == nil && !found {
		err = missing("set", id)
	}
	if err != nil {
		return store.SetRow{}, Set{}, err
	}
	rack, err := store.RackOf(ctx, tx, who.Workspace)
	if err != nil {
		return store.SetRow{}, Set{}, err
	}
	return row, set(row, rack), nil
}

func setRef(id int64) string { return fmt.Sprintf("set:%d", id) }
