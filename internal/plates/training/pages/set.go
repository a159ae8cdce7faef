package pages

import (
	"net/http"
	"net/url"
	"strconv"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// sets lists every set of a workout in one table.
func (p *pages) sets(w http.ResponseWriter, r *http.Request) error {
	id, ok := pathID(r, "id")
	if !ok {
		return noWorkout(w, r)
	}
	var (
		v    workoutView
		sets []setView
	)
	err := p.reading(r, func(rd reader) (err error) {
		if v, err = rd.workout(id); err != nil {
			return err
		}
		sets, err = rd.sets(id)
		return err
	})
	if missing(err) {
		return noWorkout(w, r)
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, setTablePage(v, sets))
}

// formAt reads what a form about a set needs. Without sid in the address it
// is about a new set, which starts with the movement of the last one.
func (p *pages) formAt(r *http.Request) (f setForm, err error) {
	workout, ok := pathID(r, "id")
	if !ok {
		return f, errNoRow
	}
	f.Back = r.FormValue("back")
	err = p.reading(r, func(rd reader) (err error) {
		if f.Workout, err = rd.workout(workout); err != nil {
			return err
		}
		if f.Exercises, err = rd.movements(); err != nil {
			return err
		}
		f.Set, err = rd.setOrNew(r, f)
		return err
	})
	return f, err
}

// setOrNew returns the set of the address, or a fresh one: another of the last
// movement, done unless it is added to a session that goes on.
func (rd reader) setOrNew(r *http.Request, f setForm) (setView, error) {
	workout := f.Workout.ID
	if r.PathValue("sid") != "" {
		id, ok := pathID(r, "sid")
		if !ok {
			return setView{}, errNoRow
		}
		return rd.set(workout, id)
	}
	fresh := setView{WorkoutID: workout, Done: f.Back == "" && f.Workout.Date <= rd.today}
	sets, err := rd.sets(workout)
	if err != nil || len(sets) == 0 {
		return fresh, err
	}
	last := sets[len(sets)-1]
	fresh.ExerciseID, fresh.Exercise, fresh.Actual, fresh.PerSide = last.ExerciseID, last.Exercise, last.Actual, last.PerSide
	return fresh, nil
}

// movementLimit is more movements than anybody writes.
const movementLimit = 2000

// movements are the choices of the form: the workspace's own, then the
// library's, each by name.
func (rd reader) movements() ([]ui.Option, error) {
	rows, _, err := store.SearchExercises(rd.ctx, rd.tx, rd.who.Workspace, "", movementLimit)
	if err != nil {
		return nil, err
	}
	own := []ui.Option{{Value: "", Text: "Choose a movement"}}
	var library []ui.Option
	for _, row := range rows {
		choice := ui.Option{Value: strconv.FormatInt(row.ID, 10), Text: row.Name}
		if row.Library() {
			choice.Group = "Library"
			library = append(library, choice)
		} else {
			choice.Group = "Yours"
			own = append(own, choice)
		}
	}
	return append(own, library...), nil
}

// movementNames are the names of all movements that the workspace can see.
func (rd reader) movementNames() ([]string, error) {
	rows, _, err := store.SearchExercises(rd.ctx, rd.tx, rd.who.Workspace, "", movementLimit)
	names := make([]string, len(rows))
	for i, row := range rows {
		names[i] = row.Name
	}
	return names, err
}

// movement returns the name of a choice, "" when it is none of them.
func (f setForm) movement(id string) string {
	for _, o := range f.Exercises {
		if o.Value == id && id != "" {
			return o.Text
		}
	}
	return ""
}

// newSet asks for a set to log.
func (p *pages) newSet(w http.ResponseWriter, r *http.Request) error { return p.showSetForm(w, r) }

// editSet asks for what to correct about a set.
func (p *pages) editSet(w http.ResponseWriter, r *http.Request) error { return p.showSetForm(w, r) }

func (p *pages) showSetForm(w http.ResponseWriter, r *http.Request) error {
	f, err := p.formAt(r)
	if missing(err) {
		return noRow(w, r)
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, setFormPage(f))
}

// set shows one set.
func (p *pages) set(w http.ResponseWriter, r *http.Request) error {
	f, err := p.formAt(r)
	if missing(err) {
		return noRow(w, r)
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, setPage(f.Workout, f.Set, web.CallerOf(r).Zone))
}

// createSet logs a set by hand.
func (p *pages) createSet(w http.ResponseWriter, r *http.Request) error {
	requestID, f, err := p.postedSet(r)
	if err != nil {
		return p.answerSet(w, r, f, err)
	}
	args, err := p.newSetArguments(f, r.PostForm)
	if err == nil {
		_, err = p.call(r, requestID, "create_set", args)
	}
	return p.answerSet(w, r, f, err)
}

// postedSet reads a posted form about a set and what it is about.
func (p *pages) postedSet(r *http.Request) (requestID string, f setForm, err error) {
	if requestID, err = web.Posted(r); err != nil {
		return "", f, err
	}
	f, err = p.formAt(r)
	return requestID, f, err
}

// flags are the boxes of the form; one that is not ticked is absent from it
// and means no.
func flags(form url.Values, names ...string) map[string]any {
	args := map[string]any{}
	for _, name := range names {
		args[name] = form.Has(name)
	}
	return args
}

func (p *pages) newSetArguments(f setForm, form url.Values) (map[string]any, error) {
	name := f.movement(form.Get("exercise_id"))
	if name == "" {
		return nil, fault.BadArgument("Choose a movement from the list.").At("exercise_id")
	}
	args, err := p.read("create_set", only(form, "weight", "reps", "duration_seconds", "rpe", "note"))
	if err != nil {
		return nil, err
	}
	for box, ticked := range flags(form, "is_warmup", "is_completed", "is_per_side") {
		args[box] = ticked
	}
	args["exercise"], args["workout_id"] = name, f.Workout.ID
	return args, nil
}

// updateSet corrects a set. Whether it was lifted is a matter of another tool,
// which runs only when that changes.
func (p *pages) updateSet(w http.ResponseWriter, r *http.Request) error {
	requestID, f, err := p.postedSet(r)
	if err != nil {
		return p.answerSet(w, r, f, err)
	}
	args, err := p.setChanges(f, r.PostForm)
	if err == nil && len(args) > 0 {
		args["set_id"] = f.Set.ID
		_, err = p.call(r, requestID, "update_set", args)
	}
	if done := r.PostForm.Has("is_completed"); err == nil && done != f.Set.Done {
		_, err = p.call(r, requestID, "complete_set", map[string]any{"set_id": f.Set.ID, "completed": done})
	}
	return p.answerSet(w, r, f, err)
}

// setChanges are the arguments for what the form changes; empty means that
// everything is as it was. A movement that the workspace cannot see leaves the
// movement as it is.
func (p *pages) setChanges(f setForm, form url.Values) (map[string]any, error) {
	typed, err := p.read("update_set", only(form, "weight", "reps", "duration_seconds", "rpe", "note"))
	if err != nil {
		return nil, err
	}
	old := f.Set
	if err := oneCount(typed, old.timed()); err != nil {
		return nil, err
	}
	args := map[string]any{}
	if name := f.movement(form.Get("exercise_id")); name != "" && name != old.Exercise {
		args["exercise"] = name
	}
	changeNumber(args, typed, "weight", old.Actual.Weight, true)
	changeNumber(args, typed, "reps", old.Actual.Reps, false)
	changeNumber(args, typed, "duration_seconds", old.Actual.Seconds, false)
	changeNumber(args, typed, "rpe", old.RPE, true)
	if note, _ := typed["note"].(string); note != old.Note {
		args["note"] = typed["note"]
	}
	for box, was := range map[string]bool{"is_warmup": old.Warmup, "is_per_side": old.PerSide} {
		if form.Has(box) != was {
			args[box] = form.Has(box)
		}
	}
	return args, nil
}

// oneCount refuses a set with reps and seconds, or with neither: what was left
// as it is would not be sent, so the tool could not see it. Timed is how the
// set was counted.
func oneCount(typed map[string]any, timed bool) error {
	_, reps := typed["reps"]
	_, seconds := typed["duration_seconds"]
	switch {
	case reps && seconds:
		return fault.BadArgument("Give reps or seconds, not both.").At("reps")
	case !reps && !seconds && timed:
		return fault.BadArgument("A timed set needs seconds.").At("duration_seconds")
	case !reps && !seconds:
		return fault.BadArgument("A set counted in reps needs reps.").At("reps")
	}
	return nil
}

// changeNumber adds a number that differs from the old one. One that was taken
// away is sent as null where the tool clears it; reps and seconds are changed
// into each other by sending the other one.
func changeNumber(args, typed map[string]any, name string, old int, clears bool) {
	value, sent := typed[name].(float64)
	switch {
	case sent && int(value) != old:
		args[name] = int(value)
	case !sent && old != 0 && clears:
		args[name] = nil
	}
}

// answerSet goes back to where the form came from, or shows it with the
// refusal.
func (p *pages) answerSet(w http.ResponseWriter, r *http.Request, f setForm, err error) error {
	if err == nil {
		web.Redirect(w, r, f.leaves())
		return nil
	}
	if missing(err) {
		return noRow(w, r)
	}
	refused, shown := refusedForm(r, err)
	if !shown || f.Workout.ID == 0 {
		return err
	}
	f.Form = forField(refused, "exercise", "exercise_id")
	return web.Render(w, r, http.StatusUnprocessableEntity, setFormPage(f))
}

// askDeleteSet asks on a page of its own, for readers without the script.
func (p *pages) askDeleteSet(w http.ResponseWriter, r *http.Request) error {
	f, err := p.formAt(r)
	if missing(err) {
		return noRow(w, r)
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, confirmSet(f, ""))
}

// deleteSet removes one set.
func (p *pages) deleteSet(w http.ResponseWriter, r *http.Request) error {
	requestID, f, err := p.postedSet(r)
	if err == nil {
		_, err = p.call(r, requestID, "delete_set", confirmed(r, "set_id", f.Set.ID))
	}
	if missing(err) {
		return noRow(w, r)
	}
	if refused, shown := refusedForm(r, err); shown && f.Set.ID != 0 {
		return web.Render(w, r, http.StatusUnprocessableEntity, confirmSet(f, refused.Refusal.Sentence()))
	}
	if err != nil {
		return err
	}
	if err := p.saysDeleted(r, store.BinnedSet, f.Set.ID, f.Set.Exercise+" "+f.Set.load()+" was deleted."); err != nil {
		return err
	}
	web.Redirect(w, r, f.leaves())
	return nil
}
