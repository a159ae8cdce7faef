package pages

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/oauth"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// tokensView is what the page of personal tokens shows.
type tokensView struct {
	Deps
	Tokens []oauth.PersonalToken
	Form   web.Form
	Made   madeToken // the zero one when none was made just now
	Scopes []oauth.Scope
	Who    contract.Caller
	At     time.Time
}

// madeToken is a secret that is shown this once.
type madeToken struct {
	Name, Token string
	Plate       oauth.Plate // to show how it is used
}

// lives are the ends to choose from.
var lives = []struct {
	key, title string
	days       int // 0 = no end
}{
	{"30d", "in 30 days", 30},
	{"90d", "in 90 days", 90},
	{"1y", "in a year", 365},
	{"none", "never, until you revoke it", 0},
}

const usualLife = "90d"

func lifeOptions() []ui.Option {
	var list []ui.Option
	for _, l := range lives {
		list = append(list, ui.Option{Value: l.key, Text: l.title})
	}
	return list
}

// expiry returns the end that was chosen.
func expiry(key string, now time.Time) (time.Time, error) {
	for _, l := range lives {
		switch {
		case l.key != key:
		case l.days == 0:
			return time.Time{}, nil
		default:
			return now.AddDate(0, 0, l.days), nil
		}
	}
	return time.Time{}, fault.BadArgument("Choose when the token ends.").At("expires")
}

// chosen reports whether a box of a list is ticked: as it was posted, else as
// it is offered at first.
func (v tokensView) chosen(list, value string, first bool) bool {
	if v.Form.Values == nil {
		return first
	}
	return slices.Contains(v.Form.Values[list], value)
}

// view reads what the page shows. Nobody is offered a right that their role
// does not have.
func (p *pages) view(r *http.Request) (tokensView, error) {
	who := web.CallerOf(r)
	tokens, err := p.Server.Tokens(r.Context(), who.Account, who.Workspace)
	if err != nil {
		return tokensView{}, err
	}
	v := tokensView{Deps: p.Deps, Tokens: tokens, Who: who, At: p.Now()}
	for _, s := range p.Deps.Scopes {
		if who.Has(s.Name) {
			v.Scopes = append(v.Scopes, s)
		}
	}
	return v, nil
}

func (p *pages) tokens(w http.ResponseWriter, r *http.Request) error {
	v, err := p.view(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, tokensPage(v))
}

func (p *pages) createToken(w http.ResponseWriter, r *http.Request) error {
	request, err := web.Posted(r)
	if err != nil {
		return err
	}
	token, err := p.newSecret(r, request, func() (string, error) { return p.makeToken(r) })
	form, refused := web.Refused(r, err)
	if err != nil && !refused {
		return err
	}
	v, err := p.view(r)
	if err != nil {
		return err
	}
	if refused {
		v.Form = form
		return web.Render(w, r, http.StatusUnprocessableEntity, tokensPage(v))
	}
	v.Made = p.shownToken(r.PostFormValue("name"), token, r.PostForm["plates"])
	return web.Render(w, r, http.StatusOK, tokensPage(v))
}

func (p *pages) makeToken(r *http.Request) (string, error) {
	end, err := expiry(r.PostFormValue("expires"), p.Now())
	if err != nil {
		return "", err
	}
	who := web.CallerOf(r)
	token, _, err := p.Server.CreateToken(r.Context(), oauth.TokenRequest{
		Account: who.Account, Workspace: who.Workspace, Name: r.PostFormValue("name"), Expires: end,
		Plates: r.PostForm["plates"],
		Scopes: slices.DeleteFunc(slices.Clone(r.PostForm["scopes"]), func(s string) bool { return !who.Has(s) }),
	})
	return token, err
}

// newSecret makes a token for a form, once.
func (p *pages) newSecret(r *http.Request, request string, fresh func() (string, error)) (string, error) {
	if request != "" {
		request = strconv.FormatInt(int64(web.CallerOf(r).Account), 10) + " " + r.URL.Path + " " + request
	}
	token, used, err := p.shown.do(request, fresh)
	if used {
		return "", fault.Clash("This form has made its token already, and a token is shown once.").Next("Replace the secret of that token below, or make another one.")
	}
	return token, err
}

func (p *pages) shownToken(name, token string, plates []string) madeToken {
	made := madeToken{Name: name, Token: token}
	for _, plate := range p.Plates {
		if slices.Contains(plates, plate.Name) {
			made.Plate = plate
			break
		}
	}
	return made
}

// token finds the one of the address among the reader's.
func (p *pages) token(r *http.Request) (oauth.PersonalToken, error) {
	who := web.CallerOf(r)
	list, err := p.Server.Tokens(r.Context(), who.Account, who.Workspace)
	if err != nil {
		return oauth.PersonalToken{}, err
	}
	i := slices.IndexFunc(list, func(t oauth.PersonalToken) bool { return t.Grant == grantIn(r) })
	if i < 0 {
		return oauth.PersonalToken{}, noToken()
	}
	return list[i], nil
}

func noToken() *fault.Refusal {
	return fault.Missing("You have no such token in this workspace.").Next("Look at the list of personal tokens.")
}

func (p *pages) askRotate(w http.ResponseWriter, r *http.Request) error {
	t, err := p.token(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, askPage(rotation(t)))
}

func (p *pages) rotate(w http.ResponseWriter, r *http.Request) error {
	request, err := web.Posted(r)
	if err != nil {
		return err
	}
	t, err := p.token(r)
	if err != nil {
		return err
	}
	who := web.CallerOf(r)
	token, err := p.newSecret(r, request, func() (string, error) {
		return p.Server.RotateToken(r.Context(), who.Account, who.Workspace, t.Grant)
	})
	if err != nil {
		return err
	}
	v, err := p.view(r)
	if err != nil {
		return err
	}
	v.Made = p.shownToken(t.Name, token, t.Plates)
	return web.Render(w, r, http.StatusOK, tokensPage(v))
}

func (p *pages) askRevoke(w http.ResponseWriter, r *http.Request) error {
	t, err := p.token(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, askPage(revocation(t)))
}

// revoke ends a token; a second press of the button finds it ended.
func (p *pages) revoke(w http.ResponseWriter, r *http.Request) error {
	if _, err := web.Posted(r); err != nil {
		return err
	}
	if err := p.endGrant(r, grantIn(r), noToken()); err != nil {
		return err
	}
	web.Flash(r.Context(), web.FlashDone, "The token is revoked. Whatever uses it is turned away from now on.")
	web.Redirect(w, r, tokensPath)
	return nil
}
