package contracttest

import (
	"testing"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/contract"
)

// step is one call; together the steps call every tool of the plate at least
// once, on a workspace that has Block 0 and its first week (program 1, workout
// 1, sets 1 to 28).
type step struct {
	tool string
	args map[string]any
}

const strongFile = "Date,Workout Name,Exercise Name,Set Order,Weight,Reps,RPE,Seconds\n" +
	"2024-01-15 18:30:00,Lower,Squat (Barbell),1,100,5,8,0\n2024-01-15 18:30:00,Lower,Landmine Twist,1,20,8,,0\n"

var steps = []step{
	{"whoami", nil},
	{"list_exercises", map[string]any{"query": "squat", "limit": 5}},
	{"create_exercise", map[string]any{"name": "Pin Squat", "is_barbell": true}},
	{"create_exercise", map[string]any{"name": "back  squat"}},
	{"update_exercise", map[string]any{"exercise_id": 59, "name": "Pin Squat, high"}},
	{"list_programs", nil},
	{"get_program", map[string]any{"program_id": 1}},
	{"generate_program_week", map[string]any{"program_id": 1, "week": 1}},
	{"list_workouts", map[string]any{"limit": 3}},
	{"get_workout", map[string]any{"workout_id": 1}},
	{"complete_set", map[string]any{"set_id": 1}},
	{"complete_set", map[string]any{"set_id": 5, "weight": 145, "rpe": 8}},
	{"complete_set", map[string]any{"set_id": 1, "completed": false}},
	{"update_set", map[string]any{"set_id": 5, "rpe": nil, "note": "slow"}},
	{"rate_workout", map[string]any{"workout_id": 1, "rpe": 8}},
	{"create_workout", map[string]any{"date": "2026-01-05"}},
	{"create_set", map[string]any{"exercise": "Bench Press", "weight": 135, "reps": 5, "date": "2026-01-05"}},
	{"update_workout", map[string]any{"date": "2026-01-05", "notes": "felt fine"}},
	{"delete_set", map[string]any{"set_id": 29}},
	{"swap_lift", map[string]any{"workout_id": 1, "program_lift_id": 1, "exercise": "Front Squat"}},
	{"restore_from_bin", map[string]any{"bin_id": 1}},
	{"delete_workout", map[string]any{"workout_id": 2}},
	{"repeat_workout", map[string]any{"workout_id": 1, "date": "2026-01-06"}},
	{"generate_program_week", map[string]any{"program_id": 1, "week": 2}},
	{"create_program", map[string]any{"name": "Block 1", "block": 1, "start_date": "2026-06-01", "weeks": []map[string]any{{"days": []map[string]any{{
		"weekday": 1, "focus": "Pull", "lifts": []map[string]any{
			{"exercise": "Deadlift", "sets": 3, "reps": 5, "top_weight": 225}, {"exercise": "Plank", "sets": 2, "duration_seconds": 60, "is_weighted": false},
		},
	}}}}}},
	{"add_program_week", map[string]any{"program_id": 2, "copy_from_week": 1, "is_deload": true}},
	{"add_program_day", map[string]any{"program_id": 2, "week": 1, "weekday": 4}},
	{"update_program_day", map[string]any{"program_day_id": 2, "weekday": 2}},
	{"add_program_lift", map[string]any{"program_day_id": 2, "exercise": "Deadlift", "sets": 2, "reps": 3, "top_weight": 225, "position": 1}},
	{"update_program_lift", map[string]any{"program_lift_id": 6, "top_weight": 165, "position": 2}},
	{"set_lift_extras", map[string]any{"program_lift_id": 7, "reps_to": 12, "rest_seconds": 120}},
	{"exercise_history", map[string]any{"exercise": "Back Squat", "include_planned": true, "include_warmups": true}},
	{"set_goal", map[string]any{"exercise": "Back Squat", "target_weight": 225, "target_date": "2036-06-01", "program_id": 1}},
	{"set_goal", map[string]any{"exercise": "Back Squat", "clear": true, "program_id": 1}},
	{"block_progress", map[string]any{"program_id": 1}},
	{"search", map[string]any{"query": "block"}},
	{"fetch", map[string]any{"id": "workout:1"}},
	{"import_health", map[string]any{"file_name": "scale.csv", "source": "Body+", "file": "measured_at,metric,value,unit\n2026-03-01T07:00:00Z,bodyweight,180.2,lb\n2026-03-01T07:00:00Z,body_fat_percent,27.9,%"}},
	{"import_health", map[string]any{"file_name": "scale.json", "file": "[]", "dry_run": true}},
	{"add_health_reading", map[string]any{"metric": "body_fat_percent", "value": "21.5", "unit": "%", "source": "calipers", "measured_at": "2026-03-01T08:00:00Z"}},
	{"health_readings", map[string]any{"detail": "rows"}},
	{"bodyweight_trend", map[string]any{"from": "2026-02-01", "to": "2026-03-31"}},
	{"body_composition", map[string]any{"from": "2026-02-01", "to": "2026-03-31"}},
	{"undo_health_import", map[string]any{"import_id": 2}},
	{"preview_history_import", map[string]any{"file_name": "strong.csv", "unit": "kg", "file": strongFile}},
	{"import_history", map[string]any{"file_name": "strong.csv", "unit": "kg", "file": strongFile, "names": []map[string]any{{"from": "Landmine Twist", "to": ""}}}},
	{"undo_history_import", map[string]any{"history_import_id": 1}},
	{"delete_program_lift", map[string]any{"program_lift_id": 7}},
	{"save_program_lift", map[string]any{"program_lift_id": 8, "reps": 8, "reps_to": 12, "rest_seconds": 90}},
	{"add_lift_row", map[string]any{"program_day_id": 2, "exercise": "Back Extension", "sets": 3, "reps": 10, "top_weight": 25, "reps_to": 15}},
	{"preview_program_week", map[string]any{"program_id": 1, "week": 3}},
	{"update_program", map[string]any{"program_id": 1, "preferred_reps": nil, "notes": "before the holidays"}},
	{"update_program_week", map[string]any{"program_id": 1, "week": 3, "is_deload": true}},
	{"export_program", map[string]any{"program_id": 1}},
	{"import_program", map[string]any{"document": `{"name": "Twice", "weeks": [{"days": [{"weekday": 1}]}]}`, "start_date": "2026-07-06"}},
	{"delete_program_day", map[string]any{"program_day_id": 7}},
	{"delete_program_week", map[string]any{"program_id": 2, "week": 2}},
	{"archive_program", map[string]any{"program_id": 2}},
	{"delete_program", map[string]any{"program_id": 2}},
	{"seed_program", nil},
	{"save_rack", map[string]any{"bar_weight": 35, "plates": []map[string]any{{"plate": "45", "pairs": 2}, {"plate": "2.5", "pairs": 1}}}},
	{"save_training_settings", map[string]any{"display_unit": "kg"}},
	{"list_workouts", map[string]any{"status": "performed"}},
}

func tools(t *testing.T) []*contract.Tool {
	t.Helper()
	var all []*contract.Tool
	for _, p := range app.Catalog() {
		r, err := app.Registry(p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Tools()...)
	}
	return all
}

func TestEveryToolHasAnExample(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{}
	for _, s := range steps {
		shown[s.tool] = true
	}
	for _, tool := range tools(t) {
		if !shown[tool.Name] {
			t.Errorf("%s has no example in this suite", tool.Name)
		}
	}
}
