package pages

import (
	"net/http"
	"strings"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/web"
)

// firstStep is what the first page says to a new account.
const firstStep = "Your account is ready. This calendar fills as you train: start a new workout, or open Blocks and write your first block."

func (p pages) signUpForm(w http.ResponseWriter, r *http.Request) error {
	if homeWhenSignedIn(w, r) {
		return nil
	}
	return p.showSignUp(w, r, http.StatusOK, web.Form{})
}

func (p pages) showSignUp(w http.ResponseWriter, r *http.Request, status int, form web.Form) error {
	w.Header().Set("Cache-Control", "no-store")
	return web.Render(w, r, status, signUpPage(form, p.maySignUp(r), web.Next(r, "")))
}

// signUp creates the account with its workspace and starts its session.
func (p pages) signUp(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	started, err := p.create(r)
	if err != nil {
		form, status, ok := refused(w, r, err)
		if !ok {
			return err
		}
		return p.showSignUp(w, r, status, form)
	}
	if err := web.SignIn(r.Context(), started.Account, started.Workspace, started.Epoch, false); err != nil {
		return err
	}
	if inviteIn(r) != "" {
		return done(w, r, "Your account is ready, and you joined. A workspace of your own is there too, in the menu at the top.", homePath)
	}
	web.Flash(r.Context(), web.FlashDone, firstStep)
	web.Redirect(w, r, web.Next(r, homePath))
	return nil
}

// maySignUp reports whether this visitor can create an account: with a link of
// an invitation also where others cannot.
func (p pages) maySignUp(r *http.Request) bool {
	return p.offersSignUp() || p.SignUp == account.SignUpInvite && inviteIn(r) != ""
}

func (p pages) create(r *http.Request) (account.Started, error) {
	if err := checkSignUp(r); p.maySignUp(r) && err != nil {
		return account.Started{}, err
	}
	return p.Accounts.Create(r.Context(), door(r), account.NewAccount{
		Email: r.PostFormValue("email"), Password: r.PostFormValue("password"), TimeZone: r.PostFormValue("time_zone"),
		Invite: inviteIn(r),
	})
}

// checkSignUp finds all faults of the form at once. Whether the address is
// taken only the service can tell, afterwards.
func checkSignUp(r *http.Request) error {
	var f faults
	address, _, err := account.Email(r.PostFormValue("email"))
	f.add("email", err)
	if again := strings.TrimSpace(r.PostFormValue("email_again")); err == nil && !strings.EqualFold(again, address) {
		f.at("email_again", "The two e-mail addresses differ. Type the same one as above.")
	}
	f.passwordTwice(r, "password", "password_again")
	_, err = account.Zone(r.PostFormValue("time_zone"))
	f.add("time_zone", err)
	return f.err()
}
