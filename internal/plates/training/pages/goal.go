package pages

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
)

// mostFormer is how many goals of the past are listed, mostOffered how many
// movements and blocks the form offers.
const (
	mostFormer  = 100
	mostOffered = 2000
)

// goals shows what is aimed at on each lift, where it stands, and what was
// aimed at before. ?exercise_id= opens the form for a movement.
func (p *pages) goals(w http.ResponseWriter, r *http.Request) error {
	lift, _ := strconv.ParseInt(r.URL.Query().Get("exercise_id"), 10, 64) // no number is no lift
	return p.showGoals(w, r, http.StatusOK, lift, web.Form{})
}

func (p *pages) showGoals(w http.ResponseWriter, r *http.Request, status int, lift int64, form web.Form) error {
	who := web.CallerOf(r)
	v := goalsView{Zone: who.Zone, Form: form, Writes: who.Has("write")}
	if err := p.reading(r, func(rd reader) error { return rd.goals(&v, lift) }); err != nil {
		return err
	}
	return web.Render(w, r, status, goalsPage(v))
}

func (rd reader) goals(v *goalsView, lift int64) error {
	v.Today = rd.todayTime()
	goals, err := store.GoalsOf(rd.ctx, rd.tx, rd.who.Workspace)
	if err != nil {
		return err
	}
	if v.Blocks, err = store.New(rd.tx).Programs(rd.ctx, rd.who.Workspace, mostOffered); err != nil {
		return err
	}
	for _, g := range goals {
		standing, err := rd.standing(g)
		if err != nil {
			return err
		}
		standing.Block = v.blockName(g.ProgramID)
		v.Active = append(v.Active, standing)
	}
	if v.Former, err = store.FormerGoals(rd.ctx, rd.tx, rd.who.Workspace, mostFormer); err != nil {
		return err
	}
	if v.Movements, _, err = store.SearchExercises(rd.ctx, rd.tx, rd.who.Workspace, "", mostOffered); err != nil {
		return err
	}
	v.prefill(goals, lift)
	return nil
}

// standing reads where a lift stands beside its goal.
func (rd reader) standing(g store.ActiveGoalsRow) (goalStanding, error) {
	s := goalStanding{ActiveGoalsRow: g}
	basis, found, err := store.EstimatedMax(rd.ctx, rd.tx, rd.who.Workspace, g.ExerciseID, rd.today)
	if err != nil {
		return s, err
	}
	if found {
		s.Basis = &basis
	}
	if s.Best, err = store.HeaviestFor(rd.ctx, rd.tx, rd.who.Workspace, g.ExerciseID, g.TargetReps); err != nil {
		return s, err
	}
	s.Lifted, err = store.LiftedFirst(rd.ctx, rd.tx, rd.who.Workspace, g.ExerciseID, g.TargetWeight, g.TargetReps)
	return s, err
}

// saveGoal sets or clears the goal of a lift.
func (p *pages) saveGoal(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	args, err := p.goalArguments(r)
	if err == nil {
		var wire contract.Wire
		if wire, err = p.call(r, requestID, "set_goal", args); err == nil {
			return goalSaved(w, r, wire)
		}
	}
	form, ok := refusedForm(r, err)
	if !ok {
		return err
	}
	return p.showGoals(w, r, http.StatusUnprocessableEntity, 0, goalForm(form))
}

// goalArguments reads the form. The blanks of a goal are what a goal may do
// without.
func (p *pages) goalArguments(r *http.Request) (map[string]any, error) {
	if strings.TrimSpace(r.PostForm.Get("exercise")) == "" {
		return nil, fault.BadArgument("Choose a movement from the list.").At("exercise")
	}
	return p.read("set_goal", only(r.PostForm, "exercise", "target_weight", "target_reps", "target_date", "program_id", "note", "clear"))
}

// goalForm puts a refusal of a block beside its field, since the tool names the
// block by its number, and says the rest in the words of the form.
func goalForm(form web.Form) web.Form {
	if strings.HasPrefix(form.Refusal.Message, "No program ") {
		form.Refusal.Fields = []fault.Field{{Path: "/program_id", Problem: "That block is not there any more."}}
	}
	form.Refusal.Message = goalWords.Replace(form.Refusal.Message)
	for i, f := range form.Refusal.Fields {
		form.Refusal.Fields[i].Problem = goalWords.Replace(f.Problem)
	}
	return form
}

var goalWords = strings.NewReplacer(
	"A goal needs target_weight, or clear true to remove it.", "A goal needs a weight.",
	" for this account", "",
)

func goalSaved(w http.ResponseWriter, r *http.Request, wire contract.Wire) error {
	out, err := contract.Into[tools.SetGoalOut](wire)
	if err != nil {
		return err
	}
	says := ""
	switch {
	case out.Goal == nil && out.Replaced != nil:
		says = "The goal for " + out.Replaced.Exercise + " is cleared. It is kept below."
	case out.Goal == nil:
		return errors.New("set_goal answered without a goal")
	case out.Unchanged:
		says = "That was already the goal for " + out.Goal.Exercise + "."
	default:
		says = "The goal for " + out.Goal.Exercise + " is set: " + aim(out.Goal.TargetWeight, out.Goal.TargetReps) + "."
	}
	web.Flash(r.Context(), web.FlashDone, says)
	web.Redirect(w, r, "/goals")
	return nil
}
