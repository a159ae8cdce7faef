package probe

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode"
)

// bodyMax is as much as is read of an answer, in bytes.
const bodyMax = 8 << 20

// answer is a response whose body was read; err is set when there was none.
type answer struct {
	status int
	header http.Header
	body   []byte
	err    error
}

// send makes one request; header holds names and values in turn.
func (v *visit) send(ctx context.Context, method, address string, body []byte, header ...string) answer {
	res, err := v.open(ctx, method, address, body, header...)
	if err != nil {
		return answer{err: err}
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, bodyMax))
	return answer{status: res.StatusCode, header: res.Header, body: text, err: err}
}

func (v *visit) open(ctx context.Context, method, address string, body []byte, header ...string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", cmp.Or(v.o.Agent, "tectonic-doctor"))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return v.web.Do(r)
}

func (v *visit) get(ctx context.Context, address string) answer {
	return v.send(ctx, http.MethodGet, address, nil, "Accept", "application/json")
}

func (v *visit) form(ctx context.Context, address string, form url.Values) answer {
	return v.send(ctx, http.MethodPost, address, []byte(form.Encode()), "Content-Type", "application/x-www-form-urlencoded", "Accept", "application/json")
}

// document asks for a JSON object; the text says what is wrong with the answer.
func (v *visit) document(ctx context.Context, address string, into any) (a answer, wrong string) {
	a = v.get(ctx, address)
	switch {
	case a.err != nil:
		return a, a.err.Error()
	case a.status != http.StatusOK:
		return a, fmt.Sprintf("%s answers %s", address, a.said())
	}
	if err := json.Unmarshal(a.body, into); err != nil {
		return a, fmt.Sprintf("%s is no JSON object: %v", address, err)
	}
	return a, ""
}

// said describes an answer in a few words.
func (a answer) said() string {
	if a.err != nil {
		return a.err.Error()
	}
	words := fmt.Sprintf("%d %s", a.status, http.StatusText(a.status))
	if to := a.header.Get("Location"); to != "" {
		words += " to " + clip(to)
	}
	if code := a.text("error"); code != "" {
		words += " " + clip(code)
	}
	return words
}

// text returns a member of a JSON object, "" when it is not there or no text.
func (a answer) text(member string) string {
	var members map[string]json.RawMessage
	var text string
	if json.Unmarshal(a.body, &members) == nil {
		_ = json.Unmarshal(members[member], &text) // "" says that it is no text
	}
	return text
}

// location returns where an answer leads, with relative addresses resolved.
func (a answer) location(from string) *url.URL {
	base, err := url.Parse(from)
	if err != nil || a.status < 300 || a.status > 399 || a.header.Get("Location") == "" {
		return nil
	}
	to, err := base.Parse(a.header.Get("Location"))
	if err != nil {
		return nil
	}
	return to
}

func clip(s string) string {
	if letters := []rune(s); len(letters) > 160 {
		return string(letters[:160]) + "…"
	}
	return s
}

// oneLine takes out what would break the line, or let a server steer the
// terminal that shows it.
func oneLine(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || unicode.In(c, unicode.Bidi_Control) {
			return ' '
		}
		return c
	}, s)
}

var challengePart = regexp.MustCompile(`(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))`)

// challengeOf reads the parameters of a Bearer challenge (RFC 9110 section
// 11.6.1); nil when there is none.
func challengeOf(h http.Header) map[string]string {
	for _, value := range h.Values("WWW-Authenticate") {
		scheme, rest, _ := strings.Cut(value, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			continue
		}
		parts := map[string]string{}
		for _, m := range challengePart.FindAllStringSubmatch(rest, -1) {
			parts[strings.ToLower(m[1])] = cmp.Or(m[2], m[3])
		}
		return parts
	}
	return nil
}

// missing returns the words that a list in a header does not have, whatever
// their case.
func missing(list string, words ...string) []string {
	var out []string
	for _, word := range words {
		found := false
		for have := range strings.SplitSeq(list, ",") {
			found = found || strings.EqualFold(strings.TrimSpace(have), word) || strings.TrimSpace(have) == "*"
		}
		if !found {
			out = append(out, word)
		}
	}
	return out
}
