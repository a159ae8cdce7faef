package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/web/ui"
)

// maxFormMemory is how much of an uploaded form is kept in memory, in bytes.
const maxFormMemory = 1 << 20

// ParseForm reads the form of the request, with or without files. A body over
// the limit is refused as too large.
func ParseForm(r *http.Request) error {
	err := r.ParseForm() // on its own first: ParseMultipartForm forgets its error
	if err == nil {
		err = r.ParseMultipartForm(maxFormMemory)
	}
	if err == nil || errors.Is(err, http.ErrNotMultipart) {
		return nil
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return err
	}
	return fault.BadArgument("The form could not be read. Reload the page and try again.").Because(err)
}

// CheckWorkspace refuses a form that was made for another workspace than the
// session works in now: a second window may have changed it meanwhile, or
// somebody removed the account from it. A program that posts without the field
// means the session's own. A change that waited on the device names whom it
// was made by, and is refused to all others.
func CheckWorkspace(r *http.Request) error {
	if by := r.Header.Get(WhoHeader); by != "" && by != visitOf(r.Context()).who() {
		return elsewhere("This change was made by somebody else, or in another workspace, so it was not sent.", "It stays on this device until they are signed in here again.")
	}
	if visitOf(r.Context()).left {
		return elsewhere("You are no longer in the workspace that this was meant for, so nothing was changed.", "You are in "+CallerOf(r).WorkspaceName+" now. Reload the page.")
	}
	named := r.PostFormValue("workspace")
	if named == "" || named == workspaceText(CallerOf(r).Workspace) {
		return nil
	}
	here, made := CallerOf(r).WorkspaceName, "another workspace"
	if own, ok := visitOf(r.Context()).identity.workspace(named); ok {
		made = own.Name
	}
	return elsewhere(
		fmt.Sprintf("This form was made in %s, and in another tab you went to %s since, so nothing was changed.", made, here),
		"Switch back at the top and send it again, or reload the page to go on in "+here+".",
	)
}

func elsewhere(message, remedy string) error {
	return &fault.Refusal{Kind: fault.Conflict, Code: fault.CodeConflict, Message: message, Remedy: remedy}
}

// Posted reads a form that changes something in the workspace: it parses it,
// checks its workspace, and returns its request id, which makes a second
// press of the same button answer with the first result. Every form of ours
// carries both; a program that posts without an id gets no such protection.
func Posted(r *http.Request) (requestID string, err error) {
	if err := ParseForm(r); err != nil {
		return "", err
	}
	if err := CheckWorkspace(r); err != nil {
		return "", err
	}
	return r.PostFormValue("request_id"), nil
}

// Form is what a page needs to show a form again: what was typed and why it
// was refused. The zero Form is an empty one.
type Form struct {
	Values  url.Values
	Refusal *fault.Refusal
}

// Refused returns the form of the request with the refusal to show in it, and
// true, when err is one that the reader of the form can do something about.
// Render the page with it and status 422. Every other error is returned by
// the handler as it is.
func Refused(r *http.Request, err error) (Form, bool) {
	refusal, ok := errors.AsType[*fault.Refusal](err)
	if !ok {
		return Form{}, false
	}
	switch refusal.Kind {
	case fault.Invalid, fault.Refused, fault.Conflict, fault.NotFound:
		return Form{Values: r.PostForm, Refusal: refusal}, true
	}
	return Form{}, false
}

// Value returns what was typed into the field, else the fallback.
func (f Form) Value(name, fallback string) string {
	if f.Values.Has(name) {
		return f.Values.Get(name)
	}
	return fallback
}

// Checked returns whether a box was ticked, else the fallback. A box that was
// not ticked is absent from a posted form.
func (f Form) Checked(name string, fallback bool) bool {
	if f.Values == nil {
		return fallback
	}
	return f.Values.Has(name)
}

// Error returns what is wrong with the field, or "".
func (f Form) Error(name string) string {
	if f.Refusal == nil {
		return ""
	}
	return f.Refusal.Problem(name)
}

// First reports whether the field is the first one that is wrong.
func (f Form) First(name string) bool {
	return f.Refusal != nil && len(f.Refusal.Fields) > 0 && f.Refusal.Fields[0].Path == "/"+name
}

// Field returns the props with the value that was typed and the error of the
// field. The first wrong one gets the focus.
func (f Form) Field(p ui.FieldProps) ui.FieldProps {
	if p.Type != "password" { // a password is typed again
		p.Value = f.Value(p.Name, p.Value)
	}
	p.Error = f.Error(p.Name)
	p.Autofocus = p.Autofocus && f.Refusal == nil || f.First(p.Name)
	return p
}

// Select returns the props with the choice that was made and the error.
func (f Form) Select(p ui.SelectProps) ui.SelectProps {
	p.Value = f.Value(p.Name, p.Value)
	p.Error = f.Error(p.Name)
	p.Autofocus = f.First(p.Name)
	return p
}

// Textarea returns the props with the text that was typed and the error.
func (f Form) Textarea(p ui.TextareaProps) ui.TextareaProps {
	p.Value = f.Value(p.Name, p.Value)
	p.Error = f.Error(p.Name)
	p.Autofocus = f.First(p.Name)
	return p
}

// Checkbox returns the props with the state that was posted and the error.
func (f Form) Checkbox(p ui.CheckboxProps) ui.CheckboxProps {
	p.Checked = f.Checked(p.Name, p.Checked)
	p.Error = f.Error(p.Name)
	return p
}

// Problems returns the wrong fields for ui.ErrorSummary, by their ids.
func (f Form) Problems() []ui.Problem {
	if f.Refusal == nil {
		return nil
	}
	var out []ui.Problem
	for _, field := range f.Refusal.Fields {
		if len(field.Path) > 1 {
			out = append(out, ui.Problem{ID: field.Path[1:], Text: field.Problem})
		}
	}
	return out
}

// Sentence returns the refusal when it is about no single field, or "".
func (f Form) Sentence() string {
	if f.Refusal == nil || len(f.Problems()) > 0 {
		return ""
	}
	return f.Refusal.Sentence()
}
