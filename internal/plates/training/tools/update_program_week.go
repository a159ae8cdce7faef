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

// UpdateProgramWeekIn names a week of a block and what changes about it.
type UpdateProgramWeekIn struct {
	ProgramID int64                `json:"program_id"`
	Week      int64                `json:"week"`
	IsDeload  *bool                `json:"is_deload"`
	Notes     contract.Opt[string] `json:"notes"`
}

// UpdateProgramWeekOut is the week afterwards, what moved, and what happened to
// its sessions.
type UpdateProgramWeekOut struct {
	Week
	Changed  contract.Changed `json:"changed"`
	Sessions Followed         `json:"sessions"`
}

// UpdateProgramWeek makes a week a deload or an ordinary one, or changes its
// notes.
func UpdateProgramWeek() contract.Tool {
	return contract.New(contract.Spec{
		Name: "update_program_week", Title: "Change a week", Scope: "write", Surfaces: pagesOnly,
		Says:     "Make one week of a block a deload, generated a tenth lighter, or an ordinary one again, or change its notes. Its planned sessions are rewritten; sessions with lifted sets are left alone. Returns the week, what moved, and what happened to the sessions.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Replaces values and returns the old ones; only untrained sessions follow.",
	}, updateProgramWeek)
}

func updateProgramWeek(ctx context.Context, tx *db.Tx, who contract.Caller, in UpdateProgramWeekIn) (contract.Answer[UpdateProgramWeekOut], error) {
	var none contract.Answer[UpdateProgramWeekOut]
	if in.IsDeload == nil && !in.Notes.Set {
		return none, nothingToChange()
	}
	if err := tooLong("Notes", "notes", in.Notes.Ptr(), strength.MaxNote); err != nil {
		return none, err
	}
	p, err := lockProgram(ctx, tx, who, in.ProgramID)
	if err != nil {
		return none, err
	}
	before, err := weekOf(p, in.Week, "week")
	if err != nil {
		return none, err
	}
	after := before
	after.IsDeload = valueOr(in.IsDeload, before.IsDeload)
	if in.Notes.Set {
		after.Notes = blankAsNone(in.Notes.Ptr())
	}
	changed := contract.Changed{}
	change(changed, "is_deload", &before.IsDeload, &after.IsDeload)
	change(changed, "notes", before.Notes, after.Notes)
	list, sessions, err := changeWeek(ctx, tx, who, p, before, after)
	return contract.Answer[UpdateProgramWeekOut]{
		Out:  UpdateProgramWeekOut{Week: after, Changed: changed, Sessions: sessions},
		Text: fmt.Sprintf("Week %d of %s: %s.", after.Number, p.Name, changesText(changed)) + sessions.Sentence(),
		Refs: append([]string{programRef(p.ID)}, sessionRefs(list)...),
	}, err
}

// changeWeek writes the week; its sessions follow a new kind, not a note.
func changeWeek(ctx context.Context, tx *db.Tx, who contract.Caller, p Program, before, after Week) (list []daySession, f Followed, err error) {
	if before.IsDeload != after.IsDeload {
		if list, err = sessionsOf(ctx, tx, who, p, before); err != nil {
			return nil, f, err
		}
	}
	err = store.New(tx).UpdateWeek(ctx, store.UpdateWeekParams{IsDeload: after.IsDeload, Notes: after.Notes, WorkspaceID: who.Workspace, ID: after.ID})
	if err != nil {
		return nil, f, fmt.Errorf("update week %d: %w", after.ID, err)
	}
	if p, err = ReadProgram(ctx, tx, who, p.ID); err != nil {
		return nil, f, err
	}
	f, err = follow(ctx, list, p, false, true)
	return list, f, err
}
