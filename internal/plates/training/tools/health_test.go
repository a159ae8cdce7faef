package tools_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

// scale is a file of one metric, a reading a day from the first of February.
func scale(metric, unit string, values ...float64) string {
	lines := []string{"measured_at,metric,value,unit"}
	for i, v := range values {
		lines = append(lines, fmt.Sprintf("2026-02-%02dT07:00:00Z,%s,%.1f,%s", i+1, metric, v, unit))
	}
	return strings.Join(lines, "\n")
}

func (l *lifter) weigh(source, content string) tools.ImportHealthOut {
	l.t.Helper()
	return answer[tools.ImportHealthOut](l, "import_health", args{"file_name": "scale.csv", "source": source, "file": content})
}

var fallingWeights = []float64{182.0, 181.7, 181.4, 181.8, 182.2, 181.6, 181.0, 181.3, 181.6, 181.1, 180.6, 180.8, 181.0, 180.6, 180.2, 180.5, 180.8, 180.3, 179.8}

func TestAFileIsImportedOnceAndUndone(t *testing.T) {
	t.Parallel()
	const week = `Date,"Weight (kg)","Fat mass (kg)","Bone mass (kg)","Muscle mass (kg)","Hydration (kg)",Comments
"2026-03-01 07:11:09",81.64,22.78,2.95,55.90,,
"2026-02-28 07:11:09",81.20,22.70,2.95,,,felt fine`
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		in := args{"file_name": "weights.csv", "source": "Body+", "file": week, "time_zone": "America/New_York"}
		in["dry_run"] = true
		if out := answer[tools.ImportHealthOut](l, "import_health", in); out.Added != 7 || out.ImportID != nil {
			t.Errorf("a look: %+v", out)
		}
		if n := g.count(t, "SELECT count(*) FROM training_imports") + g.count(t, "SELECT count(*) FROM training_health_sources"); n != 0 {
			t.Errorf("a look left %d rows", n)
		}
		delete(in, "dry_run")
		for _, want := range []string{
			"withings/Body+: 7 rows, 7 added, 0 already there, 0 conflicting, 0 rejected",
			"withings/Body+: 7 rows, 0 added, 7 already there, 0 conflicting, 0 rejected",
		} {
			if got := l.must("import_health", in); got != want {
				t.Errorf("said %q, want %q", got, want)
			}
		}
		in["file"] = strings.Replace(week, "81.64", "82.64", 1)
		if out := answer[tools.ImportHealthOut](l, "import_health", in); out.Conflicting != 1 || out.AlreadyThere != 6 {
			t.Errorf("another value: %+v", out)
		}
		value := "SELECT count(*) FROM training_health_readings WHERE value_text = $1 AND value_milli = $2"
		if g.count(t, value, "81.64", 81640) != 1 {
			t.Error("the stored value did not stay")
		}
		in["replace"] = true
		replacing := answer[tools.ImportHealthOut](l, "import_health", in)
		if g.count(t, value, "82.64", 82640) != 1 {
			t.Error("the value was not replaced")
		}
		if got := l.must("undo_health_import", args{"import_id": *replacing.ImportID}); got != "Removed 0 reading(s). Restored the earlier value of 1." {
			t.Errorf("undo of the replacing import: %q", got)
		}
		if g.count(t, value, "81.64", 81640) != 1 {
			t.Error("the earlier value did not come back")
		}
		if got := l.must("undo_health_import", args{"import_id": 1}); got != "Removed 7 reading(s)." {
			t.Errorf("undo: %q", got)
		}
		l.refused(fault.NotFound, "No import with id 1 on this account.", "undo_health_import", args{"import_id": 1})
	})
}

func TestHealthRefusals(t *testing.T) {
	t.Parallel()
	const none = "No readings from a scale yet. They come in through the import page or the import command; this connector cannot record them."
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		for _, tool := range []string{"health_readings", "bodyweight_trend", "body_composition"} {
			l.refused(fault.Refused, none, tool, args{})
		}
		l.weigh("Body+", scale("bodyweight", "lb", 180))
		manual := args{"metric": "body_fat_percent", "value": "15", "unit": "%", "source": "calipers", "measured_at": "2026-03-01T07:00:00Z"}
		with := func(more args) args {
			in := args{}
			for _, from := range []args{manual, more} {
				for name, value := range from {
					in[name] = value
				}
			}
			return in
		}
		l.must("add_health_reading", manual)
		for _, r := range []struct {
			kind     fault.Kind
			sentence string
			tool     string
			in       args
		}{
			{fault.Invalid, `"mood" is not a metric this tool knows; use one of bodyweight, fat_mass, lean_mass, muscle_mass, bone_mass, body_water_mass, body_fat_percent, body_water_percent, bmi, visceral_fat_rating.`, "health_readings", args{"metric": "mood"}},
			{fault.NotFound, "No bmi readings.", "health_readings", args{"metric": "bmi"}},
			{fault.NotFound, "No bodyweight readings from source csv/Other between 2026-02-01 and 2026-02-02.", "health_readings", args{"metric": "bodyweight", "source": "csv/Other", "from": "2026-02-01", "to": "2026-02-02"}},
			{fault.NotFound, "No bodyweight readings between 2026-02-10 and 2026-03-02.", "bodyweight_trend", args{"from": "2026-02-10"}},
			{fault.NotFound, "No body composition readings from source csv/Body+ between 2025-12-03 and 2026-03-02.", "body_composition", args{"source": "csv/Body+"}},
			{fault.Invalid, "Limit 0 is out of range; use 1-200.", "health_readings", args{"limit": 0}},
			{fault.Invalid, `Couldn't read "soon" as a date; use 'today' or YYYY-MM-DD.`, "health_readings", args{"from": "soon"}},
			{fault.Invalid, `Couldn't read "soon" as a date; use 'today' or YYYY-MM-DD.`, "bodyweight_trend", args{"to": "soon"}},
			{fault.Invalid, "From 2026-03-03 is after to 2026-03-02.", "body_composition", args{"from": "2026-03-03"}},
			{fault.Invalid, "From 2026-03-03 is after to 2026-03-02.", "health_readings", args{"from": "2026-03-03", "to": "today"}},

			{fault.Invalid, "Could not tell what kind of export this is. Choose a format.", "import_health", args{"file_name": "x", "file": "hello"}},
			{fault.Invalid, "This file does not say kg or lb. Choose a unit.", "import_health", args{"file_name": "x", "file": "Date,Weight\n2026-03-02 07:00:00,80"}},
			{fault.Invalid, `"Mars/Base" is not a time zone this server knows.`, "import_health", args{"file_name": "x", "file": "[]", "time_zone": "Mars/Base"}},
			{fault.Invalid, "The zip file holds no export.xml.", "import_health", args{"file_name": "x.zip", "file": "PK\x03\x04 and no more"}},
			{fault.Invalid, "A line of the file is longer than 1 MB, so this is not an export.", "import_health", args{"file_name": "x", "file": "measured_at,metric,value,unit\n" + strings.Repeat("x", 3<<20)}},
			{fault.Invalid, "The file is not whole JSON.", "import_health", args{"file_name": "x", "file": "[{"}},

			{fault.Conflict, "manual/calipers already has another value at that instant.", "add_health_reading", with(args{"value": "16"})},
			{fault.Invalid, `"many" is not a number.`, "add_health_reading", with(args{"value": "many"})},
			{fault.Invalid, "Body fat 101 is out of range; use 0-100 %.", "add_health_reading", with(args{"value": "101"})},
			{fault.Invalid, `"kg" is not a unit of body fat; use %.`, "add_health_reading", with(args{"unit": "kg"})},
			{fault.Invalid, "A reading needs the name of its source, such as calipers.", "add_health_reading", with(args{"source": " "})},
			{fault.Invalid, `Couldn't read "soon" as an instant; use one like 2026-03-02T07:11:09Z, not in the future.`, "add_health_reading", with(args{"measured_at": "soon"})},
		} {
			l.refused(r.kind, r.sentence, r.tool, r.in)
		}
		if out := answer[tools.AddHealthReadingOut](l, "add_health_reading", manual); out.Created {
			t.Errorf("the same reading again: %+v", out)
		}
	})
}

func TestHealthTellsEverySourceApart(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		l.weigh("Body+", scale("bodyweight", "lb", fallingWeights...))
		l.weigh("Body+", scale("body_fat_percent", "%", 26.4, 27.9, 26.5, 28.0, 26.4, 27.9))
		l.weigh("Gym", scale("bodyweight", "kg", 90, 91, 92))
		got := l.must("bodyweight_trend", args{})
		want := "csv/Body+: 179.8 lb, day-to-day swing about ±0.4 lb (19 readings on 19 days). Change -0.7 lb a week, give or take 0.2.\n" +
			"csv/Gym: 92.0 kg, too few readings to say how much it swings day to day (3 readings on 3 days). Too few readings for a trend: it needs 8 days across at least two weeks.\n" +
			"Different sources measure differently; do not compare them with each other."
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the trend (-want +got):\n%s", diff)
		}
		trend := answer[tools.BodyweightTrendOut](l, "bodyweight_trend", args{"source": "csv/Gym"})
		if len(trend.Series) != 1 || trend.Series[0].PerWeek != nil || *trend.Series[0].Reason != "too_few_days" {
			t.Errorf("three days: %+v", trend)
		}
		got = l.must("health_readings", args{"metric": "body_fat_percent"})
		if want := "csv/Body+ body fat: 27.9%, day-to-day swing about ±1.5% (6 readings on 6 days, 2026-02-01 to 2026-02-06; middle 27.2%, range 26.4% to 28.0%)."; got != want {
			t.Errorf("said %q, want %q", got, want)
		}
		all := answer[tools.HealthReadingsOut](l, "health_readings", args{"detail": "rows", "limit": 5})
		if len(all.Groups) != 3 || all.Shown != 5 || all.Total != 28 || all.Withheld != 23 || all.Rows[0].Value != 179.8 {
			t.Errorf("everything: %d groups, %+v", len(all.Groups), all.Page)
		}
		composition := answer[tools.BodyCompositionOut](l, "body_composition", args{"from": "2026-02-01", "to": "2026-02-06"})
		if len(composition.Groups) != 1 || len(composition.Derived) != 2 || composition.Derived[0].Value != 50.7 || composition.Derived[0].PlusMinus == nil {
			t.Errorf("composition: %+v", composition)
		}
		text := l.must("body_composition", args{"from": "2026-02-01", "to": "2026-02-06"})
		if !strings.Contains(text, "First and last fortnight differ by 0.0%, less than the swing, so the scale cannot tell them apart.") || !strings.Contains(text, "Worked out from weight and body fat: fat 50.7 lb ±") {
			t.Errorf("said %q", text)
		}
	})
}

// forbidden are the words that a report of an instrument never uses.
var forbidden = []string{
	"target", "goal", "ideal", "healthy", "unhealthy", "overweight", "obese", "good", "bad", "progress", "improve", "should", "too much", "too little", "congratulations",
}

func TestHealthAnswersJudgeNothingAndMergeNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		for _, source := range []string{"Body+", "Gym"} {
			for metric, unit := range map[string]string{
				"bodyweight": "lb", "fat_mass": "lb", "lean_mass": "kg", "muscle_mass": "kg", "bone_mass": "kg", "body_water_mass": "lb",
				"body_fat_percent": "%", "body_water_percent": "%", "bmi": "kg/m2", "visceral_fat_rating": "rating",
			} {
				values := make([]float64, 28)
				for i := range values {
					values[i] = 50 + float64(i%3)
				}
				l.weigh(source, scale(metric, unit, values...))
			}
		}
		l.weigh("Body+", scale("bodyweight", "kg", 80, 81, 82)) // another unit is another series
		for _, tool := range []string{"health_readings", "bodyweight_trend", "body_composition"} {
			for _, in := range []args{{}, {"source": "csv/Gym"}, {"from": "2026-02-01", "to": "2026-02-28"}, {"from": "2026-02-01", "to": "2026-02-03"}} {
				result, err := l.call(tool, in)
				if err != nil {
					t.Fatalf("%s %v: %v", tool, in, err)
				}
				said := strings.ToLower(result.Text + string(result.Structured))
				for _, word := range forbidden {
					if strings.Contains(said, word) {
						t.Errorf("%s %v says %q", tool, in, word)
					}
				}
			}
		}
		seen := map[string]int{}
		out := answer[tools.HealthReadingsOut](l, "health_readings", args{})
		for _, group := range out.Groups {
			key := group.Source + " " + group.Metric + " " + group.Unit
			if seen[key]++; seen[key] > 1 {
				t.Errorf("%s is told twice", key)
			}
			if want := map[bool]int{true: 3, false: 28}[key == "csv/Body+ bodyweight kg"]; group.N != want {
				t.Errorf("%s has %d readings, want %d", key, group.N, want)
			}
		}
		if len(out.Groups) != 21 {
			t.Errorf("%d groups, want one for each source, metric and unit", len(out.Groups))
		}
		other := g.lifter(t, "b@example.com")
		other.refused(fault.Refused, "No readings from a scale yet. They come in through the import page or the import command; this connector cannot record them.", "health_readings", args{})
	})
}
