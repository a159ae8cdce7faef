package cli

import (
	"context"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
)

// operator returns who commands act for. A database without accounts is often
// not the one that was meant, so the refusal says which one it is.
func operator(ctx context.Context, a *app.App, ws int64, over contract.Transport) (contract.Caller, error) {
	who, err := a.Accounts.Local(ctx, id.WorkspaceID(ws), over)
	if r := fault.From(err); r == nil || r.Kind != fault.Refused {
		return who, err
	}
	where := "the database of DATABASE_URL"
	if a.Config.Embedded() {
		where = "the data folder " + a.Config.Data
	}
	return who, fault.Refuse("No accounts yet in %s.", where).
		Next("Name another folder with --data, sign up on the pages of tectonic serve, or run: tectonic account create --email you@example.com")
}
