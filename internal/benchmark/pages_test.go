package benchmark

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/testkit/product"
)

// years is a workspace with five years in it: 1,040 workouts with 24,960 sets,
// a block with a generated week, goals, and a reading of three kinds a day.
type years struct {
	who              *product.Person
	program, workout int64
}

func fiveYears(b *testing.B, p *product.Product) years {
	b.Helper()
	who := p.Person(b, "old@hand.example")
	writeHistory(b, p, who)
	writeReadings(b, p, who)
	y := years{who: who}
	y.program, y.workout = who.Week()
	for _, lift := range []string{"Back Squat", "Bench Press", "Deadlift"} {
		who.Must("set_goal", map[string]any{"exercise": lift, "target_weight": 405, "target_reps": 1})
	}
	return y
}

// writeReadings inserts five years of daily weights, body fat and muscle mass
// of one scale.
func writeReadings(b *testing.B, p *product.Product, who *product.Person) {
	b.Helper()
	who.Must("add_health_reading", map[string]any{
		"source": "Scale", "metric": "bodyweight", "value": "181.0", "unit": "lb", "measured_at": p.DB.Now().Add(-time.Hour).Format(time.RFC3339),
	})
	err := p.DB.Write(b.Context(), func(tx *db.Tx) error {
		var source, from int64
		if err := tx.QueryRowContext(b.Context(), "SELECT id FROM training_health_sources").Scan(&source); err != nil {
			return err
		}
		if err := tx.QueryRowContext(b.Context(), "SELECT id FROM training_imports").Scan(&from); err != nil {
			return err
		}
		var rows [][]any
		for day := range historyYears * 365 {
			at := tx.Now().AddDate(0, 0, -day-1)
			for _, m := range []struct {
				name, unit string
				milli      int64
			}{{"bodyweight", "lb", 181_000}, {"body_fat_percent", "%", 21_000}, {"muscle_mass", "lb", 140_000}} {
				value := m.milli + int64(day*37%1900) - 950
				rows = append(rows, []any{
					who.Workspace(), source, m.name, m.unit, fmt.Sprintf("%d.%03d", value/1000, value%1000), value,
					instant(p.DB, at), at.Format(time.DateOnly), from, instant(p.DB, at),
				})
			}
		}
		return tx.InsertMany(b.Context(), "training_health_readings", []string{
			"workspace_id", "source_id", "metric", "unit", "value_text", "value_milli", "measured_at", "local_day", "import_id", "created_at",
		}, rows)
	})
	if err != nil {
		b.Fatal(err)
	}
	settle(b, p.DB)
}

// Every page of the training plate after five years; the budget of each is
// 50 ms in 95 of 100 cases.
func BenchmarkPages(b *testing.B) {
	each(b, func(b *testing.B, p *product.Product) {
		y := fiveYears(b, p)
		jar := cookies(b, p, y.who)
		for _, path := range []string{
			"/", "/?month=2026-01", "/workouts", "/workouts/new", "/exercises", "/exercises/1", "/programs", "/equipment", "/settings/training",
			fmt.Sprintf("/workouts/%d", y.workout), fmt.Sprintf("/workouts/%d/sets", y.workout), fmt.Sprintf("/workouts/%d/session", y.workout),
			fmt.Sprintf("/programs/%d", y.program), "/connections",
			"/volume", "/volume?weeks=52", "/goals", fmt.Sprintf("/programs/%d/progress", y.program), "/health", "/health/import",
		} {
			b.Run(path, func(b *testing.B) {
				var took []time.Duration
				b.ReportAllocs()
				for b.Loop() {
					start := time.Now()
					serve(b, p, request(http.MethodGet, path, nil, jar), http.StatusOK)
					took = append(took, time.Since(start))
				}
				timings(b, took)
			})
		}
	})
}
