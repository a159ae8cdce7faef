package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// SetLiftExtrasIn names a lift and what changes about its range of reps and
// its rests; null clears one.
type SetLiftExtrasIn struct {
	ProgramLiftID     int64               `json:"program_lift_id"`
	RepsTo            contract.Opt[int64] `json:"reps_to" label:"Reps to" doc:"The upper end of the range of reps: the lift adds reps up to here before it adds pounds."`
	RestSeconds       contract.Opt[int64] `json:"rest_seconds" label:"Rest" doc:"Seconds to rest after a working set."`
	WarmupRestSeconds contract.Opt[int64] `json:"warmup_rest_seconds" label:"Rest after a warm-up" doc:"Seconds to rest after a warm-up."`
}

func (in SetLiftExtrasIn) empty() bool {
	in.ProgramLiftID = 0
	return in == SetLiftExtrasIn{}
}

// SetLiftExtrasOut is the lift afterwards, its range and rests, what moved,
// and what happened to the day's session.
type SetLiftExtrasOut struct {
	Lift
	RepsTo            *int64           `json:"reps_to"`
	RestSeconds       *int64           `json:"rest_seconds"`
	WarmupRestSeconds *int64           `json:"warmup_rest_seconds"`
	Changed           contract.Changed `json:"changed"`
	Session           string           `json:"session" enum:"rewritten,lifted,none"`
}

// SetLiftExtras sets the range of reps of a lift and the rests between its
// sets.
func SetLiftExtras() contract.Tool {
	return contract.New(contract.Spec{
		Name: "set_lift_extras", Title: "Set a range of reps and rests", Scope: "write", Surfaces: pagesOnly,
		Says:     "Set the upper end of a lift's range of reps and the seconds to rest after its sets and warm-ups. Send only what changes; null clears. A linear lift with reps_to progresses by reps first: met below reps_to asks one more rep, met at it adds the step and starts again at reps. Returns the lift, what moved, and what happened to a session already generated.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Replaces three values and returns the old ones; only untrained sets follow.",
	}, setLiftExtras)
}

func setLiftExtras(ctx context.Context, tx *db.Tx, who contract.Caller, in SetLiftExtrasIn) (contract.Answer[SetLiftExtrasOut], error) {
	var none contract.Answer[SetLiftExtrasOut]
	if in.empty() {
		return none, nothingToChange()
	}
	e, before, err := editLift(ctx, tx, who, in.ProgramLiftID)
	if err != nil {
		return none, err
	}
	after := before
	in.replaceIn(&after.LiftExtras)
	if err := checkExtras(after, e.program.PreferredReps); err != nil {
		return none, err
	}
	changed := extrasChanges(before.LiftExtras, after.LiftExtras)
	s, err := e.changeExtras(ctx, after, changed)
	if err != nil {
		return none, err
	}
	return contract.Answer[SetLiftExtrasOut]{
		Out: SetLiftExtrasOut{
			Lift: after, RepsTo: after.RepsTo, RestSeconds: after.RestSeconds, WarmupRestSeconds: after.WarmupRestSeconds,
			Changed: changed, Session: s.state,
		},
		Text: fmt.Sprintf("%s: %s.", after.Exercise, changesText(changed)) + SessionSentence(s.state, e.day.WeekdayName),
		Refs: e.refs(s, liftRef(after.ID)),
	}, nil
}

func (in SetLiftExtrasIn) replaceIn(x *LiftExtras) {
	if in.RepsTo.Set {
		x.RepsTo = in.RepsTo.Ptr()
	}
	if in.RestSeconds.Set {
		x.RestSeconds = in.RestSeconds.Ptr()
	}
	if in.WarmupRestSeconds.Set {
		x.WarmupRestSeconds = in.WarmupRestSeconds.Ptr()
	}
}

// checkExtras refuses rests out of range and a range of reps that the lift
// cannot progress through.
func checkExtras(l Lift, preferred *int64) error {
	return checkAll(
		inRange(strength.RepsToRange, "reps_to", l.RepsTo), inRange(strength.RestRange, "rest_seconds", l.RestSeconds),
		inRange(strength.WarmupRestRange, "warmup_rest_seconds", l.WarmupRestSeconds), checkRepsTo(l, preferred),
	)
}

func checkRepsTo(l Lift, preferred *int64) error {
	switch {
	case l.RepsTo == nil:
		return nil
	case l.Reps == nil:
		return fault.BadArgument("Only a lift counted in reps has a range of reps.").At("reps_to")
	case valueOr(l.Progression, "") != string(strength.Linear):
		return fault.BadArgument("A range of reps goes with progression linear only.").At("reps_to")
	case *l.RepsTo <= *l.Reps:
		return fault.BadArgument("The range of reps must end above %d, where it begins.", *l.Reps).At("reps_to")
	case l.IsMain && strength.TargetReps(int(*l.Reps), store.Number(preferred)) != int(*l.Reps):
		return fault.BadArgument("This main lift is lifted for %d reps by the block's preference, so it has no range of reps. Untick main, or clear the preferred reps.", *preferred).At("reps_to")
	}
	return nil
}

func extrasChanges(before, after LiftExtras) contract.Changed {
	c := contract.Changed{}
	change(c, "reps_to", before.RepsTo, after.RepsTo)
	change(c, "rest_seconds", before.RestSeconds, after.RestSeconds)
	change(c, "warmup_rest_seconds", before.WarmupRestSeconds, after.WarmupRestSeconds)
	return c
}

// changeExtras writes what changed; a session follows a new range, not a rest.
func (e *planEdit) changeExtras(ctx context.Context, l Lift, changed contract.Changed) (session, error) {
	s := session{state: sessionNone}
	if len(changed) == 0 {
		return s, nil
	}
	_, ranged := changed["reps_to"]
	if ranged {
		var err error
		if s, err = e.session(ctx); err != nil {
			return s, err
		}
	}
	if err := e.saveExtras(ctx, l); err != nil {
		return s, err
	}
	if err := e.reread(ctx); err != nil {
		return s, err
	}
	return s, e.rewrite(ctx, s, l, false)
}
