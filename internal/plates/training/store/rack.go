package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/id"
	"tectonic/internal/plates/training/strength"
)

// Equipment is what a workspace lifts with and how it reads it.
type Equipment struct {
	Rack   strength.Rack
	Unit   string // lb or kg
	Listed bool   // the workspace listed plates; otherwise the rack is the standard one
}

// EquipmentOf returns the workspace's equipment, the defaults where it chose
// nothing.
func EquipmentOf(ctx context.Context, tx *db.Tx, ws id.WorkspaceID) (Equipment, error) {
	e := Equipment{Rack: strength.DefaultRack(), Unit: "lb"}
	q := New(tx)
	settings, err := q.Settings(ctx, ws)
	if err == nil {
		e.Rack.Bar, e.Unit = int(settings.BarWeight), settings.DisplayUnit
	} else if !errors.Is(err, sql.ErrNoRows) {
		return e, fmt.Errorf("read training settings: %w", err)
	}
	plates, err := q.Plates(ctx, ws)
	if err != nil {
		return e, fmt.Errorf("read plates: %w", err)
	}
	if e.Listed = len(plates) > 0; e.Listed {
		e.Rack.Plates = nil
		for _, p := range plates {
			e.Rack.Plates = append(e.Rack.Plates, strength.PlatePairs{Hundredths: int(p.DenominationHundredths), Pairs: int(p.Pairs)})
		}
	}
	return e, nil
}

// RackOf returns the workspace's rack.
func RackOf(ctx context.Context, tx *db.Tx, ws id.WorkspaceID) (strength.Rack, error) {
	e, err := EquipmentOf(ctx, tx, ws)
	return e.Rack, err
}
