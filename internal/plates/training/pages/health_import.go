package pages

import (
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

const (
	largestUpload = 20 << 20              // bytes of a file
	largestForm   = largestUpload + 4<<20 // so that a file a little over the limit gets a sentence
)

var errTooLarge = fault.BadArgument("The file is larger than 20 MB; use the import command.").At("file")

// readingsFile is a file that waits to be imported, and what was said of it.
type readingsFile struct {
	Upload string // the name that it is kept under, "" = no file yet
	Name   string // that it had where it came from
	Format string
	Source string
	Unit   string
	Zone   string
}

// fields are the values that the form of an import carries.
func (f readingsFile) fields() [][2]string {
	return [][2]string{{"upload", f.Upload}, {"file_name", f.Name}, {"format", f.Format}, {"source", f.Source}, {"unit", f.Unit}, {"time_zone", f.Zone}}
}

// arguments are what the tool is told beside the contents.
func (f readingsFile) arguments() map[string]any {
	args := map[string]any{"file_name": f.Name}
	for name, value := range map[string]string{"format": f.Format, "source": f.Source, "unit": f.Unit, "time_zone": f.Zone} {
		if value = strings.TrimSpace(value); value != "" {
			args[name] = value
		}
	}
	return args
}

// importView is the form of an import, and what the file would do.
type importView struct {
	File    readingsFile
	Preview *tools.ImportHealthOut // nil = nothing was read yet
	Form    web.Form
}

func (v importView) fileHint() string {
	if v.File.Upload != "" {
		return v.File.Name + " is here already; choose another one only to take its place."
	}
	return "An export of Withings, Garmin or Apple Health, or a CSV or JSON of our own; at most 20 MB."
}

func formatOptions() []ui.Option {
	list := []ui.Option{{Value: "auto", Text: "Find out"}}
	for _, kind := range []string{"withings", "garmin", "apple_health", "csv", "json"} {
		list = append(list, ui.Option{Value: kind, Text: kindWords[kind]})
	}
	return list
}

// counts tells what would become of the readings: "7 readings: 7 new, 0
// already there, 0 conflicting, 0 rejected".
func (v importView) counts() string {
	p := v.Preview
	return web.Plural(p.Rows, "reading") + ": " + countsText(p.Added, p.AlreadyThere, p.Conflicting, p.Rejected)
}

func (v importView) flaws() string {
	if shown := int64(len(v.Preview.Problems)); shown < v.Preview.Rejected {
		return fmt.Sprintf("The first %d of %s", shown, web.Plural(v.Preview.Rejected, "rejected line"))
	}
	return web.Plural(v.Preview.Rejected, "rejected line")
}

// anything reports whether an import could change something.
func (v importView) anything() bool { return v.Preview.Added > 0 || v.Preview.Conflicting > 0 }

// importForm asks for a file of readings.
func (p *pages) importForm(w http.ResponseWriter, r *http.Request) error {
	v := importView{File: readingsFile{Format: "auto", Zone: web.CallerOf(r).Zone.String()}}
	return web.Render(w, r, http.StatusOK, healthImportPage(v))
}

// importReadings shows what is in a file, or, asked to, brings it in. The file
// waits on the server between the two.
func (p *pages) importReadings(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	v := importView{}
	if err == nil {
		v.File, err = p.received(r)
	} else if _, big := errors.AsType[*http.MaxBytesError](err); big {
		err = errTooLarge
	}
	if err != nil {
		return refusedImport(w, r, v, err)
	}
	if r.PostForm.Get("do") != "import" {
		return p.previewImport(w, r, v)
	}
	out, err := p.sendReadings(r, requestID, v.File, false)
	if err != nil {
		return refusedImport(w, r, v, err)
	}
	if err := p.Uploads.Drop(web.CallerOf(r), v.File.Upload); err != nil {
		return err
	}
	web.Flash(r.Context(), web.FlashDone, v.File.Name+": "+countsText(out.Added, out.AlreadyThere, out.Conflicting, out.Rejected)+".")
	return toHealth(w, r)
}

// previewImport shows what a file would do, without doing it.
func (p *pages) previewImport(w http.ResponseWriter, r *http.Request, v importView) error {
	out, err := p.sendReadings(r, "", v.File, true)
	if err != nil {
		return refusedImport(w, r, v, err)
	}
	v.Preview = &out
	return web.Render(w, r, http.StatusOK, healthImportPage(v))
}

// refusedImport shows the form again. A file that was sent stays, so that
// nobody has to pick it twice; one that is gone is asked for.
func refusedImport(w http.ResponseWriter, r *http.Request, v importView, err error) error {
	form, ok := refusedForm(r, err)
	if !ok {
		return err
	}
	v.Form = form
	return web.Render(w, r, http.StatusUnprocessableEntity, healthImportPage(v))
}

// received returns the file of the form: one that was sent along, or else the
// one that waits.
func (p *pages) received(r *http.Request) (readingsFile, error) {
	typed := r.PostForm
	f := readingsFile{Format: typed.Get("format"), Source: typed.Get("source"), Unit: typed.Get("unit"), Zone: typed.Get("time_zone")}
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

// baseName is what a browser calls a file, without a folder.
func baseName(header *multipart.FileHeader) string {
	name := []rune(path.Base(strings.ReplaceAll(header.Filename, `\`, "/")))
	return string(name[:min(len(name), 255)])
}

func (p *pages) keep(r *http.Request, sent io.Reader) (string, error) {
	name, err := p.Uploads.Keep(r.Context(), web.CallerOf(r), sent, largestUpload)
	if refusal, ok := errors.AsType[*fault.Refusal](err); ok && refusal.Kind == fault.TooLarge {
		return "", errTooLarge
	}
	return name, err
}

// sendReadings runs the tool on a file that waits. A look carries no request
// id: it writes nothing, and another look with other choices is no conflict.
func (p *pages) sendReadings(r *http.Request, requestID string, f readingsFile, look bool) (tools.ImportHealthOut, error) {
	var none tools.ImportHealthOut
	file, err := p.Uploads.Open(web.CallerOf(r), f.Upload)
	if err != nil {
		return none, err
	}
	defer file.Close()
	args := f.arguments()
	args["dry_run"], args["replace"] = look, !look && r.PostForm.Get("replace") != ""
	wire, err := p.callWithFile(r.Context(), web.CallerOf(r), requestID, "import_health", args, file)
	if err != nil {
		return none, err
	}
	return contract.Into[tools.ImportHealthOut](wire)
}
