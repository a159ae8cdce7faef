package pages

import (
	"fmt"
	"net/http"
	"strconv"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// planOf gives the sets of a workout what their lifts say of them: the rest,
// and for a set of another movement which one the plan has. What was written
// for that one is no plan of this one.
func (rd reader) planOf(workout int64, sets []setView) error {
	rows, err := store.New(rd.tx).LiftsOfWorkout(rd.ctx, rd.who.Workspace, workout)
	if err != nil {
		return fmt.Errorf("read the lifts of workout %d: %w", workout, err)
	}
	lifts := make(map[int64]store.LiftsOfWorkoutRow, len(rows))
	for _, row := range rows {
		lifts[row.ID] = row
	}
	for i := range sets {
		if lift, ok := lifts[sets[i].Lift]; ok {
			sets[i].follow(lift)
		}
	}
	return nil
}

func (s *setView) follow(lift store.LiftsOfWorkoutRow) {
	s.Rest = store.Number(lift.RestSeconds)
	if s.Warmup {
		s.Rest = store.Number(lift.WarmupRestSeconds)
	}
	if s.ExerciseID != lift.ExerciseID {
		s.InsteadOf, s.Replaced, s.Plan = lift.Exercise, s.Plan, strength.Set{}
	}
}

// swapView is the control that does another movement for one lift.
type swapView struct {
	Lift      int64
	InsteadOf string // the movement of the plan, when another one is done
}

// swapOf returns the control for a lift with open sets that a plan wrote, nil
// for others.
func swapOf(sets []setView) *swapView {
	for _, s := range sets {
		if s.Lift != 0 && !s.Done && !s.Warmup {
			return &swapView{Lift: s.Lift, InsteadOf: s.InsteadOf}
		}
	}
	return nil
}

// swapLift does another movement for one lift of the session.
func (p *pages) swapLift(w http.ResponseWriter, r *http.Request) error {
	workout, ok := pathID(r, "id")
	if !ok {
		return noWorkout(w, r)
	}
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	lift, _ := pathID(r, "lid") // one that is no id is no lift
	args, err := p.read("swap_lift", only(r.PostForm, "exercise"))
	if err == nil && args["exercise"] == nil {
		err = fault.BadArgument("Name the movement to do instead.")
	}
	if err == nil {
		args["workout_id"], args["program_lift_id"] = workout, lift
		_, err = p.call(r, requestID, "swap_lift", args)
	}
	if missing(err) && args["exercise"] != nil {
		if found, err2 := p.hasLift(r, workout, lift); err2 != nil || !found {
			return p.goneSet(w, r, workout)
		}
		err = fault.BadArgument("%s", fault.From(err).Sentence())
	}
	return p.answerSession(w, r, workout, 0, err)
}

// hasLift reports whether a lift of the plan wrote into the workout.
func (p *pages) hasLift(r *http.Request, workout, lift int64) (found bool, err error) {
	err = p.reading(r, func(rd reader) error {
		rows, err := store.New(rd.tx).LiftsOfWorkout(rd.ctx, rd.who.Workspace, workout)
		for _, row := range rows {
			found = found || row.ID == lift
		}
		return err
	})
	return found, err
}

func swapPath(v sessionView, s *swapView) string {
	return v.path() + "/lifts/" + strconv.FormatInt(s.Lift, 10) + "/swap"
}

func swapField(s *swapView) string { return "swap-" + strconv.FormatInt(s.Lift, 10) }

// names are the movements without the first choice, which is none.
func names(movements []ui.Option) []ui.Option { return movements[min(1, len(movements)):] }
