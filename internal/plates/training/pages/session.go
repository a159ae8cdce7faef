package pages

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/web"
)

// session shows a workout as the screen of the gym floor. The query set=ID
// keeps the lift of that set open.
func (p *pages) session(w http.ResponseWriter, r *http.Request) error {
	id, ok := pathID(r, "id")
	if !ok {
		return noWorkout(w, r)
	}
	last, _ := strconv.ParseInt(r.URL.Query().Get("set"), 10, 64)
	return p.showSession(w, r, http.StatusOK, id, last, nil)
}

// showSession renders the screen as it is in the database now, with what was
// refused.
func (p *pages) showSession(w http.ResponseWriter, r *http.Request, status int, workout, last int64, refused *refusedAction) error {
	v, err := p.sessionView(r, workout, last)
	if missing(err) {
		return noWorkout(w, r)
	}
	if err != nil {
		return err
	}
	v.Refused = refused
	tellScript(w, v)
	if refused == nil && r.Method == http.MethodPost {
		v.Says = v.says()
	}
	return web.Render(w, r, status, sessionPage(v), sessionBody)
}

func (p *pages) sessionView(r *http.Request, workout, last int64) (v sessionView, err error) {
	err = p.reading(r, func(rd reader) error {
		w, err := rd.workout(workout)
		if err != nil {
			return err
		}
		sets, err := rd.sets(workout)
		if err != nil {
			return err
		}
		if err := rd.planOf(workout, sets); err != nil {
			return err
		}
		v = sessionView{WorkoutID: w.ID, Date: w.Date, Focus: w.Focus, Block: w.blockWeek(), RPE: w.RPE}
		v.arrange(sets, last)
		if v.Movements, err = rd.movements(); err != nil {
			return err
		}
		if v.Finished != nil {
			if v.Finished.Next, err = rd.comingAfter(w); err != nil {
				return err
			}
			v.Finished.Way, err = rd.after(w)
		}
		return err
	})
	return v, err
}

// comingAfter says which planned session follows a finished one.
func (rd reader) comingAfter(done workoutView) ([]textPart, error) {
	planned, err := rd.upcoming(2)
	if err != nil {
		return nil, err
	}
	for _, w := range planned {
		if w.ID == done.ID {
			continue
		}
		sets, err := rd.sets(w.ID)
		if err != nil {
			return nil, err
		}
		next := comingView{WorkoutID: w.ID, Date: w.Date}
		next.Lift, next.Top = lead(sets)
		return next.says(), nil
	}
	return nil, nil
}

// completeSet records what a set was: done as written, done with other
// numbers, rated, or undone again.
func (p *pages) completeSet(w http.ResponseWriter, r *http.Request) error {
	workout, ok := pathID(r, "id")
	if !ok {
		return noWorkout(w, r)
	}
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	set, _ := pathID(r, "sid") // one that is no id is no set
	var before setView
	if err := p.reading(r, func(rd reader) (err error) { before, err = rd.set(workout, set); return err }); err != nil {
		return p.answerSession(w, r, workout, set, err)
	}
	args, err := p.completion(before, r.PostForm)
	if err == nil {
		err = overtaken(before, args, r.PostForm)
	}
	if err == nil {
		_, err = p.call(r, requestID, "complete_set", args)
	}
	return p.answerSession(w, r, workout, set, err)
}

// completion turns the posted form into the tool's arguments. Any number in it
// means that the set was lifted; without one the wanted state decides. An undone
// set keeps its last numbers.
func (p *pages) completion(set setView, form url.Values) (map[string]any, error) {
	args, err := p.read("complete_set", only(form, "weight", "reps", "duration_seconds", "rpe"))
	if err != nil {
		return nil, err
	}
	if form.Has("other") {
		if err := emptied(args, form, set.timed()); err != nil {
			return nil, err
		}
	}
	if len(args) == 0 {
		switch form.Get("done") {
		case "1":
		case "0":
			args["completed"] = false
		default:
			return nil, fault.BadArgument("The form did not say whether the set is done, so nothing was changed. Press Done or Undo again.")
		}
	}
	args["set_id"] = set.ID
	return args, nil
}

// emptied reads the fields that were emptied in the form for other numbers,
// which starts with all of them filled in: no weight is no load, and a set
// without a count is none.
func emptied(args map[string]any, form url.Values, timed bool) error {
	if form.Has("weight") && strings.TrimSpace(form.Get("weight")) == "" {
		args["weight"] = 0
	}
	return oneCount(args, timed)
}

// rateSession records how hard the whole session was.
func (p *pages) rateSession(w http.ResponseWriter, r *http.Request) error {
	workout, ok := pathID(r, "id")
	if !ok {
		return noWorkout(w, r)
	}
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	args, err := p.read("rate_workout", only(r.PostForm, "rpe"))
	if err == nil && len(args) == 0 {
		err = fault.BadArgument("The form did not say how hard the session was, so nothing was changed. Choose 6 to 10.")
	}
	if err == nil {
		err = checkRating(args["rpe"])
	}
	if err == nil {
		args["workout_id"] = workout
		_, err = p.call(r, requestID, "rate_workout", args)
	}
	return p.answerSession(w, r, workout, 0, err)
}

// ratings are what the session screen offers: less than 6 is no work worth
// telling apart.
var ratings = strength.Range{Name: strength.RPERange.Name, Low: 6, High: strength.RPERange.High}

// checkRating refuses a rating that the screen does not offer, in the words
// that the tool has for one it does not take.
func checkRating(rpe any) error {
	if n, ok := rpe.(float64); ok && !ratings.Has(int(n)) {
		return fault.BadArgument("%s", ratings.OutOfRange(int(n))).At("rpe")
	}
	return nil
}

// answerSession ends an action: with the whole screen for the script, with a
// way back to the next set for everyone else, and with the refusal on the
// screen when nothing was changed.
func (p *pages) answerSession(w http.ResponseWriter, r *http.Request, workout, set int64, err error) error {
	if missing(err) {
		return p.goneSet(w, r, workout)
	}
	if err != nil {
		form, shown := refusedForm(r, err)
		if !shown {
			return err
		}
		refused := &refusedAction{Sentence: form.Refusal.Sentence(), SetID: set, Form: form}
		return p.showSession(w, r, http.StatusUnprocessableEntity, workout, set, refused)
	}
	if web.IsHTMX(r) {
		return p.showSession(w, r, http.StatusOK, workout, set, nil)
	}
	to := workoutPath(workout) + "/session"
	if set != 0 {
		to += "?set=" + strconv.FormatInt(set, 10) + "#next"
	}
	web.Redirect(w, r, to)
	return nil
}

const setIsGone = "That set is gone: it was deleted. This is the session as it is now."

// goneSet answers an action on a set that the workout does not have, such as
// one deleted in another tab: with the session as it is now, which goes on, or
// without script with the list and a word about why.
func (p *pages) goneSet(w http.ResponseWriter, r *http.Request, workout int64) error {
	if web.IsHTMX(r) {
		return p.showSession(w, r, http.StatusUnprocessableEntity, workout, 0, &refusedAction{Sentence: setIsGone})
	}
	if _, err := p.workoutAt(r); missing(err) {
		return noWorkout(w, r)
	} else if err != nil {
		return err
	}
	web.Flash(r.Context(), web.FlashNote, setIsGone)
	return toList(w, r)
}
