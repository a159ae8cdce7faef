package contracttest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/config"
	"tectonic/internal/testkit"
	"tectonic/internal/testkit/product"
)

// A viewer is refused every tool that writes, over every door, with a token
// that was given write when its owner still had it.
func TestAViewerWritesNothing(t *testing.T) {
	t.Parallel()
	catalog := app.Catalog()
	testkit.EachWith(t, app.Lines(catalog), app.Setup(catalog), func(t *testing.T, d *db.DB) {
		p := product.New(t, d, func(c *config.Config) { c.MCP.PerSecond = 0 }) // there are more tools than calls in a burst
		lifter, coach := p.Person(t, "lifter@example.com"), p.Person(t, "coach@example.com")
		program, workout := lifter.Week()
		coach.Join(lifter, contract.Member)
		token := coach.In(lifter).Token()
		setRole(t, p, lifter, coach, contract.Viewer)
		who, err := p.Accounts.Identity(t.Context(), coach.Caller.Account, lifter.Workspace(), 0)
		if err != nil {
			t.Fatal(err)
		}
		b := coach.Browser()
		b.Enter(lifter)
		before := digest(t, p.DB)
		tried := 0
		for _, tool := range tools(t) {
			if tool.ReadOnly.True() {
				continue
			}
			tried++
			for _, over := range []contract.Transport{contract.OverWeb, contract.OverAPI, contract.OverMCPHTTP} {
				who.Caller.Transport = over
				_, err := p.Gate.Call(t.Context(), who.Caller, gate.Request{Plate: "training", Tool: tool.Name})
				if r := fault.From(err); r == nil || r.Code != fault.CodeScopeMissing && r.Code != fault.CodeUnknownTool || over == contract.OverWeb && r.Code != fault.CodeScopeMissing {
					t.Errorf("%s over %s: %v", tool.Name, over, err)
				}
			}
			c := refusal{tool: tool.Name, args: map[string]any{}}
			if code, _ := overAPIRefused(t, p, token, c); code != "scope_missing" && code != "unknown_tool" {
				t.Errorf("%s over the API: %s", tool.Name, code)
			}
			if code, _ := overMCPRefused(t, p, token, c); code != "scope_missing" && code != "" {
				t.Errorf("%s over MCP: %s", tool.Name, code)
			}
		}
		if tried < 15 {
			t.Errorf("only %d tools write", tried)
		}
		for _, route := range p.Routes() {
			path, posts := strings.CutPrefix(route.Pattern, "POST ")
			if !posts || strings.HasPrefix(path, "/logout") || strings.HasPrefix(path, "/workspace") || strings.HasPrefix(path, "/join") || strings.HasPrefix(path, "/settings/delete") {
				continue
			}
			id := any(workout)
			if strings.HasPrefix(path, "/programs") {
				id = program
			}
			if a := b.Post(fill(path, id, 1), url.Values{}, 0); a.Status >= http.StatusInternalServerError {
				t.Errorf("%s answered %d", route.Pattern, a.Status)
			}
		}
		after := digest(t, p.DB)
		for table := range before {
			if strings.HasPrefix(table, "training_") && before[table] != after[table] {
				t.Errorf("a viewer changed %s", table)
			}
		}
	})
}

func setRole(t *testing.T, p *product.Product, host, who *product.Person, role contract.Role) {
	t.Helper()
	_, err := p.Accounts.SetRole(t.Context(), account.Door{Transport: contract.OverWeb}, host.Caller, memberOf(t, p, host, who), role)
	if err != nil {
		t.Fatal(err)
	}
}

// memberOf returns the id of a membership.
func memberOf(t *testing.T, p *product.Product, host, who *product.Person) int64 {
	t.Helper()
	people, err := p.Accounts.Members(t.Context(), host.Workspace())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range people {
		if m.Account == who.Caller.Account {
			return m.Member
		}
	}
	t.Fatalf("%s is no member", who.Email)
	return 0
}

// Whoever is removed sees nothing more from the next request on, over every
// door, and gets nothing back by joining again.
func TestARemovedMemberIsOutAtOnce(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		lifter, coach := p.Person(t, "lifter@example.com"), p.Person(t, "coach@example.com")
		_, workout := lifter.Week()
		coach.Join(lifter, contract.Member)
		token := coach.In(lifter).Token()
		b := coach.Browser()
		b.Enter(lifter)
		page := fmt.Sprintf("/workouts/%d", workout)
		b.Get(page, http.StatusOK)
		if status := whoami(t, p, token); status != http.StatusOK {
			t.Fatalf("the token answers %d before the removal", status)
		}
		owner := lifter.Browser()
		owner.Post(fmt.Sprintf("/workspace/members/%d/remove", memberOf(t, p, lifter, coach)), url.Values{}, http.StatusSeeOther)
		if status := whoami(t, p, token); status != http.StatusUnauthorized {
			t.Errorf("the token answers %d after the removal", status)
		}
		refused := b.Post(page+"/delete", url.Values{"confirm": {"true"}}, http.StatusConflict)
		if !strings.Contains(refused.Body, "You are no longer in the workspace that this was meant for") {
			t.Errorf("the form is refused without saying why")
		}
		if a := b.Get(page, 0); a.Status == http.StatusOK {
			t.Error("the page is still shown")
		}
		b.Get("/workspace", http.StatusOK)
		coach.Join(lifter, contract.Member)
		if status := whoami(t, p, token); status != http.StatusUnauthorized {
			t.Errorf("the old token answers %d after joining again", status)
		}
	})
}

func whoami(t *testing.T, p *product.Product, token string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), http.MethodGet, p.Server.URL+"/api/v1/training/whoami", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}

// A form that was made in one workspace is not taken in another.
func TestTwoTabsWithTwoWorkspaces(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		lifter, coach := p.Person(t, "lifter@example.com"), p.Person(t, "coach@example.com")
		coach.Join(lifter, contract.Member)
		b := coach.Browser()
		b.Enter(lifter)
		made := url.Values{"workspace": {fmt.Sprint(coach.Workspace())}, "date": {"2026-01-05"}}
		a := b.Post("/workouts", made, http.StatusConflict)
		if !strings.Contains(a.Body, "in another tab you went to") || number(t, p.DB, "SELECT count(*) FROM training_workouts") != 0 {
			t.Errorf("the form of another tab was taken, or refused without a reason:\n%s", a.Body)
		}
	})
}

// From the first link to the last page: invite, join by signing up, leave.
func TestSharingByPages(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		lifter := p.Person(t, "lifter@example.com")
		owner := lifter.Browser()
		made := owner.Post("/workspace/invites", url.Values{"role": {"member"}}, http.StatusOK)
		link := strings.TrimSpace(made.Page(t).Find("#link").Text())
		path, ok := strings.CutPrefix(link, p.Server.URL)
		if !ok || !strings.HasPrefix(path, "/join/") {
			t.Fatalf("the link is %q", link)
		}
		if again := owner.Get("/workspace", http.StatusOK); strings.Contains(again.Body, path) || !strings.Contains(again.Body, "Waiting for an answer") {
			t.Error("the link is shown a second time, or not listed as waiting")
		}
		if a := owner.Get(path, http.StatusOK); !strings.Contains(a.Body, "You are in this workspace already.") {
			t.Error("a member is not told")
		}
		visitor := p.Browser(t)
		seen := visitor.Get(path, http.StatusOK)
		to, _ := seen.Page(t).Find("main a[href^='/create-account']").Attr("href")
		form := visitor.Get(to, http.StatusOK)
		next, _ := form.Page(t).Find("input[name=next]").Attr("value")
		if next != path {
			t.Fatalf("the sign-up goes on to %q, want %q", next, path)
		}
		visitor.Post("/create-account", url.Values{
			"email": {"coach@example.com"}, "email_again": {"coach@example.com"}, "password": {product.Password}, "password_again": {product.Password},
			"time_zone": {"UTC"}, "next": {next},
		}, http.StatusSeeOther)
		if home := visitor.Get("/workspace", http.StatusOK); !strings.Contains(home.Body, "lifter@example.com") || !strings.Contains(home.Body, "Your account is ready, and you joined.") {
			t.Errorf("the coach is not in the lifter's workspace:\n%s", home.Body)
		}
		dead := p.Browser(t).Get(path, http.StatusNotFound)
		wrong := p.Browser(t).Get("/join/nonsense", http.StatusNotFound)
		if said := dead.Page(t).Find("main").Text(); said != wrong.Page(t).Find("main").Text() || !strings.Contains(said, "This invitation does not work") {
			t.Errorf("a used link and a wrong one differ: %q", said)
		}
		visitor.Post("/workspace/leave", url.Values{"workspace": {fmt.Sprint(lifter.Workspace())}}, http.StatusSeeOther)
		if people, err := p.Accounts.Members(t.Context(), lifter.Workspace()); err != nil || len(people) != 1 {
			t.Errorf("got %+v, %v", people, err)
		}
	})
}

// A coach sees how training goes in the logs that the coach belongs to, by the
// name of each, and nothing of any other.
func TestPeopleShowsTheLogsOfTheirMembersOnly(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		lifter, coach, other := p.Person(t, "lifter@example.com"), p.Person(t, "coach@example.com"), p.Person(t, "other@example.com")
		for _, who := range []*product.Person{lifter, other} {
			program, _ := who.Week()
			who.Must("update_program", map[string]any{"program_id": program, "name": "Secret of " + who.Email, "start_date": "today"})
		}
		b := coach.Browser()
		people := func() string {
			return strings.Join(strings.Fields(b.Get("/athletes", http.StatusOK).Page(t).Find("main").Text()), " ")
		}
		if page := people(); strings.Contains(page, "Secret") {
			t.Errorf("a stranger reads %s", page)
		}
		coach.Join(lifter, contract.Viewer)
		page := people()
		if !strings.Contains(page, "Secret of lifter@example.com, week 1 of 4") || !strings.Contains(page, "viewer") || strings.Contains(page, "other@example.com") {
			t.Errorf("a coach reads %s", page)
		}
		lifter.Browser().Post(fmt.Sprintf("/workspace/members/%d/remove", memberOf(t, p, lifter, coach)), url.Values{}, http.StatusSeeOther)
		if page := people(); strings.Contains(page, "Secret") {
			t.Errorf("who was removed reads %s", page)
		}
	})
}
