package account

import (
	"testing"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/testkit"
)

func TestLocal(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d})
		local := func(ws id.WorkspaceID) (contract.Caller, error) { return s.Local(t.Context(), ws, contract.OverCLI) }
		_, err := local(0)
		wantSentence(t, err, fault.CodeRefused, "No accounts yet. Sign up first.")
		first := mustCreate(t, s, newAccount("lifter@example.com"))
		who, err := local(0)
		if err != nil || who.Workspace != first.Workspace || who.Account != first.Account || who.Role != contract.Owner || !who.Has("operate") || who.Transport != contract.OverCLI {
			t.Errorf("got %+v, %v", who, err)
		}
		exec(t, d, "INSERT INTO workspaces (id, uid, name, time_zone, created_at) SELECT 4, 'w4', 'Four', 'Mars/Base', created_at FROM workspaces WHERE id = 1")
		exec(t, d, "INSERT INTO members (workspace_id, account_id, role, created_at) SELECT 4, account_id, 'owner', created_at FROM members WHERE workspace_id = 1")
		_, err = local(0)
		wantSentence(t, err, fault.CodeBadArguments, "Several workspaces exist: 1 is Personal of lifter@example.com; 4 is Four of lifter@example.com. Name one with --workspace, such as --workspace 1.")
		_, err = local(9)
		wantSentence(t, err, fault.CodeNotFound, "No workspace with id 9. These exist: 1 is Personal of lifter@example.com; 4 is Four of lifter@example.com.")
		who, err = local(4)
		if err != nil || who.WorkspaceName != "Four" || who.Zone != time.UTC {
			t.Errorf("got %+v, %v, want an unknown zone read as UTC", who, err)
		}
	})
}

func TestRename(t *testing.T) {
	t.Parallel()
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		s := New(Options{DB: d})
		made := mustCreate(t, s, newAccount("lifter@example.com"))
		for role, allowed := range map[contract.Role]bool{contract.Owner: true, contract.Admin: true, contract.Member: false, contract.Viewer: false, "": false} {
			who := contract.Caller{Account: made.Account, Workspace: made.Workspace, WorkspaceName: "Personal", Role: role}
			err := s.Rename(t.Context(), page, who, " By "+string(role)+" ", "America/Denver")
			if allowed && err != nil {
				t.Errorf("%s: %v", role, err)
			}
			if !allowed {
				wantSentence(t, err, "role_missing", "Only an owner or admin of Personal can change its settings.")
			}
			if got := one[string](t, d, "SELECT name FROM workspaces"); allowed && got != "By "+string(role) {
				t.Errorf("%s: got the name %q", role, got)
			}
		}
		owner := contract.Caller{Account: made.Account, Workspace: made.Workspace, Role: contract.Owner}
		wantSentence(t, s.Rename(t.Context(), page, owner, " ", "UTC"), fault.CodeBadArguments, "A workspace needs a name of 1 to 80 characters.")
		wantSentence(t, s.Rename(t.Context(), page, owner, "a", "x"), fault.CodeBadArguments, `"x" is not a time zone this server knows.`)
		if got := one[string](t, d, "SELECT time_zone FROM workspaces"); got != "America/Denver" {
			t.Errorf("got %s", got)
		}
		if n := one[int](t, d, "SELECT count(*) FROM record_rows WHERE event = 'workspace.changed'"); n != 2 {
			t.Errorf("got %d events, want 2", n)
		}
	})
}
