package tools

import (
	"context"
	"fmt"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// PreviewProgramWeekIn names a block and a week of it, the one that today
// falls in when there is none.
type PreviewProgramWeekIn struct {
	ProgramID int64  `json:"program_id"`
	Week      *int64 `json:"week"`
}

// PreviewProgramWeekOut is what scheduling the week would write.
type PreviewProgramWeekOut struct {
	ProgramID int64        `json:"program_id"`
	Week      int64        `json:"week"`
	IsDeload  bool         `json:"is_deload"`
	Days      []PreviewDay `json:"days"`
}

// PreviewDay is a training day with what it would write. One that has its
// workout would write nothing.
type PreviewDay struct {
	ProgramDayID int64         `json:"program_day_id"`
	WeekdayName  string        `json:"weekday_name"`
	Focus        *string       `json:"focus"`
	Date         dbtype.Date   `json:"date"`
	WorkoutID    *int64        `json:"workout_id"`
	Lifts        []PreviewLift `json:"lifts"`
}

// PreviewLift is what a lift would write, and why.
type PreviewLift struct {
	ProgramLiftID int64        `json:"program_lift_id"`
	Exercise      string       `json:"exercise"`
	Reason        string       `json:"reason"`
	Sets          []PreviewSet `json:"sets"`
}

// PreviewSet is a set as it would be written.
type PreviewSet struct {
	Weight          *int64 `json:"weight"`
	Reps            *int64 `json:"reps"`
	DurationSeconds *int64 `json:"duration_seconds"`
	IsWarmup        bool   `json:"is_warmup"`
	IsPerSide       bool   `json:"is_per_side"`
	IsBarbell       bool   `json:"is_barbell"`
}

// PreviewProgramWeek shows what scheduling a week would write.
func PreviewProgramWeek() contract.Tool {
	return contract.New(contract.Spec{
		Name: "preview_program_week", Title: "Preview a week", Scope: "read", Surfaces: pagesOnly,
		Says:     "Show the exact sets that scheduling a week would write now, warm-ups included, with the reason for every load, without writing anything. week defaults to the one today falls in. A day that has its session already would write nothing.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeNotFound, fault.CodeRefused},
		Why:    "Reads only.", Narrow: "Preview a week with fewer lifts.",
	}, previewProgramWeek)
}

func previewProgramWeek(ctx context.Context, tx *db.Tx, who contract.Caller, in PreviewProgramWeekIn) (contract.Answer[PreviewProgramWeekOut], error) {
	var none contract.Answer[PreviewProgramWeekOut]
	p, err := ReadProgram(ctx, tx, who, in.ProgramID)
	if err != nil {
		return none, err
	}
	week, err := pickWeek(p, in.Week)
	if err != nil {
		return none, err
	}
	out, err := ReadPreview(ctx, tx, who, p, week)
	if err != nil {
		return none, err
	}
	return contract.Answer[PreviewProgramWeekOut]{Out: out, Text: out.text(p.Name)}, nil
}

// ReadPreview works out what scheduling a week would write, by the generator
// that writes it. Pages that read more beside the preview call it in their
// reading.
func ReadPreview(ctx context.Context, tx *db.Tx, who contract.Caller, p Program, week Week) (PreviewProgramWeekOut, error) {
	out := PreviewProgramWeekOut{ProgramID: p.ID, Week: week.Number, IsDeload: week.IsDeload, Days: []PreviewDay{}}
	g, err := generatorFor(ctx, tx, who, p, week)
	if err != nil {
		return out, err
	}
	for _, d := range week.Days {
		day := PreviewDay{ProgramDayID: d.ID, WeekdayName: d.WeekdayName, Focus: d.Focus, Date: d.Date, WorkoutID: d.WorkoutID, Lifts: []PreviewLift{}}
		if d.WorkoutID == nil {
			written, err := g.lifts(ctx, d)
			if err != nil {
				return out, err
			}
			for i, l := range written {
				day.Lifts = append(day.Lifts, previewLift(d.Lifts[i].Exercise, l))
			}
		}
		out.Days = append(out.Days, day)
	}
	return out, nil
}

func previewLift(exercise string, l store.WrittenLift) PreviewLift {
	out := PreviewLift{ProgramLiftID: l.Lift, Exercise: exercise, Reason: l.Generated.Reason, Sets: []PreviewSet{}}
	add := func(sets []strength.Set, warmup bool) {
		for _, s := range sets {
			out.Sets = append(out.Sets, PreviewSet{
				Weight: store.Optional(s.Weight), Reps: store.Optional(s.Reps), DurationSeconds: store.Optional(s.Seconds),
				IsWarmup: warmup, IsPerSide: l.PerSide, IsBarbell: l.Barbell,
			})
		}
	}
	add(l.Generated.Warmups, true)
	add(l.Generated.Working, false)
	return out
}

func (out PreviewProgramWeekOut) text(block string) string {
	lines := []string{fmt.Sprintf("Week %d of %s would be written as follows.", out.Week, block)}
	if len(out.Days) == 0 {
		lines = []string{fmt.Sprintf("Week %d of %s has no training days, so nothing would be written.", out.Week, block)}
	}
	for _, d := range out.Days {
		day := store.Day(d.Date).Format("Mon Jan 2")
		if d.WorkoutID != nil {
			lines = append(lines, fmt.Sprintf("%s: already there (workout %d).", day, *d.WorkoutID))
			continue
		}
		lines = append(lines, day+":")
		for _, l := range d.Lifts {
			lines = append(lines, fmt.Sprintf("  %s %s. %s", l.Exercise, l.labels(), l.Reason))
		}
	}
	return strings.Join(lines, "\n")
}

// labels tells the working sets: "150x3 155x3 160x3".
func (l PreviewLift) labels() string {
	var words []string
	for _, s := range l.Sets {
		if !s.IsWarmup {
			words = append(words, strength.SetLabel(s.Set(), s.IsPerSide))
		}
	}
	return strings.Join(words, " ")
}

// Set returns the numbers of the set.
func (s PreviewSet) Set() strength.Set {
	return strength.Set{Weight: store.Number(s.Weight), Reps: store.Number(s.Reps), Seconds: store.Number(s.DurationSeconds)}
}
