package web

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/a-h/templ"
)

// Render answers with the page. When the request comes from htmx and its
// target's id is one of the named fragments, only that templ.Fragment of the
// page is sent. A fragment has the id of the element that it replaces; the
// page puts that element inside it and swaps with outerHTML or outerMorph.
//
// The page is rendered before the header is written, so that an error in it
// is still an error page and not a torn answer.
func Render(w http.ResponseWriter, r *http.Request, status int, page templ.Component, fragments ...string) error {
	w.Header().Add("Vary", "HX-Request, HX-Target")
	name := fragmentOf(r, fragments)
	if name == "" {
		return write(w, r, status, page)
	}
	v := *visitOf(r.Context())
	v.part = true
	return write(w, enter(r, &v), status, part{page, name})
}

// fragmentOf returns the fragment that the request asks for, "" for the page.
// htmx names the target as tag#id. To restore its history it needs all of it.
func fragmentOf(r *http.Request, fragments []string) string {
	if !IsHTMX(r) || restoresHistory(r) {
		return ""
	}
	_, target, _ := strings.Cut(r.Header.Get("HX-Target"), "#")
	if target == "" || !slices.Contains(fragments, target) {
		return ""
	}
	return target
}

func restoresHistory(r *http.Request) bool {
	return r.Header.Get("HX-History-Restore-Request") == "true"
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func write(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	defer buffers.Put(b)
	if err := c.Render(r.Context(), b); err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	w.Write(b.Bytes()) // the reader may be gone; there is nobody to tell
	return nil
}
