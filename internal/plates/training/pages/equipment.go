package pages

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"tectonic/internal/bedrock/contract"
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
	form, ok := refusedForm(r, err)
	if !ok {
		return err
	}
	toFreeRow(form)
	v, err := p.equipmentView(r)
	if err != nil {
		return err
	}
	v.Form = form
	v.sayUnshown()
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

// sayUnshown turns a refusal of a field that the form does not have into one
// of the whole form, which stands above it.
func (v equipmentView) sayUnshown() {
	shown := map[string]bool{"/bar_weight": true, "/other_plate": true, "/other_pairs": true}
	for _, p := range v.Plates {
		shown["/"+p.field()] = true
	}
	v.Form.Refusal.Fields = slices.DeleteFunc(v.Form.Refusal.Fields, func(f fault.Field) bool { return !shown[f.Path] })
}

// rackArguments reads bar_weight, plates[45] and the free row.
func rackArguments(form url.Values) (map[string]any, error) {
	if strings.TrimSpace(form.Get("bar_weight")) == "" {
		return nil, fault.BadArgument("Give the weight of the bar.").At("bar_weight")
	}
	bar, err := wholeNumber(form.Get("bar_weight"), "Bar weight", "bar_weight")
	if err != nil {
		return nil, err
	}
	plates := []map[string]any{} // never null
	for _, name := range slices.Sorted(maps.Keys(form)) {
		plate, ok := strings.CutPrefix(name, "plates[")
		if !ok || strings.TrimSpace(form.Get(name)) == "" {
			continue // blank is none of them
		}
		pairs, err := wholeNumber(form.Get(name), "Pairs", name)
		if err != nil {
			return nil, err
		}
		plates = append(plates, map[string]any{"plate": strings.TrimSuffix(plate, "]"), "pairs": pairs})
	}
	other, err := freeRow(form)
	if err != nil {
		return nil, err
	}
	return map[string]any{"bar_weight": bar, "plates": append(plates, other...)}, nil
}

// freeRow reads the plate that the form does not list: none when both of its
// fields are blank. It is for one more plate, so one that has a row is refused.
func freeRow(form url.Values) ([]map[string]any, error) {
	plate, pairs := strings.TrimSpace(form.Get("other_plate")), strings.TrimSpace(form.Get("other_pairs"))
	switch {
	case plate == "" && pairs == "":
		return nil, nil
	case plate == "":
		return nil, fault.BadArgument("Give the weight of the plate.").At("other_plate")
	case !isNumber(plate):
		return nil, fault.BadArgument("Weight \"%s\" is not a number of pounds.", fault.Clip(plate)).At("other_plate")
	case pairs == "":
		return nil, fault.BadArgument("Give the pairs of this plate, 0 for none.").At("other_pairs")
	case hasRow(form, plate):
		return nil, fault.BadArgument("The %s lb plate has its own field above; change its pairs there.", fault.Clip(plate)).At("other_plate")
	}
	n, err := wholeNumber(pairs, "Pairs", "other_pairs")
	if err != nil {
		return nil, err
	}
	return []map[string]any{{"plate": plate, "pairs": n}}, nil
}

// isNumber reports whether the text is written as the weight of a plate is: in
// digits, with a point perhaps. What it weighs is the tool's to judge.
func isNumber(text string) bool {
	whole, fraction, _ := strings.Cut(text, ".")
	return whole+fraction != "" && strings.Trim(whole+fraction, "0123456789") == ""
}

// hasRow reports whether the form lists the plate, however it is written.
func hasRow(form url.Values, plate string) bool {
	weight, ok := strength.ParsePlate(plate)
	return ok && form.Has("plates["+strength.PlateText(weight)+"]")
}

// wholeNumber reads a typed number; blank is 0.
func wholeNumber(typed, label, field string) (int64, error) {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		return 0, nil
	}
	n, refusal := contract.WholeNumber(label, typed)
	if refusal != nil {
		return 0, refusal.At(field)
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
