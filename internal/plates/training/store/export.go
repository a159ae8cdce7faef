package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/id"
)

// ExportedTable is a table of an export: rows of one workspace in the order of
// their ids. Columns are named in it for ever; new ones come at the end.
type ExportedTable struct {
	Name    string
	columns string // "name:kind" by blanks; a kind is text, int, bool, day or instant
	from    string // what stands behind SELECT columns; $1 is the workspace
}

// ExportedTables returns the tables of an export in their order. Weights are
// whole pounds, but for readings, which keep the unit and the text that they
// were measured in.
func ExportedTables() []ExportedTable {
	return []ExportedTable{
		{"settings", "bar_weight:int display_unit:text", "FROM training_settings AS x WHERE x.workspace_id = $1"},
		{"plates", "denomination_hundredths:int pairs:int", "FROM training_plates AS x WHERE x.workspace_id = $1 ORDER BY x.id"},
		{"exercises", "id:int name:text icon_url:text is_barbell:bool default_measure:text default_is_per_side:bool default_is_weighted:bool created_at:instant", "FROM training_exercises AS x WHERE x.workspace_id = $1 ORDER BY x.id"},
		{"blocks", "id:int name:text block:int start_date:day notes:text preferred_reps:int is_ascending:bool created_at:instant archived_at:instant", "FROM training_programs AS x WHERE x.workspace_id = $1 ORDER BY x.id"},
		{"weeks", "id:int program_id:int number:int is_deload:bool notes:text", "FROM training_program_weeks AS x WHERE x.workspace_id = $1 ORDER BY x.id"},
		{"days", "id:int program_week_id:int weekday:int focus:text", "FROM training_program_days AS x WHERE x.workspace_id = $1 ORDER BY x.id"},
		{"lifts", "id:int program_day_id:int e.name:text position:int sets:int measure:text reps:int duration_seconds:int is_weighted:bool top_weight:int percent_of_max:int progression:text step_up:int step_down:int starts_here:bool is_per_side:bool is_barbell:bool is_main:bool note:text reps_to:int rest_seconds:int warmup_rest_seconds:int", "FROM training_program_lifts AS x JOIN training_exercises AS e ON e.id = x.exercise_id WHERE x.workspace_id = $1 ORDER BY x.id"},
		{"workouts", "id:int date:day rpe:int notes:text program_day_id:int created_at:instant", "FROM training_workouts AS x WHERE x.workspace_id = $1 ORDER BY x.id"},
		{"sets", "id:int workout_id:int w.date:day e.name:text position:int measure:text weight:int reps:int duration_seconds:int planned_weight:int planned_reps:int planned_duration_seconds:int is_per_side:bool is_warmup:bool is_completed:bool is_barbell:bool rpe:int note:text plan_reason:text completed_at:instant program_lift_id:int", "FROM training_sets AS x JOIN training_workouts AS w ON w.id = x.workout_id AND w.workspace_id = x.workspace_id JOIN training_exercises AS e ON e.id = x.exercise_id WHERE x.workspace_id = $1 ORDER BY x.id"},
		{"goals", "id:int e.name:text program_id:int target_weight:int target_reps:int target_date:day note:text superseded_at:instant created_at:instant", "FROM training_goals AS x JOIN training_exercises AS e ON e.id = x.exercise_id WHERE x.workspace_id = $1 ORDER BY x.id"},
		{"readings", "measured_at:instant metric:text value_text:text unit:text s.name:text s.kind:text", "FROM training_health_readings AS x JOIN training_health_sources AS s ON s.id = x.source_id AND s.workspace_id = x.workspace_id WHERE x.workspace_id = $1 ORDER BY x.id"},
		{"imports", "id:int format:text file_name:text workouts:int added:int already_there:int left_out:int rejected:int finished_at:instant undone_at:instant created_at:instant", "FROM training_history_imports AS x WHERE x.workspace_id = $1 ORDER BY x.id"},
	}
}

// published are the names of columns that a table has from another one, or
// under another name.
var published = map[string]string{"e.name": "exercise", "w.date": "date", "s.name": "source", "s.kind": "source_kind", "value_text": "value", "program_id": "block_id", "program_week_id": "week_id", "program_day_id": "day_id", "program_lift_id": "lift_id"}

// Columns returns the names of the columns.
func (t ExportedTable) Columns() []string {
	fields := strings.Fields(t.columns)
	names := make([]string, len(fields))
	for i, f := range fields {
		name, _, _ := strings.Cut(f, ":")
		if names[i] = name; published[name] != "" {
			names[i] = published[name]
		}
	}
	return names
}

// Each calls fn with every row of the workspace. A value is nil, a string, an
// int64 or a bool; a day is YYYY-MM-DD and an instant RFC 3339. The slice is
// used again.
func (t ExportedTable) Each(ctx context.Context, tx *db.Tx, ws id.WorkspaceID, fn func([]any) error) error {
	fields := strings.Fields(t.columns)
	columns, cells := make([]string, len(fields)), make([]any, len(fields))
	for i, f := range fields {
		name, kind, _ := strings.Cut(f, ":")
		if columns[i] = name; !strings.Contains(name, ".") {
			columns[i] = "x." + name
		}
		cells[i] = cell(kind)
	}
	rows, err := tx.QueryContext(ctx, "SELECT "+strings.Join(columns, ", ")+" "+t.from, ws)
	if err != nil {
		return fmt.Errorf("export %s: %w", t.Name, err)
	}
	defer rows.Close()
	row := make([]any, len(cells))
	for rows.Next() {
		if err := rows.Scan(cells...); err != nil {
			return fmt.Errorf("export %s: %w", t.Name, err)
		}
		for i, c := range cells {
			row[i] = value(c)
		}
		if err := fn(row); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("export %s: %w", t.Name, err)
	}
	return nil
}

// cell is what a value of the kind is read into.
func cell(kind string) any {
	switch kind {
	case "int":
		return new(sql.NullInt64)
	case "bool":
		return new(sql.NullBool)
	case "day":
		return new(dbtype.Date)
	case "instant":
		return new(dbtype.Time)
	}
	return new(sql.NullString)
}

// value is what a cell holds, nil for NULL.
func value(c any) any {
	switch c := c.(type) {
	case *sql.NullInt64:
		if c.Valid {
			return c.Int64
		}
	case *sql.NullBool:
		if c.Valid {
			return c.Bool
		}
	case *sql.NullString:
		if c.Valid {
			return c.String
		}
	case *dbtype.Date:
		if *c != "" {
			return string(*c)
		}
	case *dbtype.Time:
		if !c.IsZero() {
			return c.String()
		}
	}
	return nil
}
