package tools

import (
	"context"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// UpdateProgramIn names a block and what changes about it.
type UpdateProgramIn struct {
	ProgramID     int64                `json:"program_id"`
	Name          *string              `json:"name"`
	StartDate     *string              `json:"start_date" label:"Date" doc:"'today' or YYYY-MM-DD"`
	PreferredReps contract.Opt[int64]  `json:"preferred_reps" label:"Preferred reps"`
	IsAscending   *bool                `json:"is_ascending"`
	Notes         contract.Opt[string] `json:"notes"`
}

func (in UpdateProgramIn) empty() bool {
	in.ProgramID = 0
	return in == UpdateProgramIn{}
}

// UpdateProgramOut is the block afterwards, what moved, and what happened to
// its sessions.
type UpdateProgramOut struct {
	ProgramSummary
	Changed  contract.Changed `json:"changed"`
	Sessions Followed         `json:"sessions"`
}

// UpdateProgram changes the head of a block.
func UpdateProgram() contract.Tool {
	return contract.New(contract.Spec{
		Name: "update_program", Title: "Change a block", Scope: "write", Surfaces: pagesOnly,
		Says:     "Change the name, first day, preferred reps, order of the sets or notes of a block. Send only what changes. Planned sessions move with a new first day and are rewritten for new reps or another order; sessions with lifted sets are left alone. Returns the block, what moved, and what happened to the sessions.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Replaces values and returns the old ones; only untrained sessions follow.",
	}, updateProgram)
}

func updateProgram(ctx context.Context, tx *db.Tx, who contract.Caller, in UpdateProgramIn) (contract.Answer[UpdateProgramOut], error) {
	var none contract.Answer[UpdateProgramOut]
	if in.empty() {
		return none, nothingToChange()
	}
	before, err := lockProgram(ctx, tx, who, in.ProgramID)
	if err != nil {
		return none, err
	}
	after, err := in.apply(ctx, tx, who, before.ProgramSummary)
	if err != nil {
		return none, err
	}
	changed := programChanges(before.ProgramSummary, after)
	list, sessions := []daySession(nil), Followed{}
	if len(changed) > 0 {
		if list, sessions, err = changeProgram(ctx, tx, who, before, after, changed); err != nil {
			return none, err
		}
	}
	p, err := ReadProgram(ctx, tx, who, in.ProgramID)
	return contract.Answer[UpdateProgramOut]{
		Out:  UpdateProgramOut{ProgramSummary: p.ProgramSummary, Changed: changed, Sessions: sessions},
		Text: fmt.Sprintf("%s: %s.", before.Name, changesText(changed)) + sessions.Sentence(),
		Refs: append([]string{programRef(p.ID)}, sessionRefs(list)...),
	}, err
}

// apply returns the head of the block as it will be.
func (in UpdateProgramIn) apply(ctx context.Context, tx *db.Tx, who contract.Caller, p ProgramSummary) (ProgramSummary, error) {
	p.Name = strings.Join(strings.Fields(valueOr(in.Name, p.Name)), " ")
	if in.PreferredReps.Set {
		p.PreferredReps = in.PreferredReps.Ptr()
	}
	if in.Notes.Set {
		p.Notes = blankAsNone(in.Notes.Ptr())
	}
	p.IsAscending = valueOr(in.IsAscending, p.IsAscending)
	err := checkAll(
		checkProgramName(p.Name), inRange(strength.PreferredRepsRange, "preferred_reps", p.PreferredReps),
		tooLong("Notes", "notes", p.Notes, strength.MaxNote),
	)
	if err == nil && in.StartDate != nil {
		p.StartDate, err = readWorkoutDay(*in.StartDate, "start_date", who.Today(tx.Now()))
	}
	if err != nil {
		return p, err
	}
	return p, blockNameFree(ctx, tx, who, p)
}

// blockNameFree refuses a name that another block of that number has.
func blockNameFree(ctx context.Context, tx *db.Tx, who contract.Caller, p ProgramSummary) error {
	other, found, err := store.BlockNamed(ctx, tx, who.Workspace, strength.NameKey(p.Name), valueOr(p.Block, -1))
	if err != nil || !found || other == p.ID {
		return err
	}
	return blockNameTaken(p.Name, other)
}

func programChanges(before, after ProgramSummary) contract.Changed {
	c := contract.Changed{}
	change(c, "name", &before.Name, &after.Name)
	change(c, "start_date", &before.StartDate, &after.StartDate)
	change(c, "preferred_reps", before.PreferredReps, after.PreferredReps)
	change(c, "is_ascending", &before.IsAscending, &after.IsAscending)
	change(c, "notes", before.Notes, after.Notes)
	return c
}

// changeProgram writes the head of a block and lets its planned sessions
// follow.
func changeProgram(ctx context.Context, tx *db.Tx, who contract.Caller, before Program, after ProgramSummary, changed contract.Changed) ([]daySession, Followed, error) {
	_, moved := changed["start_date"]
	_, reps := changed["preferred_reps"]
	_, order := changed["is_ascending"]
	var list []daySession
	var err error
	if moved || reps || order {
		if list, err = sessionsOf(ctx, tx, who, before, before.Weeks...); err != nil {
			return nil, Followed{}, err
		}
	}
	if err := saveProgram(ctx, tx, who, after); err != nil {
		return nil, Followed{}, err
	}
	now, err := ReadProgram(ctx, tx, who, before.ID)
	if err != nil {
		return nil, Followed{}, err
	}
	f, err := follow(ctx, list, now, moved, reps || order)
	return list, f, err
}

func saveProgram(ctx context.Context, tx *db.Tx, who contract.Caller, p ProgramSummary) error {
	err := store.New(tx).UpdateProgram(ctx, store.UpdateProgramParams{
		Name: p.Name, NameKey: strength.NameKey(p.Name), StartDate: p.StartDate, PreferredReps: p.PreferredReps,
		IsAscending: p.IsAscending, Notes: p.Notes, WorkspaceID: who.Workspace, ID: p.ID,
	})
	if db.IsUnique(err) {
		return fault.Clash("You already have a block named \"%s\". Edit that one, or use a different name.", p.Name).At("name")
	}
	if err != nil {
		return fmt.Errorf("update block %d: %w", p.ID, err)
	}
	return nil
}

func blockNameTaken(name string, id int64) error {
	return fault.Clash("You already have a block named \"%s\" (id %d). Edit that one, or use a different name.", name, id).At("name")
}
