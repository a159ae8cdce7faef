package pages_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"tectonic/internal/bedrock/oauth"
	"tectonic/internal/bedrock/oauth/pages"
)

func render(t *testing.T, write func(*bytes.Buffer) error) *goquery.Document {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func consent() oauth.Consent {
	return oauth.Consent{
		Action: "/authorize", Hidden: []oauth.Pair{{Name: "csrf", Value: "token"}, {Name: "state", Value: `"><script>`}},
		Name: `<b>Claude</b>`, ReturnHost: "claude.ai", Person: oauth.Person{Email: "mira@example.com", Theme: "dark"},
		Workspaces: []oauth.WorkspaceChoice{
			{Workspace: oauth.Workspace{ID: 1, Name: "Mira", Role: "owner"}},
			{Workspace: oauth.Workspace{ID: 2, Name: "Team", Role: "viewer"}, Chosen: true},
		},
		Plates: []oauth.Choice{{Name: "training", Label: "Training", Hint: "Sets", Chosen: true}, {Name: "memory", Label: "Memory"}},
		Scopes: []oauth.Choice{{Name: "read", Label: "Read", Hint: "See everything", Chosen: true}},
	}
}

func TestConsentPage(t *testing.T) {
	t.Parallel()
	doc := render(t, func(b *bytes.Buffer) error { return pages.Pages{}.Consent(t.Context(), b, consent()) })
	value := func(selector, attribute string) string { return doc.Find(selector).AttrOr(attribute, "?") }
	for name, c := range map[string]struct{ got, want string }{
		"theme":     {value("html", "data-theme"), "dark"},
		"form":      {value("form", "method") + " " + value("form", "action"), "post /authorize"},
		"csrf":      {value("input[name=csrf]", "value"), "token"},
		"state":     {value("input[name=state]", "value"), `"><script>`},
		"workspace": {value("select[name=workspace] option[selected]", "value"), "2"},
		"ticked":    {value("input[name=plate][checked]", "value"), "training"},
		"scope":     {value("input[name=scope][checked]", "value"), "read"},
		"allow":     {value("button[name=decision]", "value"), "allow"},
		"heading":   {doc.Find("h1").Text(), "Let <b>Claude</b> work here?"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", name, c.got, c.want)
		}
	}
	text := doc.Find("main").Text()
	for _, want := range []string{"claude.ai", "mira@example.com", "registered itself", "See everything", "Deny"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := doc.Find("script, [style], [onclick], main b b").Length(); n != 0 {
		t.Errorf("%d scripts, inline styles or tags of strangers", n)
	}
	if doc.Find(".flash").Length() != 0 {
		t.Error("there is a warning without a reason")
	}
}

func TestConsentPageWarns(t *testing.T) {
	t.Parallel()
	c := consent()
	c.Host, c.LoopbackOnly, c.Problem = "claude.ai", true, "Choose one of your workspaces."
	doc := render(t, func(b *bytes.Buffer) error { return pages.Pages{}.Consent(t.Context(), b, c) })
	text := doc.Find("main").Text()
	for _, want := range []string{"identified by claude.ai", "could pose as it", "Choose one of your workspaces."} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestProblemPage(t *testing.T) {
	t.Parallel()
	p := oauth.Problem{Status: 400, Title: "Connection not known", Sentence: "It <may> have been removed."}
	doc := render(t, func(b *bytes.Buffer) error { return pages.Pages{}.Problem(t.Context(), b, p) })
	if doc.Find("h1").Text() != p.Title || !strings.Contains(doc.Find("main").Text(), p.Sentence) || doc.Find("script").Length() != 0 {
		t.Errorf("got %s", doc.Text())
	}
}
