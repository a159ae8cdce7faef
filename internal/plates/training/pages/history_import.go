package pages

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/history"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// trainingFile is a file of past training that waits to be imported, and what
// was said of it.
type trainingFile struct {
	Upload string // the name that it is kept under, "" = no file yet
	Name   string // that it had where it came from
	Format string
	Unit   string
	Zone   string
	Order  string // "day" or "month" first, where a date could be two; "" = not said
	Names  []namedMovement
}

// namedMovement is what a movement of the file is to be called here.
type namedMovement struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// fields are the values that the form of an import carries, but for the names.
func (f trainingFile) fields() [][2]string {
	return [][2]string{{"upload", f.Upload}, {"file_name", f.Name}, {"format", f.Format}, {"unit", f.Unit}, {"time_zone", f.Zone}, {"order", f.Order}}
}

// arguments are what the tool is told beside the contents.
func (f trainingFile) arguments() map[string]any {
	args := map[string]any{"file_name": f.Name, "names": append([]namedMovement{}, f.Names...)}
	for name, value := range map[string]string{"format": f.Format, "unit": f.Unit, "time_zone": f.Zone} {
		if value = strings.TrimSpace(value); value != "" {
			args[name] = value
		}
	}
	if f.Order != "" {
		args["day_first"] = f.Order == "day"
	}
	return args
}

// pastView is the page that brings past training in.
type pastView struct {
	File    trainingFile
	Preview *tools.PreviewHistoryImportOut // nil = nothing was read yet
	Form    web.Form
	Imports []store.HistoryImportsRow
}

func (v pastView) fileHint() string {
	if v.File.Upload != "" {
		return v.File.Name + " is here already; choose another one only to take its place."
	}
	return "The CSV that Strong, Hevy or FitNotes exports, or a table with the columns date, exercise, weight, unit and reps; at most 20 MB."
}

func appOptions() []ui.Option {
	list := []ui.Option{{Value: "auto", Text: "Find out"}}
	for _, f := range []history.Format{history.Strong, history.Hevy, history.FitNotes, history.CSV} {
		list = append(list, ui.Option{Value: string(f), Text: f.Title()})
	}
	return list
}

// counts tells what the import would bring: "12 workouts with 240 new sets, 0
// already there, 1 rejected".
func (v pastView) counts() string {
	p := v.Preview
	text := fmt.Sprintf("%s with %s, %d already there, %s", web.Plural(p.Workouts, "new workout"), web.Plural(p.Added, "new set"), p.AlreadyThere, web.Plural(p.Rejected, "rejected line"))
	if p.FirstDay != nil {
		text += ", from " + web.Day(*p.FirstDay) + " to " + web.Day(*p.LastDay)
	}
	return text + "."
}

// leaveOut is the choice that leaves the sets of a movement out.
const leaveOut = "-"

// choices are the names that a movement of the file may get.
func choices(n tools.PreviewedName) []ui.Option {
	own := n.From
	list := []ui.Option{}
	for _, name := range append([]string{n.To}, append(slices.Clone(n.Suggestions), own)...) {
		if name == "" || slices.ContainsFunc(list, func(o ui.Option) bool { return strings.EqualFold(o.Value, name) }) {
			continue
		}
		text := name
		if n.How == "new" && name == n.To || name == own && !strings.EqualFold(own, n.To) && !slices.Contains(n.Suggestions, own) {
			text += " (new)"
		}
		list = append(list, ui.Option{Value: name, Text: text})
	}
	return append(list, ui.Option{Value: leaveOut, Text: "Leave it out"})
}

func chosen(n tools.PreviewedName) string { return cmp.Or(n.To, leaveOut) }

// state says in words how far an import is.
func state(i store.HistoryImportsRow) string {
	switch {
	case !i.UndoneAt.IsZero():
		return "Undone; what was changed by hand stays"
	case i.FinishedAt.IsZero():
		return fmt.Sprintf("Not finished, %d%% read. Import the same file again to go on", i.DonePercent)
	}
	return web.Plural(i.Workouts, "workout") + ", " + web.Plural(i.Added, "set")
}

// pastForm asks for a file of past training, and lists those that came.
func (p *pages) pastForm(w http.ResponseWriter, r *http.Request) error {
	return p.renderPast(w, r, http.StatusOK, pastView{File: trainingFile{Format: "auto", Zone: web.CallerOf(r).Zone.String()}})
}

// shownImports is how many imports the page lists.
const shownImports = 50

func (p *pages) renderPast(w http.ResponseWriter, r *http.Request, status int, v pastView) error {
	err := p.reading(r, func(rd reader) (err error) {
		v.Imports, err = store.New(rd.tx).HistoryImports(rd.ctx, rd.who.Workspace, shownImports)
		return err
	})
	if err != nil {
		return err
	}
	return web.Render(w, r, status, pastPage(v))
}

// importPast shows what is in a file, or, asked to, brings it in.
func (p *pages) importPast(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	v := pastView{}
	if err == nil {
		v.File, err = p.receivedPast(r)
	} else if _, big := errors.AsType[*http.MaxBytesError](err); big {
		err = errTooLarge
	}
	if err != nil {
		return p.refusedPast(w, r, v, err)
	}
	if r.PostForm.Get("do") != "import" {
		wire, err := p.sendPast(r, "", "preview_history_import", v.File)
		if err != nil {
			return p.refusedPast(w, r, v, err)
		}
		out, err := contract.Into[tools.PreviewHistoryImportOut](wire)
		if err != nil {
			return err
		}
		v.Preview = &out
		return p.renderPast(w, r, http.StatusOK, v)
	}
	wire, err := p.sendPast(r, requestID, "import_history", v.File)
	if err != nil {
		return p.refusedPast(w, r, v, err)
	}
	if err := p.Uploads.Drop(web.CallerOf(r), v.File.Upload); err != nil {
		return err
	}
	out, err := contract.Into[tools.ImportHistoryOut](wire)
	if err != nil {
		return err
	}
	web.Redirect(w, r, "/import/"+strconv.FormatInt(out.HistoryImportID, 10))
	return nil
}

// refusedPast shows the form again. A file that was sent stays.
func (p *pages) refusedPast(w http.ResponseWriter, r *http.Request, v pastView, err error) error {
	form, ok := refusedForm(r, err)
	if !ok {
		return err
	}
	v.Form = form
	return p.renderPast(w, r, http.StatusUnprocessableEntity, v)
}

// receivedPast returns the file of the form: one that was sent along, or else
// the one that waits.
func (p *pages) receivedPast(r *http.Request) (trainingFile, error) {
	typed := r.PostForm
	f := trainingFile{Format: typed.Get("format"), Unit: typed.Get("unit"), Zone: typed.Get("time_zone"), Order: typed.Get("order"), Names: namesOf(typed)}
	sent, header, err := r.FormFile("file")
	switch {
	case err == nil:
		defer sent.Close()
		f.Upload, err = p.keep(r, sent)
		f.Name = baseName(header)
		return f, err
	case !errors.Is(err, http.ErrMissingFile) && !errors.Is(err, http.ErrNotMultipart):
		return f, fault.BadArgument("The file could not be read. Choose it again.").At("file").Because(err)
	case typed.Get("upload") == "":
		return f, fault.BadArgument("Choose a file.").At("file")
	}
	waiting, err := p.Uploads.Open(web.CallerOf(r), typed.Get("upload"))
	if err != nil {
		return f, err
	}
	f.Upload, f.Name = typed.Get("upload"), typed.Get("file_name")
	return f, waiting.Close()
}

// namesOf reads the choices of the preview, which come in pairs.
func namesOf(typed url.Values) (names []namedMovement) {
	from, to := typed["from"], typed["to"]
	for i := range min(len(from), len(to)) {
		n := namedMovement{from[i], to[i]}
		if n.To == leaveOut {
			n.To = ""
		}
		names = append(names, n)
	}
	return names
}

// sendPast runs a tool on a file that waits.
func (p *pages) sendPast(r *http.Request, requestID, tool string, f trainingFile) (contract.Wire, error) {
	file, err := p.Uploads.Open(web.CallerOf(r), f.Upload)
	if err != nil {
		return contract.Wire{}, err
	}
	defer file.Close()
	return p.callWithFile(r.Context(), web.CallerOf(r), requestID, tool, f.arguments(), file)
}

// pastImport shows what an import brought.
func (p *pages) pastImport(w http.ResponseWriter, r *http.Request) error {
	row, err := p.pastImportAt(r)
	if missing(err) {
		return noImport(w, r)
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, pastImportPage(row))
}

func (p *pages) pastImportAt(r *http.Request) (row store.HistoryImportsRow, err error) {
	id, ok := pathID(r, "id")
	if !ok {
		return row, errNoRow
	}
	err = p.reading(r, func(rd reader) error {
		found, ok, err := store.HistoryImportByID(rd.ctx, rd.tx, rd.who.Workspace, id)
		if err == nil && !ok {
			err = errNoRow
		}
		row = store.HistoryImportsRow(found)
		return err
	})
	return row, err
}

func noImport(w http.ResponseWriter, r *http.Request) error {
	web.Flash(r.Context(), web.FlashNote, "There is no such import in this workspace.")
	web.Redirect(w, r, "/import")
	return nil
}

// undoPastImport removes what an import brought and nobody changed since.
func (p *pages) undoPastImport(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	id, ok := pathID(r, "id")
	if !ok {
		return noImport(w, r)
	}
	wire, err := p.call(r, requestID, "undo_history_import", map[string]any{"history_import_id": id})
	if missing(err) {
		return noImport(w, r)
	}
	if err != nil {
		return err
	}
	out, err := contract.Into[tools.UndoHistoryImportOut](wire)
	if err != nil {
		return err
	}
	text := "Removed " + web.Plural(out.Sets, "set") + " and " + web.Plural(out.Workouts, "workout") + "."
	if out.SetsStay+out.WorkoutsStay > 0 {
		text += " " + web.Plural(out.SetsStay, "set") + " and " + web.Plural(out.WorkoutsStay, "workout") + " stay, because they were changed or added to by hand."
	}
	web.Flash(r.Context(), web.FlashDone, text)
	web.Redirect(w, r, "/import")
	return nil
}
