package tools

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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
}

func lift(r store.LiftsRow) Lift {
	return Lift{
		ID: r.ID, Position: r.Position, Exercise: r.Exercise, ExerciseID: r.ExerciseID, Sets: r.Sets, Measure: r.Measure, Reps: r.Reps,
		DurationSeconds: r.DurationSeconds, IsWeighted: r.IsWeighted, IsPerSide: r.IsPerSide, TopWeight: r.TopWeight, PercentOfMax: r.PercentOfMax,
		Progression: r.Progression, StepUp: r.StepUp, StepDown: r.StepDown, StartsHere: r.StartsHere, IsBarbell: r.IsBarbell, IsMain: r.IsMain, Note: r.Note,
	}
}

func summary(r store.ProgramRow, weeks []int, today dbtype.Date) ProgramSummary {
	p := ProgramSummary{
		ID: r.ID, Name: r.Name, Block: r.Block, StartDate: r.StartDate, WeekCount: int64(len(weeks)),
		PreferredReps: r.PreferredReps, IsAscending: r.IsAscending, Notes: r.Notes, Provenance: Provenance{CreatedBy: r.ClientName, CreatedAt: r.CreatedAt},
	}
	p.CurrentWeek = store.Optional(strength.WeekOn(store.Day(r.StartDate), store.Day(today), weeks))
	return p
}

// readProgram returns a block in full; a block of another workspace is
// missing.
func readProgram(ctx context.Context, tx *db.Tx, who contract.Caller, id int64) (Program, error) {
	q := store.New(tx)
	row, err := q.Program(ctx, who.Workspace, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Program{}, missing("program", id)
	}
	if err != nil {
		return Program{}, fmt.Errorf("read block %d: %w", id, err)
	}
	weeks, err := q.Weeks(ctx, who.Workspace, id)
	if err != nil {
		return Program{}, fmt.Errorf("read the weeks of block %d: %w", id, err)
	}
	days, err := q.Days(ctx, who.Workspace, id)
	if err != nil {
		return Program{}, fmt.Errorf("read the days of block %d: %w", id, err)
	}
	lifts, err := q.Lifts(ctx, who.Workspace, id)
	if err != nil {
		return Program{}, fmt.Errorf("read the lifts of block %d: %w", id, err)
	}
	numbers := make([]int, len(weeks))
	for i, w := range weeks {
		numbers[i] = int(w.Number)
	}
	return Program{
		ProgramSummary: summary(row, numbers, who.Today(tx.Now())),
		Weeks:          weekTree(store.Day(row.StartDate), weeks, dayTree(days, lifts)),
	}, nil
}

// dayTree hangs the lifts on their days, by week id.
func dayTree(days []store.DaysRow, lifts []store.LiftsRow) map[int64][]Day {
	byDay := map[int64][]Lift{}
	for _, l := range lifts {
		byDay[l.ProgramDayID] = append(byDay[l.ProgramDayID], lift(l))
	}
	byWeek := map[int64][]Day{}
	for _, d := range days {
		own := byDay[d.ID]
		if own == nil {
			own = []Lift{}
		}
		byWeek[d.ProgramWeekID] = append(byWeek[d.ProgramWeekID], Day{
			ID: d.ID, Weekday: d.Weekday, WeekdayName: time.Weekday(d.Weekday).String(), Focus: d.Focus, WorkoutID: d.WorkoutID, Lifts: own,
		})
	}
	return byWeek
}

// weekTree hangs the days on their weeks and works out the dates.
func weekTree(start time.Time, weeks []store.WeeksRow, days map[int64][]Day) []Week {
	tree := make([]Week, len(weeks))
	for i, w := range weeks {
		own := days[w.ID]
		if own == nil {
			own = []Day{}
		}
		for j := range own {
			own[j].Date = store.Date(strength.DateOf(start, int(w.Number), int(own[j].Weekday)))
		}
		tree[i] = Week{
			ID: w.ID, Number: w.Number, IsDeload: w.IsDeload, Notes: w.Notes,
			StartDate: store.Date(strength.WeekStart(start, int(w.Number))), Days: own,
		}
	}
	return tree
}
