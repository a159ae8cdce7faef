package cli

import (
	"context"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/config"
)

// operator returns who commands act for. A database without accounts is often
// not the one that was meant, so the refusal says which one it is.
func operator(ctx context.Context, a *app.App, ws int64, over contract.Transport) (contract.Caller, error) {
	who, err := a.Accounts.Local(ctx, id.WorkspaceID(ws), over)
	if r := fault.From(err); r == nil || r.Kind != fault.Refused {
		return who, err
	}
	return who, noAccounts(a.Config)
}

func noAccounts(c config.Config) error {
	where := "the database of DATABASE_URL"
	if c.Embedded() {
		where = "the data folder " + c.Data
	}
	return fault.Refuse("No accounts yet in %s.", where).
		Next("Name another folder with --data, sign up on the pages of tectonic serve, or run: tectonic account create --email you@example.com")
}
