package tools

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// PlatePairs is how many pairs of a plate are owned; the plate's weight is in
// pounds, such as "45" or "2.5".
type PlatePairs struct {
	Plate string `json:"plate"`
	Pairs int64  `json:"pairs"`
}

// SaveRackIn is the whole rack.
type SaveRackIn struct {
	BarWeight int64        `json:"bar_weight"`
	Plates    []PlatePairs `json:"plates"`
}

// SaveRackOut is the rack as it holds now.
type SaveRackOut struct {
	BarWeight int          `json:"bar_weight"`
	Increment int          `json:"increment"`
	Standard  bool         `json:"standard"` // no plates are listed, so the standard ones are assumed
	Plates    []PlatePairs `json:"plates"`
}

// mostPlates is how many different plates a rack may list. Finding the plates
// of a load takes longer with every one of them.
const mostPlates = 30

// SaveRack replaces the bar and the plates that a workspace owns.
func SaveRack() contract.Tool {
	return contract.New(contract.Spec{
		Name: "save_rack", Title: "Save the equipment", Scope: "write", Surfaces: pagesOnly,
		Says:     "Replace the bar weight and the pairs of plates that are owned. Sessions that were generated already keep their weights. Returns the rack and the smallest jump it can make.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Why: "Replaces stored values; sending the old ones restores them.",
	}, saveRack)
}

func saveRack(ctx context.Context, tx *db.Tx, who contract.Caller, in SaveRackIn) (contract.Answer[SaveRackOut], error) {
	var none contract.Answer[SaveRackOut]
	if err := inRange(strength.BarWeightRange, "bar_weight", &in.BarWeight); err != nil {
		return none, err
	}
	if len(in.Plates) > mostPlates {
		return none, fault.BadArgument("A rack holds at most %d different plates.", mostPlates).At("plates")
	}
	owned, err := readPlates(in.Plates)
	if err != nil {
		return none, err
	}
	if err := replaceRack(ctx, tx, who, in.BarWeight, owned); err != nil {
		return none, err
	}
	e, err := store.EquipmentOf(ctx, tx, who.Workspace)
	if err != nil {
		return none, err
	}
	out := SaveRackOut{BarWeight: e.Rack.Bar, Increment: e.Rack.Increment(), Standard: !e.Listed, Plates: []PlatePairs{}}
	for _, p := range e.Rack.Plates {
		out.Plates = append(out.Plates, PlatePairs{Plate: strength.PlateText(p.Hundredths), Pairs: int64(p.Pairs)})
	}
	text := fmt.Sprintf("The bar weighs %d lb. Your smallest plate decides the smallest jump you can make: %d lb.", out.BarWeight, out.Increment)
	if out.Standard {
		text += " No plates listed, so the standard rack is assumed."
	}
	return contract.Answer[SaveRackOut]{Out: out, Text: text}, nil
}

// readPlates checks the plates; those with no pairs are not owned. The field
// of a refusal is named after the plate: "plates[45]".
func readPlates(list []PlatePairs) (map[int]int64, error) {
	owned := map[int]int64{}
	for _, p := range list {
		field := fmt.Sprintf("plates[%s]", fault.Clip(p.Plate))
		hundredths, ok := strength.ParsePlate(strings.TrimSpace(p.Plate))
		if !ok || !strength.PlateInRange(hundredths) {
			return nil, fault.BadArgument("%s", strength.PlateOutOfRange(fault.Clip(p.Plate))).At(field)
		}
		if err := inRange(strength.PairsRange, field, &p.Pairs); err != nil {
			return nil, err
		}
		if p.Pairs > 0 {
			owned[hundredths] += p.Pairs
		}
		if total := owned[hundredths]; !strength.PairsRange.Has(int(total)) {
			return nil, fault.BadArgument("%s", strength.PairsRange.OutOfRange(int(total))).At(field)
		}
	}
	return owned, nil
}

func replaceRack(ctx context.Context, tx *db.Tx, who contract.Caller, bar int64, owned map[int]int64) error {
	if err := db.LockWorkspace(ctx, tx, who.Workspace); err != nil {
		return err
	}
	q, at := store.New(tx), dbtype.At(tx.Now())
	if err := q.SaveBar(ctx, store.SaveBarParams{WorkspaceID: who.Workspace, BarWeight: bar, CreatedAt: at}); err != nil {
		return fmt.Errorf("save the bar: %w", err)
	}
	if err := q.DeletePlates(ctx, who.Workspace); err != nil {
		return fmt.Errorf("clear the plates: %w", err)
	}
	for _, hundredths := range slices.Sorted(maps.Keys(owned)) {
		err := q.InsertPlate(ctx, store.InsertPlateParams{
			WorkspaceID: who.Workspace, DenominationHundredths: int64(hundredths), Pairs: owned[hundredths], CreatedAt: at,
		})
		if err != nil {
			return fmt.Errorf("save plate %d: %w", hundredths, err)
		}
	}
	return nil
}
