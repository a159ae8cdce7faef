package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/health"
)

// HealthReadingsIn may name a metric, a source and a window of days.
type HealthReadingsIn struct {
	Metric *string `json:"metric" doc:"one of: bodyweight, fat_mass, lean_mass, muscle_mass, bone_mass, body_water_mass, body_fat_percent, body_water_percent, bmi, visceral_fat_rating"`
	Source *string `json:"source"`
	From   *string `json:"from" doc:"'today' or YYYY-MM-DD"`
	To     *string `json:"to" doc:"'today' or YYYY-MM-DD"`
	Detail *string `json:"detail" enum:"summary,rows"`
	Limit  *int64  `json:"limit"`
}

// HealthReadingsOut sums up every series; its rows are the readings
// themselves, newest first, when they were asked for.
type HealthReadingsOut struct {
	Groups []readingGroup `json:"groups"`
	Rows   []readingRow   `json:"rows"`
	Page
}

// The items are aliases of nameless types, because the contract has their
// schemas inline.
type (
	readingGroup = struct {
		Source     string      `json:"source"`
		Metric     string      `json:"metric" enum:"bodyweight,fat_mass,lean_mass,muscle_mass,bone_mass,body_water_mass,body_fat_percent,body_water_percent,bmi,visceral_fat_rating"`
		Unit       string      `json:"unit"`
		N          int         `json:"n"`
		Days       int         `json:"days"`
		FirstDay   dbtype.Date `json:"first_day"`
		LastDay    dbtype.Date `json:"last_day"`
		Latest     Latest      `json:"latest"`
		Median     float64     `json:"median"`
		Min        float64     `json:"min"`
		Max        float64     `json:"max"`
		Swing      *float64    `json:"swing"`
		SwingPairs int         `json:"swing_pairs"`
	}
	readingRow = struct {
		Source     string      `json:"source"`
		Metric     string      `json:"metric" enum:"bodyweight,fat_mass,lean_mass,muscle_mass,bone_mass,body_water_mass,body_fat_percent,body_water_percent,bmi,visceral_fat_rating"`
		Unit       string      `json:"unit"`
		Value      float64     `json:"value"`
		MeasuredAt dbtype.Time `json:"measured_at"`
	}
)

// HealthReadings reads what scales and health apps measured.
func HealthReadings() contract.Tool {
	return contract.New(contract.Spec{
		Name: "health_readings", Title: "Scale readings", Scope: "read",
		Says:     "Readings imported from scales and health apps, grouped by source, metric and unit, never merged or averaged across sources. The default is a summary per group: how many readings on how many days, first and last day, the latest value, the middle value, the lowest and highest, and how much it swings from day to day. detail rows returns the readings themselves, newest first, with how many were held back. This connector reports instruments and cannot record, correct or judge them.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeRefused, fault.CodeNotFound},
		Why:    "Reads only; no tool records a reading.", Narrow: "Name a metric or a source, narrow with from and to, or send a smaller limit.",
	}, healthReadings)
}

func healthReadings(ctx context.Context, tx *db.Tx, who contract.Caller, in HealthReadingsIn) (contract.Answer[HealthReadingsOut], error) {
	var none contract.Answer[HealthReadingsOut]
	metric := valueOr(in.Metric, "")
	if metric != "" && !health.Metric(metric).Known() {
		return none, fault.BadArgument("\"%s\" is not a metric this tool knows; use one of %s.", fault.Clip(metric), strings.Join(health.Metrics(), ", ")).At("metric")
	}
	limit, err := limitOr(in.Limit, 50)
	if err != nil {
		return none, err
	}
	first, last, err := span(in.From, in.To, who.Today(tx.Now()))
	if err := checkAll(err, checkSource(in.Source)); err != nil {
		return none, err
	}
	q := question{metric: metric, source: valueOr(in.Source, ""), first: first, last: last, bounded: in.From != nil || in.To != nil}
	if metric != "" {
		q.word = metric + " "
	}
	list, err := readSeries(ctx, tx, who, q, func(health.Metric) bool { return true })
	if err != nil {
		return none, err
	}
	out := HealthReadingsOut{Groups: make([]readingGroup, len(list)), Rows: readingRows(list)}
	lines := make([]string, len(list))
	for i, s := range list {
		out.Groups[i] = readingSummary(s)
		lines[i] = readingText(s)
	}
	total, shown := len(out.Rows), 0
	if valueOr(in.Detail, "summary") == "rows" {
		shown = min(total, limit)
	}
	out.Rows, out.Page = out.Rows[:shown], page(shown, int64(total), limit)
	for _, r := range out.Rows {
		lines = append(lines, fmt.Sprintf("  %s %s %s: %s", r.MeasuredAt.Format("2006-01-02T15:04:05Z"), r.Source, health.Metric(r.Metric).Word(), health.Show(int64(r.Value*1000+0.5), r.Unit)))
	}
	return contract.Answer[HealthReadingsOut]{Out: out, Text: joinLines(append(lines, severalSources(list)))}, nil
}

// readingRows returns the readings of all series, newest first.
func readingRows(list []series) []readingRow {
	rows := []readingRow{}
	for _, s := range list {
		for _, r := range s.readings {
			rows = append(rows, readingRow{s.source, string(s.metric), s.unit, units(r.Milli), dbtype.At(r.At)})
		}
	}
	slices.SortStableFunc(rows, func(a, b readingRow) int { return b.MeasuredAt.Compare(a.MeasuredAt.Time) })
	return rows
}

func readingSummary(s series) readingGroup {
	low, high := s.bounds()
	return readingGroup{
		Source: s.source, Metric: string(s.metric), Unit: s.unit, N: len(s.readings), Days: len(s.daily), FirstDay: s.firstDay(), LastDay: s.lastDay(),
		Latest: s.latestOut(), Median: units(health.Median(s.daily)), Min: units(low), Max: units(high), Swing: tenthsOut(s.swing), SwingPairs: s.pairs,
	}
}

// bounds returns the lowest and the highest reading.
func (s series) bounds() (low, high int64) {
	low, high = s.readings[0].Milli, s.readings[0].Milli
	for _, r := range s.readings {
		low, high = min(low, r.Milli), max(high, r.Milli)
	}
	return low, high
}

func readingText(s series) string {
	low, high := s.bounds()
	return fmt.Sprintf("%s %s: %s (%s on %s, %s to %s; middle %s, range %s to %s).", s.source, s.metric.Word(), s.text(),
		counted(len(s.readings), "reading"), counted(len(s.daily), "day"), s.firstDay(), s.lastDay(),
		health.Show(health.Median(s.daily), s.unit), health.Show(low, s.unit), health.Show(high, s.unit))
}
