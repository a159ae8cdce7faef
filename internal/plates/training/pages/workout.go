package pages

import (
	"net/http"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/web"
)

// workout shows the record of one workout.
func (p *pages) workout(w http.ResponseWriter, r *http.Request) error {
	return p.showWorkout(w, r, http.StatusOK, "")
}

// showWorkout shows the record with what was refused on it, if anything.
func (p *pages) showWorkout(w http.ResponseWriter, r *http.Request, status int, refusal string) error {
	id, ok := pathID(r, "id")
	if !ok {
		return noWorkout(w, r)
	}
	var v recordView
	err := p.reading(r, func(rd reader) (err error) {
		v, err = rd.record(id)
		return err
	})
	if missing(err) {
		return noWorkout(w, r)
	}
	if err != nil {
		return err
	}
	v.Refusal = refusal
	return web.Render(w, r, status, workoutPage(v))
}

func (rd reader) record(id int64) (v recordView, err error) {
	v.Zone = rd.who.Zone
	if v.workoutView, err = rd.workout(id); err != nil {
		return v, err
	}
	sets, err := rd.sets(id)
	if err != nil {
		return v, err
	}
	v.Lifts, v.Volume = recordLifts(sets), volumeOf(sets)
	if v.Way, err = rd.after(v.workoutView); err != nil {
		return v, err
	}
	return v, rd.neighbours(&v)
}

// neighbourDays is how far ahead the newer workout is looked for, and
// neighbourLimit more workouts than that many days hold.
const (
	neighbourDays  = 60
	neighbourLimit = 500
)

// neighbours finds the workouts before and after in the order of dates.
func (rd reader) neighbours(v *recordView) error {
	older, err := rd.page(store.WorkoutsParams{FromDate: store.FirstDay, ToDate: v.Date, BeforeDate: v.Date, BeforeID: v.ID, RowLimit: 1})
	if err != nil {
		return err
	}
	if len(older) > 0 {
		v.Older = &neighbour{older[0].ID, older[0].Date}
	}
	newer, err := rd.between(v.Date, v.Date.AddDays(neighbourDays), neighbourLimit)
	if err != nil {
		return err
	}
	for i, w := range newer {
		if w.ID == v.ID && i > 0 {
			v.Newer = &neighbour{newer[i-1].ID, newer[i-1].Date}
		}
	}
	return rd.place(v)
}

// place says where the workout stands in the log.
func (rd reader) place(v *recordView) error {
	upTo, err := rd.count(v.Date, "")
	if err != nil {
		return err
	}
	all, err := rd.count(store.LastDay, "")
	v.Place = "Workout " + strconv.Itoa(upTo) + " of " + strconv.Itoa(all) + ", by date"
	return err
}

// newWorkout asks for the date of a workout to start.
func (p *pages) newWorkout(w http.ResponseWriter, r *http.Request) error {
	today := web.CallerOf(r).Today(p.Now())
	return web.Render(w, r, http.StatusOK, workoutFormPage(workoutForm{workoutView: workoutView{Date: today}}))
}

// editWorkout asks for another date or other notes.
func (p *pages) editWorkout(w http.ResponseWriter, r *http.Request) error {
	v, err := p.workoutAt(r)
	if missing(err) {
		return noWorkout(w, r)
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, workoutFormPage(workoutForm{workoutView: v}))
}

// workoutAt reads the workout of the address.
func (p *pages) workoutAt(r *http.Request) (v workoutView, err error) {
	id, ok := pathID(r, "id")
	if !ok {
		return v, errNoRow
	}
	err = p.reading(r, func(rd reader) (err error) {
		v, err = rd.workout(id)
		return err
	})
	return v, err
}

// saveWorkout starts a workout, or with an id moves and annotates it.
func (p *pages) saveWorkout(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	if r.PostFormValue("id") == "" {
		return p.startWorkout(w, r, requestID)
	}
	r.SetPathValue("id", r.PostFormValue("id"))
	old, err := p.workoutAt(r)
	if missing(err) {
		return noWorkout(w, r)
	}
	if err != nil {
		return err
	}
	args := workoutChanges(old, r)
	if len(args) > 0 {
		args["workout_id"] = old.ID
		_, err = p.call(r, requestID, "update_workout", args)
	}
	return p.answerWorkout(w, r, workoutForm{workoutView: old}, err)
}

func (p *pages) startWorkout(w http.ResponseWriter, r *http.Request, requestID string) error {
	wire, err := p.call(r, requestID, "create_workout", map[string]any{"date": r.PostFormValue("date")})
	form := workoutForm{workoutView: workoutView{Date: dbtype.Date(r.PostFormValue("date"))}}
	if err != nil {
		return p.answerWorkout(w, r, form, err)
	}
	made, err := contract.Into[struct {
		ID int64 `json:"id"`
	}](wire)
	if err != nil {
		return err
	}
	web.Redirect(w, r, workoutPath(made.ID))
	return nil
}

// workoutChanges are the arguments for what the form changes; empty means that
// everything is as it was.
func workoutChanges(old workoutView, r *http.Request) map[string]any {
	args := map[string]any{}
	if date := strings.TrimSpace(r.PostFormValue("date")); date != string(old.Date) {
		args["new_date"] = date
		args["confirm"] = r.PostForm.Has("confirm")
	}
	notes := strings.ReplaceAll(strings.TrimSpace(r.PostFormValue("notes")), "\r\n", "\n")
	if r.PostForm.Has("notes") && notes != old.Notes {
		args["notes"] = nil
		if notes != "" {
			args["notes"] = notes
		}
	}
	return args
}

// answerWorkout goes to the record, or shows the form with the refusal.
func (p *pages) answerWorkout(w http.ResponseWriter, r *http.Request, form workoutForm, err error) error {
	if err == nil {
		web.Redirect(w, r, form.path())
		return nil
	}
	refused, shown := refusedForm(r, err)
	if !shown {
		return err
	}
	if missing(err) {
		return noWorkout(w, r)
	}
	form.Form = forField(refused, "new_date", "date")
	return web.Render(w, r, http.StatusUnprocessableEntity, workoutFormPage(form))
}

// forField moves the problem of an argument to the form's own name for it.
func forField(f web.Form, argument, field string) web.Form {
	for i, problem := range f.Refusal.Fields {
		if problem.Path == "/"+argument {
			f.Refusal.Fields[i].Path = "/" + field
		}
	}
	return f
}

// askDeleteWorkout asks on a page of its own, for readers without the script.
func (p *pages) askDeleteWorkout(w http.ResponseWriter, r *http.Request) error {
	v, err := p.workoutAt(r)
	if missing(err) {
		return noWorkout(w, r)
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, confirmWorkout(v, ""))
}

// deleteWorkout removes a workout with its sets. The script takes the row out
// of the list, which needs no words; everyone else goes back to the list.
func (p *pages) deleteWorkout(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	v, err := p.workoutAt(r)
	if err == nil {
		_, err = p.call(r, requestID, "delete_workout", confirmed(r, "workout_id", v.ID))
	}
	if missing(err) {
		return noWorkout(w, r)
	}
	if refused, shown := refusedForm(r, err); shown {
		return web.Render(w, r, http.StatusUnprocessableEntity, confirmWorkout(v, refused.Refusal.Sentence()))
	}
	if err != nil {
		return err
	}
	if target := r.Header.Get("HX-Target"); web.IsHTMX(r) && strings.HasPrefix(target, "tr") {
		w.WriteHeader(http.StatusOK)
		return nil
	}
	if err := p.saysDeleted(r, store.BinnedWorkout, v.ID, "The workout of "+web.LongDay(v.Date)+" was deleted."); err != nil {
		return err
	}
	return toList(w, r)
}

// confirmed are the arguments of a removal.
func confirmed(r *http.Request, name string, id int64) map[string]any {
	args := map[string]any{name: id}
	if r.PostFormValue("confirm") == "1" {
		args["confirm"] = true
	}
	return args
}
