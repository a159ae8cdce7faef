package app_test

import (
	"testing"

	"tectonic/internal/bedrock/db"
)

// A newcomer meets charts that have something to show, and a session to lift.
func TestTheDemoAccountHasTrained(t *testing.T) {
	t.Parallel()
	a, _ := open(t, load(t))
	if err := a.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	count := func(query string) (n int) {
		t.Helper()
		err := a.DB.Read(t.Context(), func(tx *db.Tx) error { return tx.QueryRowContext(t.Context(), query).Scan(&n) })
		if err != nil {
			t.Error(err)
		}
		return n
	}
	for run := range 2 { // the second time changes nothing
		before := count("SELECT count(*) FROM record_rows")
		if _, err := a.Demo(t.Context()); err != nil {
			t.Fatal(err)
		}
		if after := count("SELECT count(*) FROM record_rows"); run == 1 && after != before {
			t.Errorf("the second time wrote %d rows into the record", after-before)
		}
	}
	for query, least := range map[string]int{
		"SELECT count(*) FROM training_sets WHERE is_completed":                                                   150,
		"SELECT count(*) FROM training_sets WHERE NOT is_completed":                                               28,
		"SELECT count(*) FROM training_sets WHERE is_completed AND reps < planned_reps":                           1,
		"SELECT count(*) FROM training_goals":                                                                     2,
		"SELECT count(*) FROM training_health_readings":                                                           90,
		"SELECT count(*) FROM training_workouts WHERE date >= '2026-01-01' AND rpe IS NOT NULL":                   12,
		"SELECT CASE WHEN count(*) = 2 THEN 1 ELSE 0 END FROM training_programs WHERE block IS NULL OR block = 0": 1,
	} {
		if got := count(query); got < least {
			t.Errorf("%s: %d, want at least %d", query, got, least)
		}
	}
}
