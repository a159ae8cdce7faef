package pages

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
)

// exercises lists the movements, narrowed by ?q=.
func (p *pages) exercises(w http.ResponseWriter, r *http.Request) error {
	v := exerciseListView{Query: strings.TrimSpace(r.URL.Query().Get("q")), Zone: web.CallerOf(r).Zone}
	err := p.reading(r, func(rd reader) error {
		rows, total, err := store.SearchExercises(rd.ctx, rd.tx, rd.who.Workspace, v.Query, movementLimit)
		v.Rows, v.Total = rows, int(total)
		return err
	})
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, exerciseListPage(v))
}

// toExercises leads away from a movement that this workspace does not see.
func toExercises(w http.ResponseWriter, r *http.Request) error {
	web.Redirect(w, r, "/exercises")
	return nil
}

// movement returns a visible movement.
func (rd reader) movement(id int64) (store.ExerciseRow, error) {
	row, found, err := store.ExerciseByID(rd.ctx, rd.tx, rd.who.Workspace, id)
	if err == nil && !found {
		err = errNoRow
	}
	return row, err
}

// exercise shows a movement: what the lifter did with it, newest first.
func (p *pages) exercise(w http.ResponseWriter, r *http.Request) error {
	id, ok := pathID(r, "id")
	if !ok {
		return toExercises(w, r)
	}
	v := exerciseView{Zone: web.CallerOf(r).Zone}
	at := readCursor(r)
	err := p.reading(r, func(rd reader) error { return rd.exercise(&v, id, at) })
	if missing(err) {
		return toExercises(w, r)
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, exercisePage(v))
}

func (rd reader) exercise(v *exerciseView, id int64, at cursor) (err error) {
	if v.Row, err = rd.movement(id); err != nil {
		return err
	}
	if v.Basis, v.HasMax, err = store.EstimatedMax(rd.ctx, rd.tx, rd.who.Workspace, id, rd.today); err != nil {
		return err
	}
	if v.Heaviest, err = store.Heaviest(rd.ctx, rd.tx, rd.who.Workspace, id); err != nil {
		return err
	}
	goals, err := store.GoalsOf(rd.ctx, rd.tx, rd.who.Workspace)
	if err != nil {
		return err
	}
	v.Goal, v.Today = goals.For(id, 0), rd.todayTime()
	var next *store.Before
	v.Sets, next, err = store.LiftHistory(rd.ctx, rd.tx, rd.who.Workspace, id, store.Before{Date: at.Date, Set: at.ID})
	v.From = at.From
	if next != nil {
		v.Older = exercisePath(id) + "?before=" + string(next.Date) + "." + strconv.FormatInt(next.Set, 10) + "&from=" + strconv.Itoa(at.From+len(v.Sets))
	}
	if at.From > 1 {
		v.Newest = exercisePath(id)
	}
	return err
}

// goalPath leads to the form that sets a goal of a movement.
func goalPath(id int64) string { return "/goals?exercise_id=" + strconv.FormatInt(id, 10) + "#set" }

func exercisePath(id int64) string { return "/exercises/" + strconv.FormatInt(id, 10) }

// newExercise asks for a movement.
func (p *pages) newExercise(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, exerciseFormPage(exerciseForm{Measure: "reps", Weighted: true, Name: r.URL.Query().Get("name")}))
}

// editExercise asks for what to change about an own movement. The library is
// shown instead: nobody changes it.
func (p *pages) editExercise(w http.ResponseWriter, r *http.Request) error {
	id, ok := pathID(r, "id")
	if !ok {
		return toExercises(w, r)
	}
	var row store.ExerciseRow
	err := p.reading(r, func(rd reader) (err error) {
		row, err = rd.movement(id)
		return err
	})
	if missing(err) {
		return toExercises(w, r)
	}
	if err != nil {
		return err
	}
	if row.Library() {
		web.Redirect(w, r, exercisePath(id))
		return nil
	}
	return web.Render(w, r, http.StatusOK, exerciseFormPage(formOf(row)))
}

func formOf(row store.ExerciseRow) exerciseForm {
	return exerciseForm{
		ID: row.ID, Name: row.Name, Icon: text(row.IconUrl), Barbell: row.IsBarbell,
		Measure: row.DefaultMeasure, PerSide: row.DefaultIsPerSide, Weighted: row.DefaultIsWeighted,
	}
}

// saveExercise makes a movement or, with an id, changes one.
func (p *pages) saveExercise(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	id, err := p.sendExercise(r, requestID)
	if err == nil {
		web.Flash(r.Context(), web.FlashDone, "The movement is saved.")
		web.Redirect(w, r, exercisePath(id))
		return nil
	}
	if missing(err) {
		return toExercises(w, r)
	}
	form, ok := refusedForm(r, err)
	if !ok {
		return err
	}
	shown := exerciseForm{ID: formID(r.PostForm), Form: form, Measure: "reps"}
	return web.Render(w, r, http.StatusUnprocessableEntity, exerciseFormPage(shown))
}

func formID(form url.Values) int64 {
	id, err := strconv.ParseInt(form.Get("id"), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// sendExercise runs the tool that the form asks for. A name that is already
// visible is refused here: the tool would answer with that movement, which is
// right for an assistant and puzzling on a form.
func (p *pages) sendExercise(r *http.Request, requestID string) (int64, error) {
	form := r.PostForm
	args := flags(form, "is_barbell", "default_is_per_side", "default_is_weighted")
	args["name"] = form.Get("name")
	if measure := form.Get("default_measure"); measure != "" {
		args["default_measure"] = measure
	}
	if form.Get("icon_url") != "" {
		args["icon_url"] = form.Get("icon_url")
	}
	if id := formID(form); id != 0 {
		if form.Get("icon_url") == "" {
			args["icon_url"] = nil
		}
		args["exercise_id"] = id
		_, err := p.call(r, requestID, "update_exercise", args)
		return id, err
	}
	return p.createExercise(r, requestID, args)
}

func (p *pages) createExercise(r *http.Request, requestID string, args map[string]any) (int64, error) {
	wire, err := p.call(r, requestID, "create_exercise", args)
	if err != nil {
		return 0, err
	}
	made, err := contract.Into[tools.CreateExerciseOut](wire)
	if err == nil && !made.Created {
		return 0, fault.Clash("There is already an exercise named \"%s\".", made.Name).At("name")
	}
	return made.ID, err
}

// basisText says which set an estimated max comes from.
func basisText(b store.Basis) string {
	out := strength.LoadLabel(strength.Set{Weight: store.Number(b.Set.Weight), Reps: store.Number(b.Set.Reps)}, false)
	if b.Set.Rpe != nil {
		out += " at RPE " + strconv.FormatInt(*b.Set.Rpe, 10)
	}
	return out
}
