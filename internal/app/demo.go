package app

import (
	"context"
	"errors"
	"fmt"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
)

// DemoAccount is what a newcomer signs in with.
type DemoAccount struct{ Email, Password string }

var demo = DemoAccount{Email: "demo@tectonic.example", Password: "lift the bar"}

// Demo makes the demo account with what each plate gives it, when it does not
// exist yet. A second run changes nothing.
func (a *App) Demo(ctx context.Context) (DemoAccount, error) {
	started, err := a.Accounts.Create(ctx, account.Door{Transport: contract.OverCLI}, account.NewAccount{
		Email: demo.Email, Password: demo.Password, TimeZone: account.MachineZone(), Workspace: "My training",
	})
	if r, ok := errors.AsType[*fault.Refusal](err); ok && r.Kind == fault.Conflict {
		return demo, nil
	}
	if err != nil {
		return DemoAccount{}, fmt.Errorf("make the demo account: %w", err)
	}
	who, err := a.Accounts.Local(ctx, started.Workspace, contract.OverCLI)
	if err != nil {
		return DemoAccount{}, err
	}
	for _, p := range a.Plates {
		if p.Demo == nil {
			continue
		}
		if err := p.Demo(ctx, who, who.Today(a.DB.Now())); err != nil {
			return DemoAccount{}, err
		}
	}
	return demo, nil
}
