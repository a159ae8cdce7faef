package pages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
	"tectonic/internal/web"
)

// offered are the plates of the form, in hundredths of a pound, heaviest
// first. One more row takes any other plate.
var offered = []int{4500, 3500, 2500, 2000, 1500, 1000, 500, 250, 125, 100}

// equipment shows the bar and the plates that are owned.
func (p *pages) equipment(w http.ResponseWriter, r *http.Request) error {
	v, err := p.equipmentView(r)
	if err != nil {
		return err
	}
	return web.Render(w, r, http.StatusOK, equipmentPage(v))
}

func (p *pages) equipmentView(r *http.Request) (v equipmentView, err error) {
	err = p.reading(r, func(rd reader) error {
		e, err := store.EquipmentOf(rd.ctx, rd.tx, rd.who.Workspace)
		v = viewOf(e)
		return err
	})
	return v, err
}

// viewOf lists the offered plates with what is owned of each, and a row for
// the heaviest plate beyond them.
func viewOf(e store.Equipment) equipmentView {
	v := equipmentView{Bar: e.Rack.Bar, Jump: e.Rack.Increment(), Standard: !e.Listed, Rack: e.Rack}
	owned := map[int]int{}
	for _, plate := range e.Rack.Plates {
		owned[plate.Hundredths] = plate.Pairs
	}
	for _, hundredths := range offered {
		v.Plates = append(v.Plates, plateRow{Plate: strength.PlateText(hundredths), Pairs: owned[hundredths]})
	}
	for _, plate := range e.Rack.Plates {
		if !slices.Contains(offered, plate.Hundredths) {
			v.Plates = append(v.Plates, plateRow{Plate: strength.PlateText(plate.Hundredths), Pairs: plate.Pairs})
		}
	}
	return v
}

// saveEquipment replaces the whole rack.
func (p *pages) saveEquipment(w http.ResponseWriter, r *http.Request) error {
	requestID, err := web.Posted(r)
	if err != nil {
		return err
	}
	args, err := rackArguments(r.PostForm)
	if err == nil {
		wire, callErr := p.call(r, requestID, "save_rack", args)
		if err = callErr; err == nil {
			web.Flash(r.Context(), web.FlashDone, wire.Text)
			web.Redirect(w, r, "/equipment")
			return nil
		}
	}
	form, ok := web.Refused(r, err)
	if !ok {
		return err
	}
	toFreeRow(form)
	v, err := p.equipmentView(r)
	if err != nil {
		return err
	}
	v.Form = form
	return web.Render(w, r, http.StatusUnprocessableEntity, equipmentPage(v))
}

// toFreeRow moves a refusal of the plate that was typed into the free row to
// that row: the tool knows plates only by their weight.
func toFreeRow(form web.Form) {
	other := strings.TrimSpace(form.Values.Get("other_plate"))
	for i, f := range form.Refusal.Fields {
		if other != "" && f.Path == "/plates["+other+"]" && !form.Values.Has("plates["+other+"]") {
			form.Refusal.Fields[i].Path = "/other_plate"
		}
	}
}

// rackArguments reads bar_weight, plates[45] and the free row.
func rackArguments(form url.Values) (map[string]any, error) {
	bar, err := wholeNumber(form.Get("bar_weight"), "Bar weight", "bar_weight")
	if err != nil {
		return nil, err
	}
	plates := []map[string]any{}
	for name, values := range form {
		plate, ok := strings.CutPrefix(name, "plates[")
		if !ok || len(values) == 0 || strings.TrimSpace(values[0]) == "" {
			continue
		}
		pairs, err := wholeNumber(values[0], "Pairs", name)
		if err != nil {
			return nil, err
		}
		plates = append(plates, map[string]any{"plate": strings.TrimSuffix(plate, "]"), "pairs": pairs})
	}
	if other := strings.TrimSpace(form.Get("other_plate")); other != "" {
		pairs, err := wholeNumber(form.Get("other_pairs"), "Pairs", "other_pairs")
		if err != nil {
			return nil, err
		}
		plates = append(plates, map[string]any{"plate": other, "pairs": pairs})
	}
	slices.SortFunc(plates, func(a, b map[string]any) int { return strings.Compare(a["plate"].(string), b["plate"].(string)) })
	return map[string]any{"bar_weight": bar, "plates": plates}, nil
}

// wholeNumber reads a typed number; blank is 0, which the tool refuses where
// it makes no sense.
func wholeNumber(typed, label, field string) (int64, error) {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(typed, 10, 64)
	if err != nil {
		return 0, fault.BadArgument("%s \"%s\" is not a whole number.", label, typed).At(field)
	}
	return n, nil
}

// example is a load and the plates that make it.
type example struct {
	Total  int
	Plates []strength.PlateCount
}

// examples are loads that show what the rack does: the bar with one more jump
// and some round ones, as far as the rack holds them.
func (v equipmentView) examples() []example {
	var list []example
	for _, total := range []int{v.Bar + v.Jump, 135, 185, 225} {
		if plates, ok := v.Rack.PerSide(total); ok {
			list = append(list, example{total, plates})
		}
	}
	return list
}
