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

// SetGoalIn is what is aimed at on a lift, or that nothing is any more.
type SetGoalIn struct {
	Exercise     string  `json:"exercise"`
	TargetWeight *int64  `json:"target_weight"`
	TargetReps   *int64  `json:"target_reps"`
	TargetDate   *string `json:"target_date" doc:"'today' or YYYY-MM-DD"`
	ProgramID    *int64  `json:"program_id"`
	Note         *string `json:"note"`
	Clear        bool    `json:"clear,omitempty"`
}

// SetGoalOut is the goal, the one before, and where the lift stands.
type SetGoalOut struct {
	Goal      *Goal `json:"goal"`
	Replaced  *Goal `json:"replaced"`
	Unchanged bool  `json:"unchanged"`
	Max
	BestSet   *Basis       `json:"best_set"`
	Reached   bool         `json:"reached"`
	ReachedOn *dbtype.Date `json:"reached_on"`
}

// SetGoal sets what is aimed at on a lift.
func SetGoal() contract.Tool {
	return contract.New(contract.Spec{
		Name: "set_goal", Title: "Set a lift goal", Scope: "write",
		Says:     "Set what is aimed at on one lift: a weight for a number of reps (1 by default), optionally by a date and for one block. It becomes the active goal for that lift; the one before is kept as history and returned. clear true removes the active goal. Also returns the estimated max with its source set, the heaviest set at those reps, and whether and when the goal has been lifted. For lifts only.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Goals are superseded and kept, so nothing is lost; the same goal again writes nothing.",
	}, setGoal)
}

func setGoal(ctx context.Context, tx *db.Tx, who contract.Caller, in SetGoalIn) (contract.Answer[SetGoalOut], error) {
	var none contract.Answer[SetGoalOut]
	due, err := in.check(who.Today(tx.Now()))
	if err != nil {
		return none, err
	}
	movement, err := namedExercise(ctx, tx, who, in.Exercise)
	if err != nil {
		return none, err
	}
	// One goal of a workspace is set at a time.
	if err := db.LockWorkspace(ctx, tx, who.Workspace); err != nil {
		return none, err
	}
	before, err := in.active(ctx, tx, who, movement)
	if err != nil {
		return none, err
	}
	var out SetGoalOut
	if in.Clear {
		out, err = clearGoal(ctx, tx, who, movement, before)
	} else {
		out, err = in.replace(ctx, tx, who, movement, before, due)
	}
	if err != nil {
		return none, err
	}
	reps := valueOr(in.TargetReps, 1)
	if err := out.stand(ctx, tx, who, movement.ID, reps); err != nil {
		return none, err
	}
	answer := contract.Answer[SetGoalOut]{Out: out, Text: out.text(movement.Name, reps)}
	if out.Goal != nil {
		answer.Refs = []string{fmt.Sprintf("goal:%d", out.Goal.ID)}
	}
	return answer, nil
}

// check refuses what needs no database to be seen and returns the day of the
// goal, "" for none.
func (in SetGoalIn) check(today dbtype.Date) (dbtype.Date, error) {
	if in.TargetWeight == nil && !in.Clear {
		return "", fault.BadArgument("A goal needs target_weight, or clear true to remove it.").At("target_weight")
	}
	if in.TargetWeight != nil && in.Clear {
		return "", fault.BadArgument("Give target_weight or clear true, not both.").At("clear")
	}
	err := checkAll(
		inRange(strength.TargetWeightRange, "target_weight", in.TargetWeight), inRange(strength.TargetRepsRange, "target_reps", in.TargetReps),
		tooLong("A note", "note", in.Note, strength.MaxGoalNote),
	)
	if err != nil || in.TargetDate == nil {
		return "", err
	}
	due, err := readDay(*in.TargetDate, "target_date", today)
	if err == nil && due < today {
		err = fault.BadArgument("Target date %s is in the past; use today or later.", due).At("target_date")
	}
	return due, err
}

// active returns the goal that the lift has, for the block that is meant.
func (in SetGoalIn) active(ctx context.Context, tx *db.Tx, who contract.Caller, movement store.ExerciseRow) (*store.ActiveGoalsRow, error) {
	if in.ProgramID != nil {
		found, err := store.HasBlock(ctx, tx, who.Workspace, *in.ProgramID)
		if err == nil && !found {
			err = missing("program", *in.ProgramID)
		}
		if err != nil {
			return nil, err
		}
	}
	goals, err := store.GoalsOf(ctx, tx, who.Workspace)
	return goals.For(movement.ID, valueOr(in.ProgramID, 0)), err
}

func clearGoal(ctx context.Context, tx *db.Tx, who contract.Caller, movement store.ExerciseRow, before *store.ActiveGoalsRow) (SetGoalOut, error) {
	if before == nil {
		return SetGoalOut{}, fault.Missing("No goal is set for %s.", movement.Name)
	}
	return SetGoalOut{Replaced: goal(before)}, supersede(ctx, tx, who, before)
}

func supersede(ctx context.Context, tx *db.Tx, who contract.Caller, before *store.ActiveGoalsRow) error {
	if before == nil {
		return nil
	}
	err := store.New(tx).SupersedeGoal(ctx, store.SupersedeGoalParams{SupersededAt: dbtype.At(tx.Now()), WorkspaceID: who.Workspace, ID: before.ID})
	if err != nil {
		return fmt.Errorf("supersede goal %d: %w", before.ID, err)
	}
	return nil
}

// replace makes the goal the active one; the same goal again writes nothing.
func (in SetGoalIn) replace(ctx context.Context, tx *db.Tx, who contract.Caller, movement store.ExerciseRow, before *store.ActiveGoalsRow, due dbtype.Date) (SetGoalOut, error) {
	if !movement.DefaultIsWeighted {
		return SetGoalOut{}, fault.Refuse("%s carries no external load, so there is no weight to aim at.", movement.Name).At("exercise")
	}
	by, note := author(who), blankAsNone(in.Note)
	wanted := store.InsertGoalParams{
		WorkspaceID: who.Workspace, ExerciseID: movement.ID, ProgramID: in.ProgramID, TargetWeight: *in.TargetWeight, TargetReps: valueOr(in.TargetReps, 1),
		TargetDate: due, Note: note, CreatedByClientID: by.ClientColumn(), CreatedByAccountID: by.AccountColumn(), CreatedAt: dbtype.At(tx.Now()),
	}
	if before != nil && same(*before, wanted) {
		return SetGoalOut{Goal: goal(before), Unchanged: true}, nil
	}
	if err := supersede(ctx, tx, who, before); err != nil {
		return SetGoalOut{}, err
	}
	seen, err := store.AddGoal(ctx, tx, wanted)
	if err == nil && !seen {
		err = missing("exercise", movement.ID)
	}
	if err != nil {
		return SetGoalOut{}, err
	}
	after, err := in.active(ctx, tx, who, movement)
	return SetGoalOut{Goal: goal(after), Replaced: goal(before)}, err
}

func same(g store.ActiveGoalsRow, w store.InsertGoalParams) bool {
	return g.TargetWeight == w.TargetWeight && g.TargetReps == w.TargetReps && g.TargetDate == w.TargetDate && valueOr(g.Note, "") == valueOr(w.Note, "")
}

// stand reads where the lift stands for some reps.
func (o *SetGoalOut) stand(ctx context.Context, tx *db.Tx, who contract.Caller, exercise, reps int64) error {
	var err error
	if o.Max, err = estimatedMax(ctx, tx, who, exercise, who.Today(tx.Now())); err != nil {
		return err
	}
	best, err := store.HeaviestFor(ctx, tx, who.Workspace, exercise, reps)
	if err != nil || best == nil {
		return err
	}
	o.BestSet = &Basis{SetID: best.ID, Date: best.Date, Weight: valueOr(best.Weight, 0), Reps: valueOr(best.Reps, 0), RPE: best.Rpe}
	if o.Goal == nil || o.BestSet.Weight < o.Goal.TargetWeight {
		return nil
	}
	on, err := store.LiftedFirst(ctx, tx, who.Workspace, exercise, o.Goal.TargetWeight, reps)
	o.Reached, o.ReachedOn = on != "", dayOrNone(on)
	return err
}

func (o *SetGoalOut) text(exercise string, reps int64) string {
	if o.Goal == nil {
		return fmt.Sprintf("Removed the goal for %s: %s.", exercise, goalText(*o.Replaced))
	}
	now := "Estimated max " + o.Max.text()
	if o.Max.Estimated != nil {
		now = "Estimated max now " + o.Max.text()
	}
	best := fmt.Sprintf("no set of %d or more reps yet", reps)
	if o.BestSet != nil {
		best = fmt.Sprintf("heaviest set of %d or more reps %d", reps, o.BestSet.Weight)
	}
	text := fmt.Sprintf("Goal for %s: %s. %s; %s.", exercise, goalText(*o.Goal), now, best)
	if o.ReachedOn != nil {
		text += fmt.Sprintf(" Lifted on %s.", *o.ReachedOn)
	}
	if o.Unchanged {
		text += " That was already the goal."
	}
	return text
}
