package pages

import (
	"net/http"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/web"
)

func (p pages) askDeleteAccount(w http.ResponseWriter, r *http.Request) error {
	return p.showDeleteAccount(w, r, http.StatusOK, web.Form{})
}

func (p pages) showDeleteAccount(w http.ResponseWriter, r *http.Request, status int, form web.Form) error {
	who := web.CallerOf(r)
	goes, err := p.Accounts.Farewell(r.Context(), who.Account)
	if err != nil {
		return err
	}
	return web.Render(w, r, status, deleteAccountPage(deleteAccountView{Email: who.Email, Farewell: goes, Form: form}))
}

// deleteAccountView says what goes and what stays.
type deleteAccountView struct {
	account.Farewell
	Email string
	Form  web.Form
}

// deleteAccount deletes the account for good and ends the session.
func (p pages) deleteAccount(w http.ResponseWriter, r *http.Request) error {
	if err := posted(r); err != nil {
		return err
	}
	err := p.Accounts.DeleteAccount(r.Context(), door(r), web.CallerOf(r), r.PostFormValue("current_password"))
	if err != nil {
		form, status, ok := refused(w, r, err)
		if !ok {
			return err
		}
		return p.showDeleteAccount(w, r, status, form)
	}
	if err := web.SignOut(r.Context()); err != nil {
		return err
	}
	web.Redirect(w, r, welcomePath+"?deleted=1")
	return nil
}
