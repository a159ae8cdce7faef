package pages

import (
	"net/http"
	"strings"

	"tectonic/internal/web"
)

// formWords turns what the tools say to programs into the words of a form: it
// has a calendar where they take a text, and boxes where they take arguments.
var formWords = strings.NewReplacer(
	"duration_seconds", "seconds",
	"use 'today' or YYYY-MM-DD", "choose a day",
	"Send confirm true if the user asked to move it.", "Tick the box to move it all the same.",
	"Send confirm true if the user asked to remove it.", "Press Delete if it should go.",
)

// refusedForm is web.Refused with the refusal in the words of a form.
func refusedForm(r *http.Request, err error) (web.Form, bool) {
	form, ok := web.Refused(r, err)
	if !ok {
		return form, false
	}
	said := *form.Refusal
	said.Message, said.Remedy = formWords.Replace(said.Message), formWords.Replace(said.Remedy)
	said.Fields = nil
	for _, f := range form.Refusal.Fields {
		f.Problem = formWords.Replace(f.Problem)
		said.Fields = append(said.Fields, f)
	}
	form.Refusal = &said
	return form, true
}
