package health_test

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"tectonic/internal/plates/training/health"
)

// vector is one of the published examples.
type vector struct {
	Area     string
	Input    json.RawMessage
	Expected json.RawMessage
}

type series struct {
	Days   []int
	Values []float64
	Unit   string
}

func (s series) readings() []health.Reading {
	list := make([]health.Reading, len(s.Days))
	for i, n := range s.Days {
		at := time.Date(2026, time.March, 1+n, 0, 0, 0, 0, time.UTC)
		list[i] = health.Reading{At: at, Day: at, Milli: int64(s.Values[i]*1000 + 0.5)}
	}
	return list
}

func vectors(t *testing.T, area string) []vector {
	t.Helper()
	text, err := os.ReadFile("../testdata/training-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all, found []vector
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	for _, v := range all {
		if v.Area == area {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		t.Fatalf("no vector of the area %s", area)
	}
	return found
}

func read(t *testing.T, text json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func TestSwing(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t, "health.day_to_day_swing") {
		var in series
		var want struct {
			Swing *float64
			Pairs int
			Text  string
		}
		read(t, v.Input, &in)
		read(t, v.Expected, &want)
		daily := health.Daily(in.readings())
		tenths, pairs, ok := health.Swing(daily)
		if ok != (want.Swing != nil) || pairs != want.Pairs || ok && float64(tenths)/10 != *want.Swing {
			t.Errorf("%s: %d tenths of %d pairs (%v)", v.Input, tenths, pairs, ok)
		}
		if got := health.SwingText(daily[len(daily)-1].Milli, in.Unit, tenths, ok); got != want.Text {
			t.Errorf("said %q, want %q", got, want.Text)
		}
	}
}

func TestTrend(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t, "health.trend") {
		var in series
		var want *struct {
			PerWeek         float64 `json:"per_week"`
			PlusMinus       float64 `json:"plus_minus"`
			Distinguishable bool
		}
		read(t, v.Input, &in)
		read(t, v.Expected, &want)
		got, reason := health.TrendOf(health.Daily(in.readings()))
		if (reason == "") != (want != nil) {
			t.Errorf("%s: reason %q", v.Input, reason)
			continue
		}
		if want != nil && (float64(got.PerWeek)/100 != want.PerWeek || float64(got.PlusMinus)/100 != want.PlusMinus || got.Distinguishable != want.Distinguishable) {
			t.Errorf("%s: %+v, want %+v", v.Input, got, *want)
		}
	}
}

func TestDerived(t *testing.T) {
	t.Parallel()
	for _, v := range vectors(t, "health.derived_mass") {
		var in, want map[string]any
		read(t, v.Input, &in)
		read(t, v.Expected, &want)
		tenths := func(name string) *int64 { n := int64(in[name].(float64)*10 + 0.5); return &n }
		milli := func(name string) int64 { return int64(in[name].(float64)*1000 + 0.5) }
		got := health.Derive(milli("weight"), milli("body_fat_percent"), tenths("weight_swing"), tenths("body_fat_swing"))
		for name, n := range map[string]int64{"fat_mass": got.Fat, "lean_mass": got.Lean, "plus_minus": *got.FatMargin, "lean_plus_minus": *got.LeanMargin} {
			if float64(n)/10 != want[name] {
				t.Errorf("%s is %d tenths, want %v", name, n, want[name])
			}
		}
	}
}
