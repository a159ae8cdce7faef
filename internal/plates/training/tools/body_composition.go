package tools

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/health"
	"tectonic/internal/plates/training/store"
)

// BodyCompositionOut is what was measured of a body's parts, and apart from it
// what was worked out here.
type BodyCompositionOut struct {
	Groups  []partGroup   `json:"groups"`
	Derived []derivedMass `json:"derived"`
}

// The items are aliases of nameless types, because the contract has their
// schemas inline.
type (
	partGroup = struct {
		Source      string   `json:"source"`
		Metric      string   `json:"metric" enum:"bodyweight,fat_mass,lean_mass,muscle_mass,bone_mass,body_water_mass,body_fat_percent,body_water_percent,bmi,visceral_fat_rating"`
		Unit        string   `json:"unit"`
		N           int      `json:"n"`
		Days        int      `json:"days"`
		Latest      Latest   `json:"latest"`
		Swing       *float64 `json:"swing"`
		FirstMedian *float64 `json:"first_median"`
		LastMedian  *float64 `json:"last_median"`
		Difference  *float64 `json:"difference"`
		WithinSwing *bool    `json:"within_swing"`
	}
	derivedMass = struct {
		Source     string      `json:"source"`
		Metric     string      `json:"metric" enum:"fat_mass,lean_mass"`
		Unit       string      `json:"unit"`
		Value      float64     `json:"value"`
		PlusMinus  *float64    `json:"plus_minus"`
		From       []string    `json:"from"`
		MeasuredAt dbtype.Time `json:"measured_at"`
	}
)

// parts are the metrics of a body's parts.
var parts = []health.Metric{
	health.FatMass, health.LeanMass, health.MuscleMass, health.BoneMass, health.BodyWaterMass, health.BodyFatPercent, health.BodyWaterPercent,
}

// BodyComposition reads what was measured of a body's parts.
func BodyComposition() contract.Tool {
	return contract.New(contract.Spec{
		Name: "body_composition", Title: "Body composition", Scope: "read",
		Says:     "Body fat, fat, lean, muscle, bone and water figures per source and unit over a window (the last 90 days by default), each with its number of readings, latest value and day-to-day swing, and the first and last fortnight's middle values with whether their difference is larger than the swing. Figures worked out here are listed apart as derived, name what they come from and carry their uncertainty. Two sources' body fat are two different measurements; never average or compare them.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeRefused, fault.CodeNotFound}, Why: "Reads only.",
	}, bodyComposition)
}

func bodyComposition(ctx context.Context, tx *db.Tx, who contract.Caller, in HealthWindowIn) (contract.Answer[BodyCompositionOut], error) {
	var none contract.Answer[BodyCompositionOut]
	q, err := in.question("body composition ", who.Today(tx.Now()))
	if err != nil {
		return none, err
	}
	q.parts = true
	all, err := readSeries(ctx, tx, who, q, func(m health.Metric) bool { return m == health.Bodyweight || slices.Contains(parts, m) })
	if err != nil {
		return none, err
	}
	out := BodyCompositionOut{Groups: []partGroup{}, Derived: []derivedMass{}}
	var lines []string
	for _, s := range all {
		if s.metric == health.Bodyweight {
			continue
		}
		g, text := partOf(s, q)
		out.Groups = append(out.Groups, g)
		lines = append(lines, text)
		if s.metric == health.BodyFatPercent {
			derived, text := derive(s, all)
			out.Derived = append(out.Derived, derived...)
			lines = append(lines, text)
		}
	}
	return contract.Answer[BodyCompositionOut]{Out: out, Text: joinLines(append(lines, severalSources(all)))}, nil
}

// enough is how many days a fortnight needs for its middle value.
const enough = 3

// partOf sums a series up and compares its first with its last fortnight.
func partOf(s series, q question) (partGroup, string) {
	g := partGroup{
		Source: s.source, Metric: string(s.metric), Unit: s.unit, N: len(s.readings), Days: len(s.daily), Latest: s.latestOut(), Swing: tenthsOut(s.swing),
	}
	text := fmt.Sprintf("%s %s: %s (%s).", s.source, s.metric.Word(), s.text(), counted(len(s.readings), "reading"))
	from, to := store.Day(q.first), store.Day(q.last)
	first := s.between(from, from.AddDate(0, 0, 13))
	last := s.between(to.AddDate(0, 0, -13), to)
	if len(first) >= enough {
		v := units(health.Median(first))
		g.FirstMedian = &v
	}
	if len(last) >= enough {
		v := units(health.Median(last))
		g.LastMedian = &v
	}
	if g.FirstMedian == nil || g.LastMedian == nil {
		return g, text
	}
	milli := health.Median(last) - health.Median(first)
	difference := units(milli)
	g.Difference = &difference
	if s.swing != nil {
		within := max(milli, -milli) <= *s.swing*100
		g.WithinSwing = &within
	}
	return g, text + fortnightText(max(milli, -milli), s.unit, g.WithinSwing)
}

func fortnightText(apart int64, unit string, within *bool) string {
	text := " First and last fortnight differ by " + health.Show(apart, unit)
	switch {
	case within == nil:
		return text + "."
	case *within:
		return text + ", less than the swing, so the scale cannot tell them apart."
	}
	return text + ", more than the swing."
}

// between returns the daily values from one day to another, both included.
func (s series) between(from, to time.Time) []health.Reading {
	var in []health.Reading
	for _, r := range s.daily {
		if !r.Day.Before(from) && !r.Day.After(to) {
			in = append(in, r)
		}
	}
	return in
}

// derive works out fat and lean mass from the newest weight and body fat that
// one source measured together, for every unit of weight.
func derive(fat series, all []series) (list []derivedMass, text string) {
	for _, weight := range all {
		if weight.metric != health.Bodyweight || weight.source != fat.source {
			continue
		}
		w, f, ok := together(weight.readings, fat.readings)
		if !ok {
			continue
		}
		d := health.Derive(w.Milli, f.Milli, weight.swing, fat.swing)
		one := func(metric health.Metric, tenths int64, margin *int64) derivedMass {
			return derivedMass{
				fat.source, string(metric), weight.unit, float64(tenths) / 10, tenthsOut(margin),
				[]string{string(health.Bodyweight), string(health.BodyFatPercent)},
				dbtype.At(f.At),
			}
		}
		list = append(list, one(health.FatMass, d.Fat, d.FatMargin), one(health.LeanMass, d.Lean, d.LeanMargin))
		text = fmt.Sprintf("Worked out from weight and body fat: fat %s, lean %s.", margined(d.Fat, d.FatMargin, weight.unit), margined(d.Lean, d.LeanMargin, weight.unit))
	}
	return list, text
}

// together returns the newest two readings that were taken as one.
func together(weights, fats []health.Reading) (w, f health.Reading, ok bool) {
	for i := len(fats) - 1; i >= 0; i-- {
		for j := len(weights) - 1; j >= 0; j-- {
			if weights[j].At.Sub(fats[i].At).Abs() <= health.Together {
				return weights[j], fats[i], true
			}
			if fats[i].At.Sub(weights[j].At) > health.Together {
				break
			}
		}
	}
	return w, f, false
}

func margined(tenths int64, margin *int64, unit string) string {
	text := health.ShowTenths(tenths, unit)
	if margin != nil {
		text += " ±" + health.ShowTenths(*margin, health.Rating)
	}
	return text
}
