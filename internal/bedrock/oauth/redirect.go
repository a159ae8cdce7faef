package oauth

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// DefaultRedirects is the allow-list of OAUTH_REDIRECT_URI_ALLOWLIST when it is
// not set: Claude, ChatGPT and programs on the person's own machine.
const DefaultRedirects = "https://claude.ai/api/mcp/auth_callback https://claude.com/api/mcp/auth_callback " +
	"https://chatgpt.com/connector_platform_oauth_redirect https://chatgpt.com/connector/oauth/ " +
	"http://localhost/ http://127.0.0.1/ http://[::1]/"

// presets are words that expand in place.
var presets = map[string]string{
	"defaults":      DefaultRedirects,
	"preset:cursor": "cursor://anysphere.cursor-mcp/oauth/callback https://www.cursor.com/agents/mcp/oauth/callback",
	"preset:vscode": "https://vscode.dev/redirect",
}

const addressMax = 2000 // characters of a redirect URI or a client_id

// Redirects is the list of addresses that codes may be sent to.
type Redirects []*url.URL

// ParseRedirects reads an allow-list separated by white space or commas; "" is
// the default. An entry that ends in a slash allows every path below it. The
// words defaults, preset:cursor and preset:vscode stand for their lists.
func ParseRedirects(text string) (Redirects, error) {
	words := split(text)
	if len(words) == 0 {
		words = []string{"defaults"}
	}
	var list Redirects
	for _, word := range words {
		entries := []string{word}
		if preset, ok := presets[word]; ok {
			entries = strings.Fields(preset)
		}
		for _, entry := range entries {
			u, err := parseRedirect(entry)
			if err != nil {
				return nil, fmt.Errorf("allowed redirect %q: %w", entry, err)
			}
			list = append(list, u)
		}
	}
	return list, nil
}

func split(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// Allow reports whether the list lets a code go to the candidate.
func (list Redirects) Allow(candidate string) bool {
	u, err := parseRedirect(candidate)
	return err == nil && slices.ContainsFunc(list, func(entry *url.URL) bool { return covers(entry, u) })
}

// parseRedirect reads an absolute address without anything by which two
// parsers could understand different hosts or paths.
func parseRedirect(text string) (*url.URL, error) {
	switch {
	case text == "" || len(text) > addressMax:
		return nil, fmt.Errorf("must have 1 to %d characters", addressMax)
	case strings.ContainsAny(text, "#\\"):
		return nil, errors.New("has a fragment or a backslash")
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar }):
		return nil, errors.New("has white space or control characters")
	}
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, errors.New("is no address")
	case u.Scheme == "" || u.Hostname() == "" || u.Opaque != "":
		return nil, errors.New("has no host")
	case u.User != nil:
		return nil, errors.New("names a user")
	case hasDots(u.Path):
		return nil, errors.New("has a . or .. in its path")
	case u.ForceQuery:
		return nil, errors.New("has an empty query")
	}
	return u, nil
}

// hasDots looks at the path after percent-decoding, once more than a server
// would do it, so that %252e%252e does not slip through either.
func hasDots(path string) bool {
	again, err := url.PathUnescape(path)
	if err != nil {
		again = path
	}
	dots := func(segment string) bool { return segment == "." || segment == ".." }
	return slices.ContainsFunc(strings.Split(path, "/"), dots) || slices.ContainsFunc(strings.FieldsFunc(again, func(r rune) bool { return r == '/' || r == '\\' }), dots)
}

// covers reports whether an entry of the allow-list stands for the candidate.
func covers(entry, candidate *url.URL) bool {
	if !sameOrigin(entry, candidate) || entry.RawQuery != candidate.RawQuery {
		return false
	}
	want, got := path(entry), path(candidate)
	return got == want || strings.HasSuffix(want, "/") && strings.HasPrefix(got, want)
}

// sameRedirect reports whether a requested address is the registered one. On
// loopback the port is free, since a program takes whichever it gets.
func sameRedirect(registered, requested string) bool {
	if registered == requested {
		return true
	}
	a, errA := parseRedirect(registered)
	b, errB := parseRedirect(requested)
	return errA == nil && errB == nil && loopback(a) && loopback(b) &&
		sameOrigin(a, b) && path(a) == path(b) && a.RawQuery == b.RawQuery
}

func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) &&
		(port(a) == port(b) || loopback(a) && loopback(b))
}

// loopback is plain http to the person's own machine.
func loopback(u *url.URL) bool {
	return u.Scheme == "http" && slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, strings.ToLower(u.Hostname()))
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme]
}

func path(u *url.URL) string {
	if u.Path == "" {
		return "/"
	}
	return u.EscapedPath()
}
