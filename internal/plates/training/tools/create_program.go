package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// CreateProgramIn is a whole block to write.
type CreateProgramIn struct {
	Name          string      `json:"name"`
	Weeks         []WeekInput `json:"weeks"`
	Block         *int64      `json:"block"`
	StartDate     *string     `json:"start_date" doc:"'today' or YYYY-MM-DD"`
	Notes         *string     `json:"notes"`
	PreferredReps *int64      `json:"preferred_reps"`
	IsAscending   *bool       `json:"is_ascending"` // absent = true
}

// WeekInput is a week to write; it is numbered by its place unless it says
// otherwise.
type WeekInput struct {
	Number   *int64     `json:"number"`
	IsDeload bool       `json:"is_deload,omitempty"`
	Notes    *string    `json:"notes"`
	Days     []DayInput `json:"days,omitempty"`
}

// DayInput is a training day to write.
type DayInput struct {
	Weekday int64       `json:"weekday"`
	Focus   *string     `json:"focus"`
	Lifts   []LiftInput `json:"lifts,omitempty"`
}

// CreateProgram writes a block in one call.
func CreateProgram() contract.Tool {
	return contract.New(contract.Spec{
		Name: "create_program", Title: "Write a block", Scope: "write",
		Says:     "Write a whole training block in one call: weeks, the days of each (weekday 0 Sunday to 6 Saturday) and the lifts of each day. All of it is written or nothing. Each lift gives top_weight in pounds or percent_of_max, or is_weighted false for work with no external load; reps, or duration_seconds for timed work. progression defaults to percent for a percentage and to linear for pounds (up 5 after a met session, down 10 after a short one); fixed holds the load, strikes drops only after two short sessions running. preferred_reps converts main lifts to fewer reps at more weight. start_date defaults to this week's Monday; weeks are numbered by position unless numbered. Returns the block with all ids. Use the add and update tools to revise it, generate_program_week to schedule it.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeRefused},
		Why:    "A second block with the same name and number is refused, so repeating writes nothing more.",
		Narrow: "Write a smaller block and add to it.",
	}, tellingNew(createProgram))
}

func createProgram(ctx context.Context, tx *db.Tx, who contract.Caller, in CreateProgramIn) (contract.Answer[Program], error) {
	var none contract.Answer[Program]
	start, err := in.check(who.Today(tx.Now()))
	if err != nil {
		return none, err
	}
	id, err := insertProgram(ctx, tx, who, in, start)
	if err != nil {
		return none, err
	}
	for i, w := range in.Weeks {
		if err := inputWeek(ctx, tx, who, id, in.number(i), w); err != nil {
			return none, inside(err, "weeks", i)
		}
	}
	p, err := ReadProgram(ctx, tx, who, id)
	if err != nil {
		return none, err
	}
	return contract.Answer[Program]{
		Out: p, Text: fmt.Sprintf("Wrote %s: %d week(s) from %s, %d lift(s).", p.Name, p.WeekCount, p.StartDate, liftCount(p.Weeks)),
		Refs: []string{programRef(id)},
	}, nil
}

// number is that of the week at an index.
func (in CreateProgramIn) number(i int) int64 { return valueOr(in.Weeks[i].Number, int64(i+1)) }

// check refuses what needs no database to be seen and returns the first day.
func (in CreateProgramIn) check(today dbtype.Date) (dbtype.Date, error) {
	err := checkAll(
		checkProgramName(in.Name), inRange(strength.BlockRange, "block", in.Block),
		inRange(strength.PreferredRepsRange, "preferred_reps", in.PreferredReps), tooLong("Notes", "notes", in.Notes, strength.MaxNote),
		in.checkSize(), in.checkNumbers(),
	)
	if err != nil {
		return "", err
	}
	if in.StartDate == nil {
		return store.Date(strength.MondayOf(store.Day(today))), nil
	}
	return readWorkoutDay(*in.StartDate, "start_date", today)
}

func checkProgramName(name string) error {
	switch name = strings.TrimSpace(name); {
	case name == "":
		return fault.BadArgument("A block needs a name.").At("name")
	case utf8.RuneCountInString(name) > strength.MaxName:
		return fault.BadArgument("A block name is too long; use at most %d characters.", strength.MaxName).At("name")
	}
	return nil
}

func (in CreateProgramIn) checkSize() error {
	days, lifts, all := 0, 0, 0
	for _, w := range in.Weeks {
		days = max(days, len(w.Days))
		for _, d := range w.Days {
			lifts, all = max(lifts, len(d.Lifts)), all+len(d.Lifts)
		}
	}
	return tooMany(len(in.Weeks), days, lifts, all)
}

func (in CreateProgramIn) checkNumbers() error {
	seen := map[int64]bool{}
	for i := range in.Weeks {
		number := in.number(i)
		if err := inRange(strength.WeekRange, "number", &number); err != nil {
			return inside(err, "weeks", i)
		}
		if seen[number] {
			return inside(weekTaken(strings.TrimSpace(in.Name), number).At("number"), "weeks", i)
		}
		seen[number] = true
	}
	return nil
}

func insertProgram(ctx context.Context, tx *db.Tx, who contract.Caller, in CreateProgramIn, start dbtype.Date) (int64, error) {
	by := author(who)
	name := strings.Join(strings.Fields(in.Name), " ")
	id, made, err := store.AddBlock(ctx, tx, store.InsertProgramParams{
		WorkspaceID: who.Workspace, Name: name, NameKey: strength.NameKey(name), Block: in.Block, StartDate: start, Notes: blankAsNone(in.Notes),
		PreferredReps: in.PreferredReps, IsAscending: valueOr(in.IsAscending, true),
		CreatedByClientID: by.ClientColumn(), CreatedByAccountID: by.AccountColumn(), CreatedAt: dbtype.At(tx.Now()),
	})
	if err == nil && !made {
		err = blockNameTaken(name, id)
	}
	return id, err
}

// inputWeek writes a week with its days.
func inputWeek(ctx context.Context, tx *db.Tx, who contract.Caller, program, number int64, w WeekInput) error {
	week, err := insertWeek(ctx, tx, who, program, number, w.IsDeload, w.Notes)
	if err != nil {
		return err
	}
	for i, d := range w.Days {
		if _, err := inputDay(ctx, tx, who, week, d); err != nil {
			return inside(err, "days", i)
		}
	}
	return nil
}

func insertWeek(ctx context.Context, tx *db.Tx, who contract.Caller, program, number int64, deload bool, notes *string) (int64, error) {
	if err := tooLong("Notes", "notes", notes, strength.MaxNote); err != nil {
		return 0, err
	}
	week, err := store.New(tx).InsertWeek(ctx, store.InsertWeekParams{
		WorkspaceID: who.Workspace, ProgramID: program, Number: number, IsDeload: deload, Notes: blankAsNone(notes), CreatedAt: dbtype.At(tx.Now()),
	})
	if err != nil {
		return 0, fmt.Errorf("insert week %d: %w", number, err)
	}
	return week, nil
}

// inputDay writes a day with its lifts and returns its id.
func inputDay(ctx context.Context, tx *db.Tx, who contract.Caller, week int64, d DayInput) (int64, error) {
	if err := checkAll(checkWeekday(d.Weekday), tooLong("A focus", "focus", d.Focus, strength.MaxFocus)); err != nil {
		return 0, err
	}
	day, err := insertDay(ctx, tx, who, week, d.Weekday, d.Focus)
	if err != nil {
		return 0, err
	}
	for i, in := range d.Lifts {
		l, err := newLift(ctx, tx, who, in)
		if err != nil {
			return 0, inside(err, "lifts", i)
		}
		l.Position = int64(i)
		if _, err := insertLift(ctx, tx, who, day, l); err != nil {
			return 0, err
		}
	}
	return day, nil
}

func insertDay(ctx context.Context, tx *db.Tx, who contract.Caller, week, weekday int64, focus *string) (int64, error) {
	day, err := store.New(tx).InsertDay(ctx, store.InsertDayParams{
		WorkspaceID: who.Workspace, ProgramWeekID: week, Weekday: weekday, Focus: blankAsNone(focus), CreatedAt: dbtype.At(tx.Now()),
	})
	if err != nil {
		return 0, fmt.Errorf("insert a day of week %d: %w", week, err)
	}
	return day, nil
}

// inside moves a refusal of an item to where the item stands in a list of the
// arguments.
func inside(err error, list string, i int) error {
	if r, ok := errors.AsType[*fault.Refusal](err); ok && len(r.Fields) == 1 {
		r.Fields[0].Path = fmt.Sprintf("/%s/%d%s", list, i, r.Fields[0].Path)
	}
	return err
}
