package pages

import (
	"net/http"
	"slices"
	"strconv"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// changeRole gives a member another role.
func (p pages) changeRole(w http.ResponseWriter, r *http.Request) error {
	if err := posted(r); err != nil {
		return err
	}
	member := numberIn(r, "id")
	changed, err := p.Accounts.SetRole(r.Context(), door(r), web.CallerOf(r), member, contract.Role(r.PostFormValue("role")))
	if err != nil {
		return p.memberRefused(w, r, err, member)
	}
	return done(w, r, changed.Email+" is now "+article(changed.Role)+".", workspacePath)
}

func (p pages) memberRefused(w http.ResponseWriter, r *http.Request, err error, member int64) error {
	return p.workspaceRefused(w, r, err, func(v *workspaceView, f web.Form) {
		if v.Member = f; slices.ContainsFunc(v.People, func(q account.PersonOf) bool { return q.Member == member }) {
			v.Row = member
		}
	})
}

// article names a role in a sentence.
func article(role contract.Role) string {
	switch role {
	case contract.Admin, contract.Owner:
		return "an " + string(role)
	}
	return "a " + string(role)
}

// askRemove asks before a member is removed.
func (p pages) askRemove(w http.ResponseWriter, r *http.Request) error {
	people, err := p.Accounts.Members(r.Context(), web.CallerOf(r).Workspace)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(people, func(q account.PersonOf) bool { return q.Member == numberIn(r, "id") })
	if i < 0 {
		return fault.Missing("There is no such member in this workspace.").Next("Look at the list of its people.")
	}
	return web.Render(w, r, http.StatusOK, askPage(removal(people[i], web.CallerOf(r).WorkspaceName)))
}

func (p pages) remove(w http.ResponseWriter, r *http.Request) error {
	if err := posted(r); err != nil {
		return err
	}
	member := numberIn(r, "id")
	gone, err := p.Accounts.Remove(r.Context(), door(r), web.CallerOf(r), member)
	if err != nil {
		return p.memberRefused(w, r, err, member)
	}
	return done(w, r, gone.Email+" was removed. Their programs are turned away from the next call on.", workspacePath)
}

func removal(q account.PersonOf, workspace string) ui.ConfirmProps {
	at := memberAddress(q) + "/remove"
	return ui.ConfirmProps{
		ID: "remove-" + strconv.FormatInt(q.Member, 10), Open: "Remove", Label: "Remove " + q.Email, Href: at, Action: at, Small: true,
		Title: "Remove " + q.Email + "?",
		Says:  "They see nothing of " + workspace + " from now on, and programs that act for them here are turned away. What they wrote stays. To come back they need a new invitation.",
		Do:    "Remove them", Keep: "Keep them", Back: workspacePath,
	}
}

func (p pages) askLeave(w http.ResponseWriter, r *http.Request) error {
	return web.Render(w, r, http.StatusOK, askPage(leaving(web.CallerOf(r).WorkspaceName)))
}

// leave ends the reader's own membership and goes on in another workspace.
func (p pages) leave(w http.ResponseWriter, r *http.Request) error {
	if err := posted(r); err != nil {
		return err
	}
	name := web.CallerOf(r).WorkspaceName
	next, err := p.Accounts.Leave(r.Context(), door(r), web.CallerOf(r))
	if err != nil {
		return p.workspaceRefused(w, r, err, func(v *workspaceView, f web.Form) { v.Member = f })
	}
	web.EnterWorkspace(r.Context(), next)
	return done(w, r, "You left "+name+".", workspacePath)
}

func leaving(workspace string) ui.ConfirmProps {
	at := workspacePath + "/leave"
	return ui.ConfirmProps{
		ID: "leave", Open: "Leave this workspace", Href: at, Action: at, Title: "Leave " + workspace + "?",
		Says: "You see nothing of it from now on, and your programs there are turned away. What you wrote stays. To come back you need an invitation.",
		Do:   "Leave", Keep: "Stay", Back: workspacePath,
	}
}

// numberIn reads an id of the address; 0 is no row's.
func numberIn(r *http.Request, name string) int64 {
	n, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}
