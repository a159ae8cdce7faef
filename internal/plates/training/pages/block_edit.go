package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
)

// place is a form of the block editor: what was refused in it is shown in it.
type place string

func atLift(id int64) place    { return place("lift-" + strconv.FormatInt(id, 10)) }
func atNewLift(id int64) place { return place("new-lift-" + strconv.FormatInt(id, 10)) } // in a day
func atDay(id int64) place     { return place("day-" + strconv.FormatInt(id, 10)) }
func atNewDay(n int64) place   { return place("new-day-" + strconv.FormatInt(n, 10)) } // in a week
func atWeek(n int64) place     { return place("week-" + strconv.FormatInt(n, 10)) }

const (
	atTop     place = "" // under the heading: its own place is not on the page
	atHead    place = "block"
	atNewWeek place = "new-week"
)

// edit is a posted form of the editor.
type edit struct {
	w         http.ResponseWriter
	r         *http.Request
	block     int64
	written   tools.Program // the block before the edit
	requestID string
	at        place
}

// week, day and lift find a part of the block. An address that puts the part
// of one block under another leads nowhere.
func (e edit) week(n int64) bool {
	return slices.ContainsFunc(e.written.Weeks, func(w tools.Week) bool { return w.Number == n })
}

func (e edit) day(id int64) (tools.Day, bool) {
	for _, w := range e.written.Weeks {
		for _, d := range w.Days {
			if d.ID == id {
				return d, true
			}
		}
	}
	return tools.Day{}, false
}

func (e edit) lift(id int64) (tools.Day, tools.Lift, bool) {
	for _, w := range e.written.Weeks {
		for _, d := range w.Days {
			if i := slices.IndexFunc(d.Lifts, func(l tools.Lift) bool { return l.ID == id }); i >= 0 {
				return d, d.Lifts[i], true
			}
		}
	}
	return tools.Day{}, tools.Lift{}, false
}

// gone leads back to the block when the part that was to be edited is not in
// it: it was removed on another device, or was never there.
func (e edit) gone(part string) error {
	web.Flash(e.r.Context(), web.FlashNote, "That "+part+" is no longer part of this block.")
	web.Redirect(e.w, e.r, blockPath(e.block))
	return nil
}

// editing reads the block and the tokens of a posted form.
func (p *pages) editing(fn func(edit) error) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, ok := pathID(r, "id")
		if !ok {
			return toBlocks(w, r)
		}
		requestID, err := web.Posted(r)
		if err != nil {
			return err
		}
		e := edit{w: w, r: r, block: id, requestID: requestID}
		err = p.reading(r, func(rd reader) (err error) {
			e.written, err = tools.ReadProgram(rd.ctx, rd.tx, rd.who, id)
			return err
		})
		if missing(err) {
			return toBlocks(w, r)
		}
		if err != nil {
			return err
		}
		return fn(e)
	}
}

// finish leads back to the part of the block that was edited, with what was
// done there, or shows the block with the refusal where it belongs.
func (p *pages) finish(e edit, says string, err error) error {
	if err == nil {
		web.Flash(e.r.Context(), web.FlashDone, says)
		web.Redirect(e.w, e.r, blockPath(e.block)+"?at="+string(e.at)+"#"+string(e.at))
		return nil
	}
	form, ok := web.Refused(e.r, err)
	if !ok {
		return err
	}
	v, err := p.blockView(e.r, e.block)
	if missing(err) {
		return toBlocks(e.w, e.r)
	}
	if err != nil {
		return err
	}
	v.At, v.Form = e.at, form
	if e.at == atTop {
		v.Refusal = form.Sentence()
	}
	return web.Render(e.w, e.r, http.StatusUnprocessableEntity, blockPage(v))
}

// saveBlock changes the head of the block.
func (p *pages) saveBlock(e edit) error {
	e.at = atHead
	args, err := p.read("update_program", sent(e.r.PostForm, "name", "start_date", "preferred_reps", "notes"))
	if err != nil {
		return p.finish(e, "", err)
	}
	args["program_id"] = e.block
	if e.r.PostForm.Has("name") {
		args["name"] = e.r.PostFormValue("name") // a blank one is refused, not passed over
	}
	ticked(args, e.r.PostForm, "is_ascending")
	out, err := edited[tools.UpdateProgramOut](p, e, "update_program", args)
	return p.finish(e, "The block is saved."+out.Sessions.Sentence(), err)
}

// addWeek adds a week, a copy of another one or an empty one.
func (p *pages) addWeek(e edit) error {
	e.at = atNewWeek
	args, err := p.read("add_program_week", url.Values{"copy_from_week": {e.r.PostFormValue("copy_from")}})
	if err != nil {
		return p.finish(e, "", err)
	}
	args["program_id"] = e.block
	ticked(args, e.r.PostForm, "is_deload")
	out, err := edited[numbered](p, e, "add_program_week", args)
	if err == nil {
		e.at = atWeek(out.Number)
	}
	return p.finish(e, fmt.Sprintf("Week %d is added.", out.Number), err)
}

// saveWeek changes whether a week is a deload, and its notes.
func (p *pages) saveWeek(e edit) error {
	n, ok := pathID(e.r, "n")
	if !ok || !e.week(n) {
		return e.gone("week")
	}
	e.at = atWeek(n)
	args, err := p.read("update_program_week", sent(e.r.PostForm, "notes"))
	if err != nil {
		return p.finish(e, "", err)
	}
	args["program_id"], args["week"] = e.block, n
	ticked(args, e.r.PostForm, "is_deload")
	out, err := edited[tools.UpdateProgramWeekOut](p, e, "update_program_week", args)
	return p.finish(e, fmt.Sprintf("Week %d is saved.", n)+out.Sessions.Sentence(), err)
}

// addDay adds a training day to a week.
func (p *pages) addDay(e edit) error {
	args, err := p.read("add_program_day", sent(e.r.PostForm, "week", "weekday", "focus"))
	week, _ := strconv.ParseInt(e.r.PostFormValue("week"), 10, 64)
	e.at = atNewDay(week)
	if err == nil && !e.week(week) {
		e.at, err = atTop, fault.Refuse("That week is not part of this block.")
	}
	if err != nil {
		return p.finish(e, "", err)
	}
	args["program_id"] = e.block
	out, err := edited[weekdayed](p, e, "add_program_day", args)
	if err == nil {
		e.at = atDay(out.ID)
	}
	return p.finish(e, out.WeekdayName+" is added. Write its lifts below.", err)
}

// saveDay moves a training day to another weekday or names its focus.
func (p *pages) saveDay(e edit) error {
	id, ok := pathID(e.r, "did")
	if _, in := e.day(id); !ok || !in {
		return e.gone("day")
	}
	e.at = atDay(id)
	args, err := p.read("update_program_day", sent(e.r.PostForm, "weekday", "focus"))
	if err != nil {
		return p.finish(e, "", err)
	}
	args["program_day_id"] = id
	out, err := edited[tools.UpdateProgramDayOut](p, e, "update_program_day", args)
	return p.finish(e, out.WeekdayName+" is saved."+tools.SessionSentence(out.Session, out.WeekdayName), err)
}

// addLift writes a lift into a day.
func (p *pages) addLift(e edit) error {
	day, _ := strconv.ParseInt(e.r.PostFormValue("day_id"), 10, 64)
	in, ok := e.day(day)
	if !ok {
		e.at = atTop
		return p.finish(e, "", fault.Refuse("That day is not part of this block."))
	}
	e.at = atNewLift(day)
	args, err := p.liftArgs("add_lift_row", e.r.PostForm)
	if err != nil {
		return p.finish(e, "", err)
	}
	args["program_day_id"] = day
	for name, v := range args {
		if v == nil { // a new lift has nothing to clear
			delete(args, name)
		}
	}
	out, err := edited[tools.AddProgramLiftOut](p, e, "add_lift_row", args)
	if err == nil {
		e.at = atLift(out.ID)
	}
	return p.finish(e, out.Exercise+" is added."+tools.SessionSentence(out.Session, in.WeekdayName), err)
}

// saveLift saves the row of a lift, or moves it when the form has nothing but
// a position.
func (p *pages) saveLift(e edit) error {
	id, _ := pathID(e.r, "lid")
	day, _, ok := e.lift(id)
	if !ok {
		return e.gone("lift")
	}
	e.at = atLift(id)
	var args map[string]any
	var err error
	if e.r.PostForm.Has("exercise") {
		args, err = p.liftArgs("save_program_lift", e.r.PostForm)
	} else {
		args, err = p.read("save_program_lift", sent(e.r.PostForm, "position"))
	}
	if err != nil {
		return p.finish(e, "", err)
	}
	args["program_lift_id"] = id
	out, err := edited[tools.UpdateProgramLiftOut](p, e, "save_program_lift", args)
	return p.finish(e, out.Exercise+" is saved."+tools.SessionSentence(out.Session, day.WeekdayName), err)
}

// deleteLift removes a lift and closes the gap.
func (p *pages) deleteLift(e edit) error {
	id, _ := pathID(e.r, "lid")
	day, lift, ok := e.lift(id)
	if !ok {
		return e.gone("lift")
	}
	e.at = atLift(id)
	out, err := edited[tools.DeleteProgramLiftOut](p, e, "delete_program_lift", map[string]any{"program_lift_id": id})
	if err == nil {
		e.at = atDay(day.ID)
	}
	return p.finish(e, lift.Exercise+" is removed."+tools.SessionSentence(out.Session, day.WeekdayName), err)
}

// numbered and weekdayed are what is read of a new week and a new day.
type (
	numbered struct {
		Number int64 `json:"number"`
	}
	weekdayed struct {
		ID          int64  `json:"id"`
		WeekdayName string `json:"weekday_name"`
	}
)

// edited runs a tool of the editor and reads its answer.
func edited[T any](p *pages, e edit, tool string, args any) (out T, err error) {
	wire, err := p.call(e.r, e.requestID, tool, args)
	if err != nil {
		return out, err
	}
	return contract.Into[T](wire)
}

// liftArgs reads the row of a lift. A lift has one price, pounds or a share of
// the max, and without one it is done without a load; seconds make it a timed
// one; "double" is the linear rule with a range of reps.
func (p *pages) liftArgs(tool string, form url.Values) (map[string]any, error) {
	args, err := p.read(tool, sent(form, "exercise", "sets", "reps", "duration_seconds", "top_weight", "percent_of_max", "progression",
		"step_up", "step_down", "reps_to", "rest_seconds", "warmup_rest_seconds", "note", "position"))
	if rule := form.Get("progression"); rule == doubleRule || rule == "" {
		with := sent(form, "exercise", "sets", "reps", "duration_seconds", "top_weight", "percent_of_max",
			"step_up", "step_down", "reps_to", "rest_seconds", "warmup_rest_seconds", "note", "position")
		args, err = p.read(tool, with)
	}
	if err != nil {
		return nil, err
	}
	ticked(args, form, "is_main", "is_per_side")
	if tool == "save_program_lift" {
		ticked(args, form, "starts_here")
	}
	if form.Has(wholeForm) {
		args["exercise"], args["measure"] = form.Get("exercise"), measureOf(form)
		priceLift(args, form)
		return args, complete(form)
	}
	return args, nil
}

// complete refuses a row in which a number that every lift has was emptied: a
// blank would leave the old one in place without a word.
func complete(form url.Values) error {
	blank := func(name string) bool { return strings.TrimSpace(form.Get(name)) == "" }
	switch {
	case blank("sets"):
		return fault.BadArgument("Write how many sets.").At("sets")
	case blank("reps") && blank("duration_seconds"):
		return fault.BadArgument("Write the reps, or the seconds of a timed lift.").At("reps")
	}
	return nil
}

// measureOf is how a lift is counted: seconds make it a timed one.
func measureOf(form url.Values) string {
	if strings.TrimSpace(form.Get("duration_seconds")) != "" {
		return "time"
	}
	return "reps"
}

// priceLift sets whether a lift has a load, by which rule it moves, and its
// range of reps.
func priceLift(args map[string]any, form url.Values) {
	pounds, percent := args["top_weight"] != nil, args["percent_of_max"] != nil
	args["is_weighted"] = pounds || percent
	double := pounds && form.Get("progression") == doubleRule
	if !double {
		args["reps_to"] = nil
	}
	switch {
	case !pounds && !percent:
		delete(args, "progression")
	case percent && !pounds:
		args["progression"] = "percent"
	case double:
		args["progression"] = "linear"
	}
}

// doubleRule is what the page calls the linear rule with a range of reps.
const doubleRule = "double"

// wholeForm is a hidden field of our forms: it says that a box which is not
// there is not ticked. A program that posts a field or two leaves it out.
const wholeForm = "whole"

// sent keeps the named values that the form has, blank ones too: they clear.
func sent(form url.Values, names ...string) url.Values {
	kept := url.Values{}
	for _, name := range names {
		if form.Has(name) {
			kept.Set(name, strings.ReplaceAll(form.Get(name), "\r\n", "\n")) // a form ends its lines as mail does
		}
	}
	return kept
}

func ticked(args map[string]any, form url.Values, boxes ...string) {
	for _, box := range boxes {
		if form.Has(wholeForm) || form.Has(box) {
			args[box] = form.Has(box)
		}
	}
}
