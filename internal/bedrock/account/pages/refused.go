package pages

import (
	"errors"
	"net/http"
	"strconv"
	"unicode/utf8"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/web"
)

// refused returns the form to show again with its status, and false for an
// error that is not the form's. Two denials belong to it: too many tries, with
// the seconds to wait in Retry-After, and a sign-up that is closed.
func refused(w http.ResponseWriter, r *http.Request, err error) (web.Form, int, bool) {
	if form, ok := web.Refused(r, err); ok {
		return form, http.StatusUnprocessableEntity, true
	}
	refusal, ok := errors.AsType[*fault.Refusal](err)
	if !ok || refusal.Kind != fault.Denied {
		return web.Form{}, 0, false
	}
	if refusal.Details != nil && refusal.Details.RetryAfterS != nil {
		w.Header().Set("Retry-After", strconv.FormatInt(*refusal.Details.RetryAfterS, 10))
	}
	return web.Form{Values: r.PostForm, Refusal: refusal}, refusal.HTTPStatus(), true
}

// faults collects everything that is wrong with a form, so that it is all
// said at once.
type faults struct{ refusal *fault.Refusal }

// at adds a sentence beside the field.
func (f *faults) at(field, sentence string) {
	if f.refusal == nil {
		f.refusal = fault.BadArgument("%s", sentence)
	}
	f.refusal.Fields = append(f.refusal.Fields, fault.Field{Path: "/" + field, Problem: sentence})
}

// add adds a refusal beside the field; nil adds nothing.
func (f *faults) add(field string, err error) {
	if refusal, ok := errors.AsType[*fault.Refusal](err); ok {
		f.at(field, refusal.Sentence())
	}
}

// err returns the refusal of the whole form, nil when nothing is wrong.
func (f *faults) err() error {
	if f.refusal == nil {
		return nil
	}
	return f.refusal
}

// passwordTwice checks a new password and its repetition.
func (f *faults) passwordTwice(r *http.Request, field, again string) {
	password := r.PostFormValue(field)
	switch n := utf8.RuneCountInString(password); {
	case n < account.PasswordMin:
		f.at(field, "Use at least "+strconv.Itoa(account.PasswordMin)+" characters; this has "+strconv.Itoa(n)+".")
	case n > account.PasswordMax:
		f.at(field, "Use at most "+strconv.Itoa(account.PasswordMax)+" characters; this has "+strconv.Itoa(n)+".")
	case password != r.PostFormValue(again):
		f.at(again, "The two passwords differ. Type the same one twice.")
	}
}
