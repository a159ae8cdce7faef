package app

import (
	"context"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/web"
)

// identities shows the pages who a session stands for.
type identities struct{ accounts *account.Service }

func (i identities) Identity(ctx context.Context, who id.AccountID, ws id.WorkspaceID, epoch int64) (web.Identity, error) {
	found, err := i.accounts.Identity(ctx, who, ws, epoch)
	if err != nil {
		return web.Identity{}, err
	}
	shown := web.Identity{Caller: found.Caller, Admin: found.Admin}
	for _, m := range found.Memberships {
		shown.Workspaces = append(shown.Workspaces, web.Workspace{ID: m.Workspace, Name: m.Name, Role: m.Role, Zone: m.Zone})
	}
	return shown, nil
}
