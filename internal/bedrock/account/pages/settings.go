package pages

import (
	"net/http"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/web"
)

// settingsView is what the settings page shows.
type settingsView struct {
	Email     string
	Workspace string
	Role      contract.Role
	Zone      string
	Version   string
	Password  web.Form
}

func (p pages) settings(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, settingsPage(p.settingsOf(r)))
}

func (p pages) settingsOf(r *http.Request) settingsView {
	who := web.CallerOf(r)
	return settingsView{Email: who.Email, Workspace: who.WorkspaceName, Role: who.Role, Zone: zoneName(who), Version: p.Version}
}

// changePassword replaces the password. The session goes on under the new
// one; the other devices of the account are signed out.
func (p pages) changePassword(w http.ResponseWriter, r *http.Request) error {
	if err := posted(r); err != nil {
		return err
	}
	epoch, err := p.replacePassword(r)
	if err != nil {
		form, status, ok := refused(w, r, err)
		if !ok {
			return err
		}
		view := p.settingsOf(r)
		view.Password = form
		return web.Render(w, r, status, settingsPage(view))
	}
	who := web.CallerOf(r)
	if err := web.SignIn(r.Context(), who.Account, who.Workspace, epoch, r.PostFormValue("remember") != ""); err != nil {
		return err
	}
	web.Flash(r.Context(), web.FlashDone, "Your password was changed. All other devices were signed out.")
	web.Redirect(w, r, settingsPath)
	return nil
}

func (p pages) replacePassword(r *http.Request) (epoch int64, err error) {
	var f faults
	if r.PostFormValue("current_password") == "" {
		f.at("current_password", "Type your current password.")
	}
	f.passwordTwice(r, "new_password", "new_password_again")
	if err := f.err(); err != nil {
		return 0, err
	}
	return p.Accounts.ChangePassword(r.Context(), door(r), web.CallerOf(r), r.PostFormValue("current_password"), r.PostFormValue("new_password"))
}

// posted reads a form and refuses one that was made for another workspace.
func posted(r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	return web.CheckWorkspace(r)
}
