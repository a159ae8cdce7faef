//go:build peers

package peers

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"tectonic/internal/bedrock/id"
)

// allow does what a person does: opens the address, signs in, presses Allow
// and follows the redirect to where the peer waits.
func allow(t *testing.T, where string) {
	if err := pressAllow(where); err != nil {
		t.Errorf("consent at %s: %v", where, err)
	}
}

func pressAllow(where string) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	person := &http.Client{Jar: jar, Timeout: 30 * time.Second}
	if _, err := submit(person, product.base+"/login", url.Values{"email": {email}, "password": {password}, "request_id": {id.Token(10)}}); err != nil {
		return fmt.Errorf("sign in: %w", err)
	}
	page, err := read(person.Get(where))
	if err != nil {
		return err
	}
	form := filled(page.Find("form"))
	form.Set("decision", "allow")
	if !form.Has("plate") || !form.Has("scope") {
		return fmt.Errorf("the page is no consent form: %.300s", page.Text())
	}
	_, err = submit(person, product.base+page.Find("form").AttrOr("action", ""), form)
	return err
}

// filled returns the fields of a form as a browser sends them.
func filled(form *goquery.Selection) url.Values {
	values := url.Values{}
	form.Find("input[type=hidden], input[type=checkbox][checked]").Each(func(_ int, field *goquery.Selection) {
		values.Add(field.AttrOr("name", ""), field.AttrOr("value", "on"))
	})
	form.Find("select").Each(func(_ int, field *goquery.Selection) {
		values.Add(field.AttrOr("name", ""), field.Find("option[selected], option").First().AttrOr("value", ""))
	})
	return values
}

func submit(person *http.Client, where string, form url.Values) (*goquery.Document, error) {
	r, err := http.NewRequest(http.MethodPost, where, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return read(person.Do(r))
}

func read(res *http.Response, err error) (*goquery.Document, error) {
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= 400 {
		return nil, fmt.Errorf("%s answered %d: %.500s", res.Request.URL.Path, res.StatusCode, body)
	}
	return goquery.NewDocumentFromReader(strings.NewReader(string(body)))
}
