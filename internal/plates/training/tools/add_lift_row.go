package tools

import (
	"context"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
)

// AddLiftRowIn is the empty row of the block editor, filled in: a lift to add
// with its range of reps and its rests.
type AddLiftRowIn struct {
	AddProgramLiftIn
	RepsTo            *int64 `json:"reps_to" label:"Reps to"`
	RestSeconds       *int64 `json:"rest_seconds" label:"Rest"`
	WarmupRestSeconds *int64 `json:"warmup_rest_seconds" label:"Rest after a warm-up"`
}

// AddLiftRow adds a lift with everything about it in one go.
func AddLiftRow() contract.Tool {
	return contract.New(contract.Spec{
		Name: "add_lift_row", Title: "Add a lift with its rests", Scope: "write", Surfaces: pagesOnly,
		Says:     "Add a lift to a training day as add_program_lift does, with its range of reps and its rests in the same call. Returns the lift and what happened to a session already generated.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.No, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Each call adds a lift; an untrained session only gains its sets.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in AddLiftRowIn) (contract.Answer[AddProgramLiftOut], error) {
		in.LiftExtras = LiftExtras{RepsTo: in.RepsTo, RestSeconds: in.RestSeconds, WarmupRestSeconds: in.WarmupRestSeconds}
		return addProgramLift(ctx, tx, who, in.AddProgramLiftIn)
	})
}
