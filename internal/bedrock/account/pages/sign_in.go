package pages

import (
	"errors"
	"net/http"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/web"
)

func (p pages) signInForm(w http.ResponseWriter, r *http.Request) error {
	if homeWhenSignedIn(w, r) {
		return nil
	}
	return p.showSignIn(w, r, http.StatusOK, web.Form{})
}

func (p pages) showSignIn(w http.ResponseWriter, r *http.Request, status int, form web.Form) error {
	w.Header().Set("Cache-Control", "no-store")
	return web.Render(w, r, status, signInPage(form, web.Next(r, ""), p.offersSignUp()))
}

// signIn starts a session and leads back to where it was asked for.
func (p pages) signIn(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	started, err := p.Accounts.SignIn(r.Context(), door(r), r.PostFormValue("email"), r.PostFormValue("password"))
	if err != nil {
		return p.signInRefused(w, r, err)
	}
	if err := web.SignIn(r.Context(), started.Account, started.Workspace, started.Epoch, r.PostFormValue("remember") != ""); err != nil {
		return err
	}
	web.Redirect(w, r, web.Next(r, homePath))
	return nil
}

// signInRefused shows the form again. A wrong pair is said beside the
// password, since that is the field to fill in again.
func (p pages) signInRefused(w http.ResponseWriter, r *http.Request, err error) error {
	form, status, ok := refused(w, r, err)
	if !ok {
		return err
	}
	if refusal, is := errors.AsType[*fault.Refusal](err); is && refusal.Kind == fault.Invalid {
		form.Refusal = refusal.At("password")
	}
	return p.showSignIn(w, r, status, form)
}

// signOut ends this session; other devices stay signed in.
func signOut(w http.ResponseWriter, r *http.Request) error {
	if err := web.SignOut(r.Context()); err != nil {
		return err
	}
	web.Redirect(w, r, welcomePath)
	return nil
}
