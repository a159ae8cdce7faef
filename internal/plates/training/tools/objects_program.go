package tools

import (
	"context"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// ProgramSummary is a block without its weeks.
type ProgramSummary struct {
	ID            int64       `json:"id"`
	Name          string      `json:"name"`
	Block         *int64      `json:"block"`
	StartDate     dbtype.Date `json:"start_date"`
	WeekCount     int64       `json:"week_count"`
	CurrentWeek   *int64      `json:"current_week"`
	PreferredReps *int64      `json:"preferred_reps"`
	IsAscending   bool        `json:"is_ascending"`
	Notes         *string     `json:"notes"`
	Provenance
}

// Program is a block with everything that is written in it.
type Program struct {
	ProgramSummary
	Weeks []Week `json:"weeks"`
}

// Week is one week of a block.
type Week struct {
	ID        int64       `json:"id"`
	Number    int64       `json:"number"`
	IsDeload  bool        `json:"is_deload"`
	Notes     *string     `json:"notes"`
	StartDate dbtype.Date `json:"start_date"`
	Days      []Day       `json:"days"`
}

// Day is one training day with the date it falls on and the workout that it
// has produced.
type Day struct {
	ID          int64       `json:"id"`
	Weekday     int64       `json:"weekday"`
	WeekdayName string      `json:"weekday_name"`
	Focus       *string     `json:"focus"`
	Date        dbtype.Date `json:"date"`
	WorkoutID   *int64      `json:"workout_id"`
	Lifts       []Lift      `json:"lifts"`
}

// Lift is one prescription.
type Lift struct {
	ID              int64   `json:"id"`
	Position        int64   `json:"position"`
	Exercise        string  `json:"exercise"`
	ExerciseID      int64   `json:"exercise_id"`
	Sets            int64   `json:"sets"`
	Measure         string  `json:"measure" enum:"reps,time"`
	Reps            *int64  `json:"reps"`
	DurationSeconds *int64  `json:"duration_seconds"`
	IsWeighted      bool    `json:"is_weighted"`
	IsPerSide       bool    `json:"is_per_side"`
	TopWeight       *int64  `json:"top_weight"`
	PercentOfMax    *int64  `json:"percent_of_max"`
	Progression     *string `json:"progression" enum:"fixed,linear,strikes,percent"`
	StepUp          *int64  `json:"step_up"`
	StepDown        *int64  `json:"step_down"`
	StartsHere      bool    `json:"starts_here"`
	IsBarbell       bool    `json:"is_barbell"`
	IsMain          bool    `json:"is_main"`
	Note            *string `json:"note"`
	LiftExtras
}

// LiftExtras are what a lift says for the pages only: the published object
// does not carry them.
type LiftExtras struct {
	RepsTo            *int64 `json:"-"` // a linear lift adds reps up to here before pounds
	RestSeconds       *int64 `json:"-"` // after a working set
	WarmupRestSeconds *int64 `json:"-"` // after a warm-up
}

func lift(r store.LiftsRow) Lift {
	return Lift{
		ID: r.ID, Position: r.Position, Exercise: r.Exercise, ExerciseID: r.ExerciseID, Sets: r.Sets, Measure: r.Measure, Reps: r.Reps,
		DurationSeconds: r.DurationSeconds, IsWeighted: r.IsWeighted, IsPerSide: r.IsPerSide, TopWeight: r.TopWeight, PercentOfMax: r.PercentOfMax,
		Progression: r.Progression, StepUp: r.StepUp, StepDown: r.StepDown, StartsHere: r.StartsHere, IsBarbell: r.IsBarbell, IsMain: r.IsMain, Note: r.Note,
		LiftExtras: LiftExtras{RepsTo: r.RepsTo, RestSeconds: r.RestSeconds, WarmupRestSeconds: r.WarmupRestSeconds},
	}
}

func summary(r store.ProgramRow, weeks []int, today dbtype.Date) ProgramSummary {
	return ProgramSummary{
		ID: r.ID, Name: r.Name, Block: r.Block, StartDate: r.StartDate, WeekCount: int64(len(weeks)),
		CurrentWeek:   store.Optional(strength.WeekOn(store.Day(r.StartDate), store.Day(today), weeks)),
		PreferredReps: r.PreferredReps, IsAscending: r.IsAscending, Notes: r.Notes,
		Provenance: Provenance{CreatedBy: r.ClientName, CreatedAt: r.CreatedAt},
	}
}

// ReadProgram returns a block in full; a block of another workspace is
// missing. Pages that read more beside the block call it in their reading.
func ReadProgram(ctx context.Context, tx *db.Tx, who contract.Caller, id int64) (Program, error) {
	b, found, err := store.BlockByID(ctx, tx, who.Workspace, id)
	if err != nil {
		return Program{}, err
	}
	if !found {
		return Program{}, missing("program", id)
	}
	p := Program{ProgramSummary: summary(b.ProgramRow, b.Numbers(), who.Today(tx.Now())), Weeks: []Week{}}
	for _, w := range b.Weeks {
		p.Weeks = append(p.Weeks, week(w, store.Day(b.StartDate)))
	}
	return p, nil
}

// week works out the dates of a week from the block's first day.
func week(w store.BlockWeek, start time.Time) Week {
	out := Week{
		ID: w.ID, Number: w.Number, IsDeload: w.IsDeload, Notes: w.Notes,
		StartDate: store.Date(strength.WeekStart(start, int(w.Number))), Days: []Day{},
	}
	for _, d := range w.Days {
		out.Days = append(out.Days, day(d, store.Date(strength.DateOf(start, int(w.Number), int(d.Weekday)))))
	}
	return out
}

func day(d store.BlockDay, date dbtype.Date) Day {
	out := Day{
		ID: d.ID, Weekday: d.Weekday, WeekdayName: time.Weekday(d.Weekday).String(),
		Focus: d.Focus, Date: date, WorkoutID: d.WorkoutID, Lifts: []Lift{},
	}
	for _, l := range d.Lifts {
		out.Lifts = append(out.Lifts, lift(l))
	}
	return out
}
