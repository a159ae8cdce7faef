package app

import (
	"strings"

	contractpages "tectonic/internal/bedrock/contract/pages"
	"tectonic/internal/bedrock/oauth"
	oauthpages "tectonic/internal/bedrock/oauth/pages"
	"tectonic/internal/web"
)

// The settings that decide which programs may connect.
const (
	hostsSetting     = "MCP_ALLOWED_HOSTS"
	originsSetting   = "MCP_ALLOWED_ORIGINS"
	redirectsSetting = "OAUTH_REDIRECT_URI_ALLOWLIST"
)

// connectionPages are the pages about programs that act for people. A program
// without secrets has none, since nothing can connect to it.
func (a *App) connectionPages() []web.Route {
	if a.OAuth == nil {
		return nil
	}
	redirects, _ := oauth.ParseRedirects(a.Config.OAuth.Redirects) // connect has refused a wrong one
	return oauthpages.Routes(oauthpages.Deps{
		Server: a.OAuth, Plates: a.endpoints(), Scopes: a.offered(), Address: a.Config.BaseURL(), Public: a.Config.PublicURL != "",
		Allows: redirects.Allow, Troubles: a.remedies, Now: a.DB.Now,
	})
}

// referencePages describe the JSON API, when there is one.
func (a *App) referencePages() []web.Route {
	if a.OAuth == nil {
		return nil
	}
	d := contractpages.Deps{Address: a.Config.BaseURL()}
	for _, p := range a.Plates {
		tools, _ := a.Gate.Registry(p.Name)
		d.Plates = append(d.Plates, contractpages.Plate{Title: p.Title, Tools: tools})
	}
	return contractpages.Routes(d)
}

// remedies says of each trouble what the settings would have to say.
func (a *App) remedies() []oauthpages.Trouble {
	var list []oauthpages.Trouble
	for _, t := range a.Troubles.Latest() {
		one := oauthpages.Trouble{At: t.At, Count: t.Count, What: t.What}
		switch t.Setting {
		case hostsSetting:
			one.Kind, one.Line = oauthpages.ByHost, line(t.Setting, a.Config.MCP.Hosts, t.What)
		case originsSetting:
			one.Kind, one.Line = oauthpages.ByOrigin, line(t.Setting, a.Config.MCP.Origins, t.What)
		default:
			one.Kind, one.Line = oauthpages.ByRedirect, a.redirectLine(t.What)
		}
		list = append(list, one)
	}
	return list
}

// line is a setting that says what it says now and one thing more.
func line(setting string, now []string, more string) string {
	if strings.ContainsAny(more, " ,\t\"'") || more == "" || more == "null" {
		return "" // no list can hold it
	}
	return setting + "=" + strings.Join(append(append([]string{}, now...), more), ",")
}

// redirectLine keeps the usual redirects, which a list of one's own replaces.
func (a *App) redirectLine(more string) string {
	if _, err := oauth.ParseRedirects(more); err != nil {
		return ""
	}
	now := strings.FieldsFunc(a.Config.OAuth.Redirects, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' })
	if len(now) == 0 {
		now = []string{"defaults"}
	}
	for _, preset := range []string{"preset:cursor", "preset:vscode"} {
		if list, err := oauth.ParseRedirects(preset); err == nil && list.Allow(more) {
			more = preset
			break
		}
	}
	return line(redirectsSetting, now, more)
}
