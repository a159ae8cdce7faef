package tools

import (
	"context"
	"fmt"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/health"
)

// HealthWindowIn may name a source and a window of days, the last 90 when it
// names none.
type HealthWindowIn struct {
	Source *string `json:"source"`
	From   *string `json:"from" doc:"'today' or YYYY-MM-DD"`
	To     *string `json:"to" doc:"'today' or YYYY-MM-DD"`
}

// question reads the window.
func (in HealthWindowIn) question(word string, today dbtype.Date) (question, error) {
	first, last, err := healthWindow(in.From, in.To, today)
	return question{word: word, source: valueOr(in.Source, ""), first: first, last: last, bounded: true}, checkAll(err, checkSource(in.Source))
}

// BodyweightTrendOut is the body weight of every source in every unit.
type BodyweightTrendOut struct {
	Series []weightSeries `json:"series"`
}

// weightSeries is nameless, because the contract has its schema inline.
type weightSeries = struct {
	Source          string      `json:"source"`
	Unit            string      `json:"unit"`
	N               int         `json:"n"`
	Days            int         `json:"days"`
	FirstDay        dbtype.Date `json:"first_day"`
	LastDay         dbtype.Date `json:"last_day"`
	Latest          Latest      `json:"latest"`
	Swing           *float64    `json:"swing"`
	PerWeek         *float64    `json:"per_week"`
	PlusMinus       *float64    `json:"per_week_plus_minus"`
	Distinguishable *bool       `json:"distinguishable"`
	Reason          *string     `json:"reason" enum:"too_few_days,too_short"`
}

// BodyweightTrend reads how body weight changes.
func BodyweightTrend() contract.Tool {
	return contract.New(contract.Spec{
		Name: "bodyweight_trend", Title: "Body-weight trend", Scope: "read",
		Says:     "Body weight per source and unit over a window (the last 90 days by default): number of readings, the latest value with its day-to-day swing, the measured change per week with its uncertainty, and whether the readings can tell that change from none. The change is null with a reason when there are fewer than 8 days or less than two weeks. It computes no target weight and no target rate and gives no judgement; do not combine sources.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeRefused, fault.CodeNotFound}, Why: "Reads only.",
	}, func(ctx context.Context, tx *db.Tx, who contract.Caller, in HealthWindowIn) (contract.Answer[BodyweightTrendOut], error) {
		var none contract.Answer[BodyweightTrendOut]
		q, err := in.question("bodyweight ", who.Today(tx.Now()))
		if err != nil {
			return none, err
		}
		q.metric = string(health.Bodyweight)
		list, err := readSeries(ctx, tx, who, q, func(m health.Metric) bool { return m == health.Bodyweight })
		if err != nil {
			return none, err
		}
		out := BodyweightTrendOut{Series: make([]weightSeries, len(list))}
		lines := make([]string, len(list))
		for i, s := range list {
			trend, reason := health.TrendOf(s.daily)
			out.Series[i] = weightTrend(s, trend, reason)
			lines[i] = fmt.Sprintf("%s: %s (%s on %s). %s", s.source, s.text(), counted(len(s.readings), "reading"), counted(len(s.daily), "day"), trendText(trend, reason, s.unit))
		}
		return contract.Answer[BodyweightTrendOut]{Out: out, Text: joinLines(append(lines, severalSources(list)))}, nil
	})
}

func weightTrend(s series, t health.Trend, reason string) weightSeries {
	out := weightSeries{
		Source: s.source, Unit: s.unit, N: len(s.readings), Days: len(s.daily), FirstDay: s.firstDay(), LastDay: s.lastDay(),
		Latest: s.latestOut(), Swing: tenthsOut(s.swing),
	}
	if reason != "" {
		out.Reason = &reason
		return out
	}
	perWeek, margin := float64(t.PerWeek)/100, float64(t.PlusMinus)/100
	out.PerWeek, out.PlusMinus, out.Distinguishable = &perWeek, &margin, &t.Distinguishable
	return out
}

func trendText(t health.Trend, reason, unit string) string {
	if reason != "" {
		return "Too few readings for a trend: it needs 8 days across at least two weeks."
	}
	text := fmt.Sprintf("Change %s a week, give or take %s", health.Show(t.PerWeek*10, unit), health.Show(t.PlusMinus*10, health.Rating))
	if !t.Distinguishable {
		text += ": the readings do not tell this apart from no change"
	}
	return text + "."
}
