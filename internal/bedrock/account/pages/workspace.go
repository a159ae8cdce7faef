package pages

import (
	"net/http"
	"strconv"
	"time"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// workspaceView is what the page of a workspace shows: its people, its
// invitations, its settings, and the other workspaces of the reader. Each form
// has its own state.
type workspaceView struct {
	Who     contract.Caller
	Zone    string
	People  []account.PersonOf
	Invites []account.Invite
	Others  []web.Workspace

	Link     string // of the invitation that was made just now; shown this once
	LinkRole contract.Role

	Row      int64    // the member whose form was refused
	Member   web.Form // of that member
	Invite   web.Form
	Settings web.Form
	New      web.Form
}

func (v workspaceView) manages() bool { return account.Manages(v.Who.Role, contract.Viewer) }

// mayChange reports whether the reader may change that person's role or remove
// them.
func (v workspaceView) mayChange(p account.PersonOf) bool { return account.Manages(v.Who.Role, p.Role) }

func (v workspaceView) self(p account.PersonOf) bool { return p.Account == v.Who.Account }

// sub says how many people there are and which day it is here.
func (v workspaceView) sub() string {
	return web.Plural(len(v.People), "person", "people") + ", days in " + v.Zone
}

// roleWords say what a role may do.
var roleWords = map[contract.Role]string{
	contract.Viewer: "Viewer, sees everything",
	contract.Member: "Member, also writes",
	contract.Admin:  "Admin, also invites people",
	contract.Owner:  "Owner, can do everything",
}

// roleOptions are the roles that the reader may give.
func (v workspaceView) roleOptions() []ui.Option {
	var list []ui.Option
	for _, role := range account.Roles {
		if account.Manages(v.Who.Role, role) {
			list = append(list, ui.Option{Value: string(role), Text: roleWords[role]})
		}
	}
	return list
}

// formOf returns the state of a member's form.
func (v workspaceView) formOf(p account.PersonOf) web.Form {
	if v.Row == p.Member {
		return v.Member
	}
	return web.Form{}
}

// day is the calendar day of an instant for the reader.
func (v workspaceView) day(at time.Time) string {
	zone := v.Who.Zone
	if zone == nil {
		zone = time.UTC
	}
	return web.Day(dbtype.Date(at.In(zone).Format(time.DateOnly)))
}

func memberAddress(p account.PersonOf) string {
	return workspacePath + "/members/" + strconv.FormatInt(p.Member, 10)
}

func inviteAddress(i account.Invite) string {
	return workspacePath + "/invites/" + strconv.FormatInt(i.ID, 10)
}

func (p pages) workspace(w http.ResponseWriter, r *http.Request) error {
	return p.showWorkspace(w, r, http.StatusOK, func(*workspaceView) {})
}

// showWorkspace renders the page with what adjust adds to it.
func (p pages) showWorkspace(w http.ResponseWriter, r *http.Request, status int, adjust func(*workspaceView)) error {
	who, _ := web.IdentityOf(r)
	v := workspaceView{Who: who.Caller, Zone: zoneName(who.Caller)}
	var err error
	if v.People, err = p.Accounts.Members(r.Context(), who.Caller.Workspace); err != nil {
		return err
	}
	if v.manages() {
		if v.Invites, err = p.Accounts.Invites(r.Context(), who.Caller.Workspace); err != nil {
			return err
		}
	}
	for _, other := range who.Workspaces {
		if other.ID != who.Caller.Workspace {
			v.Others = append(v.Others, other)
		}
	}
	adjust(&v)
	return web.Render(w, r, status, workspacePage(v))
}

// workspaceRefused shows the page again with the refusal of one of its forms.
func (p pages) workspaceRefused(w http.ResponseWriter, r *http.Request, err error, place func(*workspaceView, web.Form)) error {
	form, status, ok := refused(w, r, err)
	if !ok {
		return err
	}
	return p.showWorkspace(w, r, status, func(v *workspaceView) { place(v, form) })
}

func zoneName(who contract.Caller) string {
	if who.Zone == nil {
		return time.UTC.String()
	}
	return who.Zone.String()
}

// changeWorkspace renames the workspace and sets its time zone.
func (p pages) changeWorkspace(w http.ResponseWriter, r *http.Request) error {
	if err := posted(r); err != nil {
		return err
	}
	err := p.Accounts.Rename(r.Context(), door(r), web.CallerOf(r), r.PostFormValue("name"), r.PostFormValue("time_zone"))
	if err != nil {
		return p.workspaceRefused(w, r, err, func(v *workspaceView, f web.Form) { v.Settings = f })
	}
	return done(w, r, "The workspace was saved.", workspacePath)
}

// newWorkspace makes another workspace and goes there.
func (p pages) newWorkspace(w http.ResponseWriter, r *http.Request) error {
	if err := posted(r); err != nil {
		return err
	}
	made, err := p.Accounts.NewWorkspace(r.Context(), door(r), web.CallerOf(r), r.PostFormValue("name"), zoneName(web.CallerOf(r)))
	if err != nil {
		return p.workspaceRefused(w, r, err, func(v *workspaceView, f web.Form) { v.New = f })
	}
	web.EnterWorkspace(r.Context(), made)
	return done(w, r, "The workspace is ready, and you are in it.", workspacePath)
}

func (p pages) askDeleteWorkspace(w http.ResponseWriter, r *http.Request) error {
	return p.showDeleteWorkspace(w, r, http.StatusOK, web.Form{})
}

func (p pages) showDeleteWorkspace(w http.ResponseWriter, r *http.Request, status int, form web.Form) error {
	people, err := p.Accounts.Members(r.Context(), web.CallerOf(r).Workspace)
	if err != nil {
		return err
	}
	return web.Render(w, r, status, deleteWorkspacePage(web.CallerOf(r), len(people), form))
}

// deleteWorkspace deletes it with everything in it, once its name was typed.
func (p pages) deleteWorkspace(w http.ResponseWriter, r *http.Request) error {
	if err := posted(r); err != nil {
		return err
	}
	name := web.CallerOf(r).WorkspaceName
	next, err := p.Accounts.DeleteWorkspace(r.Context(), door(r), web.CallerOf(r), r.PostFormValue("name"))
	if err != nil {
		form, status, ok := refused(w, r, err)
		if !ok {
			return err
		}
		return p.showDeleteWorkspace(w, r, status, form)
	}
	web.EnterWorkspace(r.Context(), next)
	return done(w, r, name+" and everything in it was deleted.", workspacePath)
}

// done says on the next page what was done.
func done(w http.ResponseWriter, r *http.Request, sentence, to string) error {
	web.Flash(r.Context(), web.FlashDone, sentence)
	web.Redirect(w, r, to)
	return nil
}

// switchWorkspace makes the session work in another workspace of its account.
// One that the account does not belong to is missing, whether it exists or
// not.
func switchWorkspace(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(r); err != nil {
		return err
	}
	to, ok := ownWorkspace(r, r.PostFormValue("to"))
	if !ok {
		return fault.Missing("You are in no such workspace.").Next("Choose one from the menu at the top.")
	}
	web.EnterWorkspace(r.Context(), to)
	web.Redirect(w, r, homePath)
	return nil
}

func ownWorkspace(r *http.Request, text string) (id.WorkspaceID, bool) {
	who, _ := web.IdentityOf(r)
	for _, own := range who.Workspaces {
		if strconv.FormatInt(int64(own.ID), 10) == text {
			return own.ID, true
		}
	}
	return 0, false
}
