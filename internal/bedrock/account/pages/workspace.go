package pages

import (
	"net/http"
	"strconv"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/web"
)

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
