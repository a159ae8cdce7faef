package pages

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strconv"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// newBlock makes a block with an empty first week and leads to it.
func (p *pages) newBlock(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	args, err := p.read("create_program", sent(r.PostForm, "name", "start_date"))
	if err == nil {
		args["weeks"] = []any{map[string]any{"days": []any{}}}
		return p.madeBlock(w, r, requestID, "create_program", args, "The block is made. Add its first training day.")
	}
	return p.refusedBlocks(w, r, err)
}

// takeBlock makes a block from the document that somebody shared.
func (p *pages) takeBlock(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	args, err := p.read("import_program", sent(r.PostForm, "document", "name", "start_date"))
	if err == nil {
		return p.madeBlock(w, r, requestID, "import_program", args, "The block is here. Generate its first week to get the sessions.")
	}
	return p.refusedBlocks(w, r, err)
}

func (p *pages) madeBlock(w http.ResponseWriter, r *http.Request, requestID, tool string, args any, says string) error {
	wire, err := p.call(r, requestID, tool, args)
	if err != nil {
		return p.refusedBlocks(w, r, err)
	}
	made, err := contract.Into[struct {
		ID int64 `json:"id"`
	}](wire)
	if err != nil {
		return err
	}
	web.Flash(r.Context(), web.FlashDone, says)
	web.Redirect(w, r, blockPath(made.ID))
	return nil
}

// refusedBlocks shows the list with the form that was refused.
func (p *pages) refusedBlocks(w http.ResponseWriter, r *http.Request, err error) error {
	form, ok := web.Refused(r, err)
	if !ok {
		return err
	}
	return p.showBlocks(w, r, http.StatusUnprocessableEntity, form)
}

// archiveBlock puts a block away or takes it back out.
func (p *pages) archiveBlock(e edit) error {
	e.at = atHead
	archived := e.r.PostFormValue("archived") != "0"
	_, err := edited[tools.ArchiveProgramOut](p, e, "archive_program", map[string]any{"program_id": e.block, "archived": archived})
	if err != nil {
		return p.finish(e, "", err)
	}
	says := "The block is archived. It is listed at the end of the blocks."
	if !archived {
		says = "The block is back."
	}
	web.Flash(e.r.Context(), web.FlashDone, says)
	web.Redirect(e.w, e.r, "/programs")
	return nil
}

// shareBlock is the block as one document that create_program and the form for
// a shared block take.
func (p *pages) shareBlock(w http.ResponseWriter, r *http.Request) error {
	id, ok := pathID(r, "id")
	if !ok {
		return toBlocks(w, r)
	}
	wire, err := p.call(r, "", "export_program", map[string]any{"program_id": id})
	if missing(err) {
		return toBlocks(w, r)
	}
	if err != nil {
		return err
	}
	out, err := contract.Into[tools.ExportProgramOut](wire)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": out.Name + ".json"}))
	_, err = w.Write(json.RawMessage(out.Document))
	return err
}

// previewWeek shows what generating a week would write.
func (p *pages) previewWeek(w http.ResponseWriter, r *http.Request) error {
	id, ok := pathID(r, "id")
	n, okWeek := pathID(r, "n")
	if !ok || !okWeek {
		return toBlocks(w, r)
	}
	v, err := p.blockView(r, id)
	if missing(err) {
		return toBlocks(w, r)
	}
	if err != nil {
		return err
	}
	status, preview := http.StatusOK, previewView{Block: v, Week: n}
	preview.Out, err = p.previewOf(r, id, n)
	if form, refused := web.Refused(r, err); refused {
		status, preview.Refusal, err = http.StatusUnprocessableEntity, form.Refusal.Sentence(), nil
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, status, previewPage(preview))
}

// parting is a part of a block that can be deleted.
type parting struct {
	tool string
	args map[string]any
	ask  func(blockView) (deletion, bool)
	at   func(blockView) string // where to go afterwards
}

// askParting asks before a part of a block is deleted.
func (p *pages) askParting(part func(*http.Request) (parting, bool)) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		id, ok := pathID(r, "id")
		of, okPart := part(r)
		if !ok || !okPart {
			return toBlocks(w, r)
		}
		return p.showParting(w, r, id, of, http.StatusOK, "")
	}
}

func (p *pages) showParting(w http.ResponseWriter, r *http.Request, id int64, of parting, status int, problem string) error {
	v, err := p.blockView(r, id)
	if missing(err) {
		return toBlocks(w, r)
	}
	if err != nil {
		return err
	}
	d, ok := of.ask(v)
	if !ok {
		return toBlocks(w, r)
	}
	return web.Render(w, r, status, confirmPage(d, problem, web.Link{Text: v.Program.Name, Href: blockPath(id)}))
}

// part deletes a part of a block once that was confirmed.
func (p *pages) part(part func(*http.Request) (parting, bool)) web.Handler {
	return p.editing(func(e edit) error {
		of, ok := part(e.r)
		if !ok {
			return toBlocks(e.w, e.r)
		}
		args := confirmed(e.r, "program_id", e.block)
		if of.args["program_day_id"] != nil {
			delete(args, "program_id")
		}
		for name, value := range of.args {
			args[name] = value
		}
		v, err := p.blockView(e.r, e.block)
		if missing(err) {
			return toBlocks(e.w, e.r)
		}
		if err != nil {
			return err
		}
		if _, in := of.ask(v); !in {
			return e.gone("part")
		}
		wire, err := p.call(e.r, e.requestID, of.tool, args)
		if missing(err) {
			return toBlocks(e.w, e.r)
		}
		if form, refused := web.Refused(e.r, err); refused {
			return p.showParting(e.w, e.r, e.block, of, http.StatusUnprocessableEntity, form.Refusal.Sentence())
		}
		if err != nil {
			return err
		}
		web.Flash(e.r.Context(), web.FlashDone, wire.Text)
		web.Redirect(e.w, e.r, of.at(v))
		return nil
	})
}

func wholeBlock(*http.Request) (parting, bool) {
	return parting{
		tool: "delete_program",
		ask: func(v blockView) (deletion, bool) {
			return v.deletion("block", "", v.Program.Name, v.liftedSessions(v.Program.Weeks...)), true
		},
		at: func(blockView) string { return "/programs" },
	}, true
}

func oneWeek(r *http.Request) (parting, bool) {
	n, ok := pathID(r, "n")
	return parting{
		tool: "delete_program_week", args: map[string]any{"week": n},
		ask: func(v blockView) (deletion, bool) {
			for _, w := range v.Program.Weeks {
				if w.Number == n {
					return v.deletion("week", "/weeks/"+strconv.FormatInt(n, 10), weekTitle(w), v.liftedSessions(w)), true
				}
			}
			return deletion{}, false
		},
		at: func(v blockView) string { return blockPath(v.Program.ID) },
	}, ok
}

func oneDay(r *http.Request) (parting, bool) {
	id, ok := pathID(r, "did")
	return parting{
		tool: "delete_program_day", args: map[string]any{"program_day_id": id},
		ask: func(v blockView) (deletion, bool) {
			for _, w := range v.Program.Weeks {
				for _, d := range w.Days {
					if d.ID == id {
						only := w
						only.Days = []tools.Day{d}
						return v.deletion("day", "/days/"+strconv.FormatInt(id, 10), dayTitle(d)+" of "+weekTitle(w), v.liftedSessions(only)), true
					}
				}
			}
			return deletion{}, false
		},
		at: func(v blockView) string { return blockPath(v.Program.ID) },
	}, ok
}

// liftedSessions counts the sessions of the weeks in which something was
// lifted.
func (v blockView) liftedSessions(weeks ...tools.Week) int {
	n := 0
	for _, w := range weeks {
		for _, d := range w.Days {
			if v.Sessions[d.ID].Workout.lifted() {
				n++
			}
		}
	}
	return n
}

func (v blockView) deletion(kind, under, name string, lifted int) deletion {
	says := "Its planned sessions go with it."
	if lifted > 0 {
		says += fmt.Sprintf(" What was lifted in %s stays, as workouts of their own.", web.Plural(lifted, "session"))
	}
	path := blockPath(v.Program.ID) + under + "/delete"
	return deletion{Lifted: lifted > 0, ConfirmProps: ui.ConfirmProps{
		ID: "delete-" + kind, Open: "Delete", Href: path, Action: path,
		Title: "Delete " + name + "?", Says: says, Do: "Delete " + kind, Back: blockPath(v.Program.ID),
	}}
}

// previewView is what generating a week would write.
type previewView struct {
	Block   blockView
	Week    int64
	Out     tools.PreviewProgramWeekOut
	Refusal string
}

// open reports whether a day has no session yet.
func (v previewView) open() bool {
	for _, d := range v.Out.Days {
		if d.WorkoutID == nil {
			return true
		}
	}
	return false
}

// paperWeek is the week that is printed first: the one that today falls in, or
// the first.
func (v blockView) paperWeek() int64 {
	if v.Program.CurrentWeek != nil {
		return *v.Program.CurrentWeek
	}
	return v.Program.Weeks[0].Number
}
