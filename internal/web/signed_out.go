package web

import (
	"net/http"
	"net/url"
	"strings"
)

// unsaved marks the address of the sign-in page when a change was sent by
// somebody whose session is gone.
const unsaved = "unsaved"

// toSignIn leads whoever has no session to the sign-in page, and from there
// back to the page that they were on. A change that was sent is not made; the
// sign-in page says so.
func toSignIn(w http.ResponseWriter, r *http.Request, v *visit) {
	query := url.Values{}
	if back := wayBack(r); back != "" {
		query.Set("next", back)
	}
	if r.Method != http.MethodGet {
		query.Set(unsaved, "1")
	}
	to := v.site.o.SignInPath
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	Redirect(w, r, to)
}

// wayBack returns the path of the page that the reader has in front of them:
// the address itself for a page that is asked for, else the page that sent
// the request, "" when that is none of ours.
func wayBack(r *http.Request) string {
	if r.Method == http.MethodGet && !IsHTMX(r) {
		return r.URL.RequestURI()
	}
	from := r.Header.Get("HX-Current-URL")
	if from == "" {
		from = r.Referer()
	}
	u, err := url.Parse(from)
	if err != nil || u.Host != r.Host {
		return ""
	}
	return LocalPath(u.RequestURI(), "")
}

// lostChange reports whether the page is the sign-in page after a change that
// was not made.
func (v *visit) lostChange() bool {
	_, query, _ := strings.Cut(v.path, "?")
	values, err := url.ParseQuery(query)
	return err == nil && values.Has(unsaved) && !v.signedIn
}
