package pages

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/oauth"
	"tectonic/internal/web"
)

// reaches returns the titles of plates: "Training, Memory".
func (d Deps) reaches(names []string) string {
	var titles []string
	for _, p := range d.Plates {
		if slices.Contains(names, p.Name) {
			titles = append(titles, p.Title)
		}
	}
	return strings.Join(titles, ", ")
}

// may returns scopes in words: "see what is in the workspace, add to it and
// change it".
func (d Deps) may(names []string) string {
	var words []string
	for _, s := range d.Scopes {
		if slices.Contains(names, s.Name) {
			words = append(words, lower(cmp.Or(s.Says, s.Name)))
		}
	}
	return strings.Join(words, ", ")
}

func lower(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(r)) + s[n:]
}

// ago says when something was, as people do: "4 minutes ago", "today 14:03",
// "Mar 02, 2026". Zero is never.
func ago(at, now time.Time, who contract.Caller) string {
	if at.IsZero() {
		return "never"
	}
	zone := who.Zone
	if zone == nil {
		zone = time.UTC
	}
	at, now = at.In(zone), now.In(zone)
	passed, clock := now.Sub(at), at.Format("15:04")
	switch day := at.Format(time.DateOnly); {
	case passed < time.Minute:
		return "just now"
	case passed < time.Hour:
		return web.Plural(int(passed.Minutes()), "minute") + " ago"
	case day == now.Format(time.DateOnly):
		return "today " + clock
	case day == now.AddDate(0, 0, -1).Format(time.DateOnly):
		return "yesterday " + clock
	}
	return onDay(at, who)
}

// onDay returns the day of an instant where the reader is.
func onDay(at time.Time, who contract.Caller) string {
	zone := who.Zone
	if zone == nil {
		zone = time.UTC
	}
	return web.Day(dbtype.Date(at.In(zone).Format(time.DateOnly)))
}

// title returns what people read of a scope.
func title(s oauth.Scope) string {
	if s.Title != "" || s.Name == "" {
		return s.Title
	}
	return strings.ToUpper(s.Name[:1]) + s.Name[1:]
}
