package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"tectonic/internal/bedrock/account"
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/bedrock/gate"
)

// DemoAccount is what a newcomer signs in with.
type DemoAccount struct{ Email, Password string }

var demo = DemoAccount{Email: "demo@tectonic.example", Password: "lift the bar"}

// Demo makes the demo account with Block 0 and its first week, when it does
// not exist yet. A second run changes nothing.
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
	start, _ := json.Marshal(map[string]any{"start": comingMonday(who.Today(a.DB.Now()))}) // plain text always encodes
	wire, err := a.Gate.Call(ctx, who, gate.Request{Plate: "training", Tool: "seed_program", Args: start})
	if err != nil {
		return DemoAccount{}, fmt.Errorf("write the demo block: %w", err)
	}
	block, err := contract.Into[struct {
		ID int64 `json:"id"`
	}](wire)
	if err != nil {
		return DemoAccount{}, err
	}
	args, _ := json.Marshal(map[string]any{"program_id": block.ID, "week": 1}) // plain numbers always encode
	if _, err := a.Gate.Call(ctx, who, gate.Request{Plate: "training", Tool: "generate_program_week", Args: args}); err != nil {
		return DemoAccount{}, fmt.Errorf("write the demo week: %w", err)
	}
	return demo, nil
}

// comingMonday returns the Monday on or after the day, so that a newcomer on a
// Thursday meets a session to lift and not one that was missed.
func comingMonday(day dbtype.Date) dbtype.Date {
	ahead := (int(time.Monday) - int(day.Weekday()) + 7) % 7
	return day.AddDays(ahead)
}
