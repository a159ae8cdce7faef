package web

import (
	"net/http"
	"time"
)

const (
	themePath   = "/theme"
	themeCookie = "tectonic_theme"
)

// themeOf returns the colour scheme that the reader chose, "" for the
// system's. The server renders it, so that no page flashes in the other one.
func themeOf(r *http.Request) string {
	c, err := r.Cookie(themeCookie)
	if err != nil || (c.Value != "light" && c.Value != "dark") {
		return ""
	}
	return c.Value
}

// chooseTheme keeps the choice in a cookie for a year and goes back.
func chooseTheme(w http.ResponseWriter, r *http.Request) error {
	if err := ParseForm(r); err != nil {
		return err
	}
	c := &http.Cookie{
		Name: themeCookie, Value: r.PostFormValue("theme"), Path: "/", HttpOnly: true,
		SameSite: http.SameSiteLaxMode, Secure: visitOf(r.Context()).site.o.Secure,
		MaxAge: int((365 * 24 * time.Hour).Seconds()),
	}
	if c.Value != "light" && c.Value != "dark" {
		c.Value, c.MaxAge = "", -1
	}
	http.SetCookie(w, c)
	Redirect(w, r, LocalPath(r.PostFormValue("back"), visitOf(r.Context()).site.o.Home))
	return nil
}
