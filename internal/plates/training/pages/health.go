package pages

import (
	"net/http"
	"strings"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
)

const (
	recentDays  = 90  // what a series is drawn and judged by, up to its last day
	mostImports = 100 // that are listed
)

// health shows what scales and health apps measured, each source for itself.
func (p *pages) health(w http.ResponseWriter, r *http.Request) error {
	return p.showHealth(w, r, http.StatusOK, web.Form{})
}

func (p *pages) showHealth(w http.ResponseWriter, r *http.Request, status int, form web.Form) error {
	who := web.CallerOf(r)
	v := healthView{Zone: who.Zone, Form: form, Writes: who.Has("write"), Now: p.Now()}
	err := p.reading(r, func(rd reader) (err error) {
		if v.Series, err = store.SeriesOf(rd.ctx, rd.tx, rd.who.Workspace, recentDays); err != nil {
			return err
		}
		v.Imports, err = store.ImportsOf(rd.ctx, rd.tx, rd.who.Workspace, mostImports)
		return err
	})
	if err != nil {
		return err
	}
	return web.Render(w, r, status, healthPage(v))
}

// toHealth leads away from an import that this workspace does not have.
func toHealth(w http.ResponseWriter, r *http.Request) error {
	web.Redirect(w, r, "/health")
	return nil
}

// addReading stores one reading that a person took.
func (p *pages) addReading(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	args, err := p.readingArguments(r)
	if err == nil {
		var wire contract.Wire
		if wire, err = p.call(r, requestID, "add_health_reading", args); err == nil {
			return readingAdded(w, r, wire)
		}
	}
	form, ok := refusedForm(r, err)
	if !ok {
		return err
	}
	return p.showHealth(w, r, http.StatusUnprocessableEntity, form)
}

// localMinute is how a browser writes the time of a day without a zone.
const localMinute = "2006-01-02T15:04"

// readingArguments reads the form. Its time is one of the workspace's zone.
func (p *pages) readingArguments(r *http.Request) (map[string]any, error) {
	args := map[string]any{}
	for _, name := range []string{"metric", "value", "unit", "source"} {
		args[name] = strings.TrimSpace(r.PostForm.Get(name))
	}
	if typed := strings.TrimSpace(r.PostForm.Get("measured_at")); typed != "" {
		at, err := time.ParseInLocation(localMinute, typed, web.CallerOf(r).Zone)
		if err != nil {
			return nil, fault.BadArgument("Couldn't read \"%s\" as a time of a day.", fault.Clip(typed)).At("measured_at")
		}
		args["measured_at"] = at.Format(time.RFC3339)
	}
	return args, nil
}

func readingAdded(w http.ResponseWriter, r *http.Request, wire contract.Wire) error {
	out, err := contract.Into[tools.AddHealthReadingOut](wire)
	if err != nil {
		return err
	}
	says := "The reading is added."
	if !out.Created {
		says = "That reading was already there."
	}
	web.Flash(r.Context(), web.FlashDone, says)
	web.Redirect(w, r, "/health")
	return nil
}

// importAt returns the import that the address names.
func (p *pages) importAt(r *http.Request) (row store.ImportsRow, err error) {
	id, ok := pathID(r, "id")
	if !ok {
		return row, errNoRow
	}
	err = p.reading(r, func(rd reader) error {
		found, ok, err := store.ImportByID(rd.ctx, rd.tx, rd.who.Workspace, id)
		if err == nil && !ok {
			err = errNoRow
		}
		row = found
		return err
	})
	return row, err
}

// askUndoImport asks on a page of its own, for readers without the script.
func (p *pages) askUndoImport(w http.ResponseWriter, r *http.Request) error {
	row, err := p.importAt(r)
	if missing(err) {
		return toHealth(w, r)
	}
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, undoImportPage(row))
}

// undoImport removes the readings that an import brought.
func (p *pages) undoImport(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	id, ok := pathID(r, "id")
	if !ok {
		return toHealth(w, r)
	}
	wire, err := p.call(r, requestID, "undo_health_import", map[string]any{"import_id": id})
	if missing(err) {
		return toHealth(w, r)
	}
	if err != nil {
		return err
	}
	out, err := contract.Into[tools.UndoHealthImportOut](wire)
	if err != nil {
		return err
	}
	says := "Removed " + web.Plural(out.Removed, "reading") + "."
	if out.Restored > 0 {
		says += " " + web.Plural(out.Restored, "earlier value") + " restored."
	}
	web.Flash(r.Context(), web.FlashDone, says)
	return toHealth(w, r)
}
