package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"tectonic/internal/bedrock/fault"
)

// ProgramDocument is a block as one JSON document. It is what create_program
// takes, with nothing left to be worked out; a lift that starts anew, climbs
// through a range of reps or names its rests adds starts_here, reps_to,
// rest_seconds and warmup_rest_seconds, which only import_program reads.
type ProgramDocument struct {
	Name          string         `json:"name"`
	Block         *int64         `json:"block,omitempty"`
	StartDate     *string        `json:"start_date,omitempty"`
	Notes         *string        `json:"notes,omitempty"`
	PreferredReps *int64         `json:"preferred_reps,omitempty"`
	IsAscending   *bool          `json:"is_ascending,omitempty"`
	Weeks         []DocumentWeek `json:"weeks"`
}

// DocumentWeek is a week of a ProgramDocument.
type DocumentWeek struct {
	Number   *int64        `json:"number,omitempty"`
	IsDeload bool          `json:"is_deload,omitempty"`
	Notes    *string       `json:"notes,omitempty"`
	Days     []DocumentDay `json:"days,omitempty"`
}

// DocumentDay is a training day of a ProgramDocument.
type DocumentDay struct {
	Weekday int64          `json:"weekday"`
	Focus   *string        `json:"focus,omitempty"`
	Lifts   []DocumentLift `json:"lifts,omitempty"`
}

// DocumentLift is a lift of a ProgramDocument.
type DocumentLift struct {
	Exercise          string  `json:"exercise"`
	Sets              int64   `json:"sets"`
	Reps              *int64  `json:"reps,omitempty"`
	DurationSeconds   *int64  `json:"duration_seconds,omitempty"`
	TopWeight         *int64  `json:"top_weight,omitempty"`
	PercentOfMax      *int64  `json:"percent_of_max,omitempty"`
	IsWeighted        *bool   `json:"is_weighted,omitempty"`
	Measure           *string `json:"measure,omitempty"`
	IsPerSide         *bool   `json:"is_per_side,omitempty"`
	IsMain            bool    `json:"is_main,omitempty"`
	IsBarbell         *bool   `json:"is_barbell,omitempty"`
	Progression       *string `json:"progression,omitempty"`
	StepUp            *int64  `json:"step_up,omitempty"`
	StepDown          *int64  `json:"step_down,omitempty"`
	Note              *string `json:"note,omitempty"`
	StartsHere        bool    `json:"starts_here,omitempty"`
	RepsTo            *int64  `json:"reps_to,omitempty"`
	RestSeconds       *int64  `json:"rest_seconds,omitempty"`
	WarmupRestSeconds *int64  `json:"warmup_rest_seconds,omitempty"`
}

// document writes a block down.
func document(p Program) ProgramDocument {
	start := string(p.StartDate)
	doc := ProgramDocument{
		Name: p.Name, Block: p.Block, StartDate: &start, Notes: p.Notes, PreferredReps: p.PreferredReps, IsAscending: &p.IsAscending,
		Weeks: []DocumentWeek{}, // never null
	}
	for _, w := range p.Weeks {
		week := DocumentWeek{Number: &w.Number, IsDeload: w.IsDeload, Notes: w.Notes}
		for _, d := range w.Days {
			day := DocumentDay{Weekday: d.Weekday, Focus: d.Focus}
			for _, l := range d.Lifts {
				day.Lifts = append(day.Lifts, documentLift(l))
			}
			week.Days = append(week.Days, day)
		}
		doc.Weeks = append(doc.Weeks, week)
	}
	return doc
}

func documentLift(l Lift) DocumentLift {
	return DocumentLift{
		Exercise: l.Exercise, Sets: l.Sets, Reps: l.Reps, DurationSeconds: l.DurationSeconds, TopWeight: l.TopWeight, PercentOfMax: l.PercentOfMax,
		IsWeighted: &l.IsWeighted, Measure: &l.Measure, IsPerSide: &l.IsPerSide, IsMain: l.IsMain, IsBarbell: &l.IsBarbell,
		Progression: l.Progression, StepUp: l.StepUp, StepDown: l.StepDown, Note: l.Note, StartsHere: l.StartsHere,
		RepsTo: l.RepsTo, RestSeconds: l.RestSeconds, WarmupRestSeconds: l.WarmupRestSeconds,
	}
}

// readDocument reads a block that was written down. It takes no member that it
// would have to ignore.
func readDocument(text string) (ProgramDocument, error) {
	var doc ProgramDocument
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&doc)
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the block")
		}
	}
	if err != nil {
		return doc, fault.BadArgument("This could not be read as a block: %s.", err).At("document").Next("Use a file that Share wrote.")
	}
	return doc, nil
}

// input returns what writes the block again.
func (doc ProgramDocument) input() CreateProgramIn {
	in := CreateProgramIn{
		Name: doc.Name, Block: doc.Block, StartDate: doc.StartDate, Notes: doc.Notes, PreferredReps: doc.PreferredReps, IsAscending: doc.IsAscending,
	}
	for _, w := range doc.Weeks {
		week := WeekInput{Number: w.Number, IsDeload: w.IsDeload, Notes: w.Notes}
		for _, d := range w.Days {
			day := DayInput{Weekday: d.Weekday, Focus: d.Focus}
			for _, l := range d.Lifts {
				day.Lifts = append(day.Lifts, l.input())
			}
			week.Days = append(week.Days, day)
		}
		in.Weeks = append(in.Weeks, week)
	}
	return in
}

func (l DocumentLift) input() LiftInput {
	return LiftInput{
		Exercise: l.Exercise, Sets: l.Sets, Reps: l.Reps, DurationSeconds: l.DurationSeconds, TopWeight: l.TopWeight, PercentOfMax: l.PercentOfMax,
		IsWeighted: l.IsWeighted, Measure: l.Measure, IsPerSide: l.IsPerSide, IsMain: l.IsMain, IsBarbell: l.IsBarbell,
		Progression: l.Progression, StepUp: l.StepUp, StepDown: l.StepDown, Note: l.Note, StartsHere: l.StartsHere,
		LiftExtras: LiftExtras{RepsTo: l.RepsTo, RestSeconds: l.RestSeconds, WarmupRestSeconds: l.WarmupRestSeconds},
	}
}

// check refuses values that the arguments of create_program cannot hold.
func (doc ProgramDocument) check() error {
	for i, w := range doc.Weeks {
		for j, d := range w.Days {
			for k, l := range d.Lifts {
				if err := l.check(); err != nil {
					return inside(inside(inside(err, "lifts", k), "days", j), "weeks", i)
				}
			}
		}
	}
	return nil
}

func (l DocumentLift) check() error {
	if m := valueOr(l.Measure, "reps"); m != "reps" && m != "time" {
		return fault.BadArgument("Measure \"%s\" is not one of reps or time.", m).At("measure")
	}
	switch p := valueOr(l.Progression, "linear"); p {
	case "fixed", "linear", "strikes", "percent":
		return nil
	default:
		return fault.BadArgument("Progression \"%s\" is not one of fixed, linear, strikes or percent.", p).At("progression")
	}
}
