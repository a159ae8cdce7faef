package pages

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
	"unicode"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/web"
)

const (
	exportLimit = 5 * time.Minute // of writing one archive
	exportsMax  = 2               // that are written at once
)

// exporting holds a place for each archive that may be written at once.
type exporting chan struct{}

func (p pages) exportForm(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, exportPage(web.CallerOf(r)))
}

// export sends everything of the workspace as one archive. It is written to a
// file first, so that a failure is a page and no broken download, and a slow
// reader keeps no connection to the database.
func (p pages) export(w http.ResponseWriter, r *http.Request) error {
	select {
	case p.exports <- struct{}{}:
		defer func() { <-p.exports }()
	default:
		return &fault.Refusal{Kind: fault.Unavailable, Code: fault.CodeDBUnavailable, Message: "Other exports are being written right now.", Remedy: "Try again in a minute."}
	}
	file, err := os.CreateTemp("", "tectonic-export-*.zip")
	if err != nil {
		return fmt.Errorf("make a file for the export: %w", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	ctx, cancel := context.WithTimeout(r.Context(), exportLimit)
	defer cancel()
	if err := p.Export(ctx, web.CallerOf(r), file); err != nil {
		return err
	}
	name := fileName(web.CallerOf(r).WorkspaceName) + "-" + string(web.CallerOf(r).Today(time.Now())) + ".zip"
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	http.ServeContent(w, r, "", time.Time{}, file)
	return nil
}

// fileName makes a name for a file out of the name of a workspace.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return unicode.ToLower(r)
		}
		return '-'
	}, name)
	name = strings.Trim(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' }), "-"), "-")
	if name == "" {
		return "workspace"
	}
	return name
}
