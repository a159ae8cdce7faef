package tools

import (
	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// Provenance says who made a row: the name of a connected client, nil for a
// person.
type Provenance struct {
	CreatedBy *string     `json:"created_by"`
	CreatedAt dbtype.Time `json:"created_at"`
}

// Exercise is a movement.
type Exercise struct {
	ID               int64   `json:"id"`
	Name             string  `json:"name"`
	Library          bool    `json:"library"`
	IsBarbell        bool    `json:"is_barbell"`
	DefaultMeasure   string  `json:"default_measure" enum:"reps,time"`
	DefaultIsPerSide bool    `json:"default_is_per_side"`
	DefaultWeighted  bool    `json:"default_is_weighted"`
	IconURL          *string `json:"icon_url"`
	Provenance
}

func exercise(r store.ExerciseRow) Exercise {
	return Exercise{
		ID: r.ID, Name: r.Name, Library: r.Library(), IsBarbell: r.IsBarbell, DefaultMeasure: r.DefaultMeasure,
		DefaultIsPerSide: r.DefaultIsPerSide, DefaultWeighted: r.DefaultIsWeighted, IconURL: r.IconUrl,
		Provenance: Provenance{CreatedBy: r.ClientName, CreatedAt: r.CreatedAt},
	}
}

// Workout is a training day with its counts.
type Workout struct {
	ID            int64       `json:"id"`
	Date          dbtype.Date `json:"date"`
	Status        string      `json:"status" enum:"performed,planned,skipped"`
	Sets          int64       `json:"sets"`
	CompletedSets int64       `json:"completed_sets"`
	RPE           *int64      `json:"rpe"`
	Notes         *string     `json:"notes"`
	ProgramDayID  *int64      `json:"program_day_id"`
	Focus         *string     `json:"focus"`
	Provenance
}

func workout(r store.WorkoutRow, today dbtype.Date) Workout {
	return Workout{
		ID: r.ID, Date: r.Date, Status: string(r.Status(store.Day(today))), Sets: r.Sets, CompletedSets: r.CompletedSets,
		RPE: r.Rpe, Notes: r.Notes, ProgramDayID: r.ProgramDayID, Focus: r.Focus,
		Provenance: Provenance{CreatedBy: r.ClientName, CreatedAt: r.CreatedAt},
	}
}

// Set is one set as it stands: what was planned and what was done.
type Set struct {
	ID                     int64       `json:"id"`
	WorkoutID              int64       `json:"workout_id"`
	Date                   dbtype.Date `json:"date"`
	Position               int64       `json:"position"`
	Exercise               string      `json:"exercise"`
	ExerciseID             int64       `json:"exercise_id"`
	Measure                string      `json:"measure" enum:"reps,time"`
	Weight                 *int64      `json:"weight"`
	Reps                   *int64      `json:"reps"`
	DurationSeconds        *int64      `json:"duration_seconds"`
	IsPerSide              bool        `json:"is_per_side"`
	PlannedWeight          *int64      `json:"planned_weight"`
	PlannedReps            *int64      `json:"planned_reps"`
	PlannedDurationSeconds *int64      `json:"planned_duration_seconds"`
	RPE                    *int64      `json:"rpe"`
	IsWarmup               bool        `json:"is_warmup"`
	IsCompleted            bool        `json:"is_completed"`
	IsBarbell              bool        `json:"is_barbell"`
	PerSidePlates          *string     `json:"per_side_plates"`
	PlanReason             *string     `json:"plan_reason"`
	Note                   *string     `json:"note"`
	ProgramLiftID          *int64      `json:"program_lift_id"`
	Provenance
}

func set(r store.SetRow, rack strength.Rack) Set {
	return Set{
		ID: r.ID, WorkoutID: r.WorkoutID, Date: r.Date, Position: r.Position, Exercise: r.Exercise, ExerciseID: r.ExerciseID,
		Measure: r.Measure, Weight: r.Weight, Reps: r.Reps, DurationSeconds: r.DurationSeconds, IsPerSide: r.IsPerSide,
		PlannedWeight: r.PlannedWeight, PlannedReps: r.PlannedReps, PlannedDurationSeconds: r.PlannedDurationSeconds,
		RPE: r.Rpe, IsWarmup: r.IsWarmup, IsCompleted: r.IsCompleted, IsBarbell: r.IsBarbell, PerSidePlates: platesOf(r, rack),
		PlanReason: r.PlanReason, Note: r.Note, ProgramLiftID: r.ProgramLiftID,
		Provenance: Provenance{CreatedBy: r.ClientName, CreatedAt: r.CreatedAt},
	}
}

// platesOf returns the plates of one side, nil off the bar or when the rack
// cannot hold the load.
func platesOf(r store.SetRow, rack strength.Rack) *string {
	if !r.IsBarbell || r.Weight == nil {
		return nil
	}
	label := rack.Label(int(*r.Weight))
	if label == "" {
		return nil
	}
	return &label
}

// change notes a value that moved; the same value is not a change.
func change[T comparable](into contract.Changed, name string, from, to *T) {
	if from == nil && to == nil || from != nil && to != nil && *from == *to {
		return
	}
	into[name] = contract.Change{From: plain(from), To: plain(to)}
}

func plain[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}
