package tools

import (
	"context"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
)

// WhoamiOut is the caller as the tools see it.
type WhoamiOut struct {
	AccountID   int64       `json:"account_id"`
	Email       string      `json:"email"`
	WorkspaceID int64       `json:"workspace_id"`
	Workspace   string      `json:"workspace"`
	Scopes      []string    `json:"scopes"`
	TimeZone    string      `json:"time_zone"`
	Today       dbtype.Date `json:"today"`
	BarWeight   int         `json:"bar_weight"`
	Increment   int         `json:"increment"`
}

// Whoami tells who a connection acts for, and with which rack.
func Whoami() contract.Tool {
	return contract.New(contract.Spec{
		Name: "whoami", Title: "Who am I", Scope: "read",
		Says:     "Report who this connection acts for: account id and email, the workspace it is bound to, the granted scopes, the workspace's time zone and today's date there, and the bar weight and smallest weight step of its rack. Takes no arguments.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Why: "Reads the resolved identity.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, _ struct{}) (contract.Answer[WhoamiOut], error) {
		rack, err := store.RackOf(ctx, tx, who.Workspace)
		if err != nil {
			return contract.Answer[WhoamiOut]{}, err
		}
		out := WhoamiOut{
			AccountID: int64(who.Account), Email: who.Email, WorkspaceID: int64(who.Workspace), Workspace: who.WorkspaceName,
			Scopes: append([]string{}, who.Scopes...), TimeZone: who.Zone.String(), Today: who.Today(tx.Now()), BarWeight: rack.Bar, Increment: rack.Increment(),
		}
		text := fmt.Sprintf("You are account %d (%s) in workspace %s. Granted scopes: %s. Today is %s (%s).",
			out.AccountID, out.Email, out.Workspace, orNone(out.Scopes), out.Today, out.TimeZone)
		return contract.Answer[WhoamiOut]{Out: out, Text: text}, nil
	})
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
