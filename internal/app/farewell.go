package app

import (
	"context"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/gate"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/bedrock/oauth"
)

// hooks are what the rest of bedrock does when somebody leaves a workspace or
// the server.
var hooks = account.Hooks{
	Left: func(ctx context.Context, tx *db.Tx, who id.AccountID, ws id.WorkspaceID) error {
		return oauth.EndMembership(ctx, tx, who, ws, recordEvent)
	},
	Gone: func(ctx context.Context, tx *db.Tx, who id.AccountID) error {
		if err := oauth.Forget(ctx, tx, who); err != nil {
			return err
		}
		return gate.Forget(ctx, tx, who)
	},
}
