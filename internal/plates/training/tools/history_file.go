package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/history"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// historyFileIn says what is known of a file of training beside its contents.
type historyFileIn struct {
	FileName string         `json:"file_name"`
	Format   *string        `json:"format" enum:"auto,strong,hevy,fitnotes,csv"`
	Unit     *string        `json:"unit" enum:"kg,lb" doc:"Unit of weights, where the file does not say."`
	TimeZone *string        `json:"time_zone" doc:"Zone of times without one; the workspace's when absent."`
	DayFirst *bool          `json:"day_first" doc:"How 03/04/2026 is read: true is the third of April."`
	Columns  []columnIn     `json:"columns,omitempty" doc:"Which column of a table holds what, where its own names do not say."`
	Names    []movementName `json:"names,omitempty" doc:"What movements of the file are called here."`
}

type columnIn = struct {
	Holds  string `json:"holds" enum:"date,workout,exercise,type,weight,unit,reps,seconds,rpe,note,workout_notes"`
	Column string `json:"column"`
}

// movementName says what a movement of the file is called here; a blank To
// leaves its sets out.
type movementName = struct {
	From string `json:"from"`
	To   string `json:"to"`
}

const mostNames = 2000 // that one call maps

// file checks the arguments and returns what they say about the file.
func (in historyFileIn) file(who contract.Caller) (history.File, error) {
	f := history.File{Unit: valueOr(in.Unit, ""), Zone: who.Zone, DayFirst: in.DayFirst, Columns: map[string]string{}}
	if err := tooLong("A file name", "file_name", &in.FileName, 255); err != nil {
		return f, err
	}
	if len(in.Names) > mostNames {
		return f, fault.BadArgument("More than %d names.", mostNames).At("names")
	}
	for _, n := range in.Names {
		if err := tooLong("An exercise name", "names", &n.To, strength.MaxName); err != nil {
			return f, err
		}
	}
	if format := valueOr(in.Format, "auto"); format != "auto" {
		f.Format = history.Format(format)
	}
	for _, c := range in.Columns {
		f.Columns[c.Holds] = c.Column
	}
	var err error
	if in.TimeZone != nil {
		f.Zone, err = zoneNamed(*in.TimeZone)
	}
	return f, err
}

// choices are the names that the caller chose, by the folded name of the file.
func (in historyFileIn) choices() map[string]string {
	chosen := map[string]string{}
	for _, n := range in.Names {
		chosen[strength.NameKey(n.From)] = strings.TrimSpace(n.To)
	}
	return chosen
}

// errEnough stops reading a file of which only the first lines are wanted.
var errEnough = errors.New("enough of the file is read")

// opened reads the beginning of a file: what app wrote it, and in what unit.
func opened(ctx context.Context, f history.File, attached contract.Attachment) (history.File, error) {
	known, err := f.Read(untilDone{ctx, attached.Reader()}, &history.Reader{
		Add: func(history.Set) error { return errEnough }, Reject: func(int, string) {},
	})
	if err != nil && !errors.Is(err, errEnough) {
		return f, unreadableHistory(err)
	}
	return known, nil
}

// unreadableHistory turns what is wrong with a file into a refusal.
func unreadableHistory(err error) error {
	u, ok := errors.AsType[history.Unreadable](err)
	switch {
	case !ok:
		return err
	case u == history.ErrUnknown:
		return fault.BadArgument("%s", u.Error()).At("format")
	case u == history.ErrNoUnit:
		return fault.BadArgument("%s", u.Error()).At("unit")
	}
	return fault.BadArgument("%s", u.Error()).At("file")
}

// How a movement of a file got its name here.
const (
	howChosen     = "chosen"     // the caller said it
	howRemembered = "remembered" // an earlier import said it
	howSame       = "same"       // it has that name here
	howKnown      = "known"      // a name that this app is known to use
	howNew        = "new"        // it will be made
	howLeftOut    = "left out"
)

// resolver finds what the movements of a file are called here.
type resolver struct {
	chosen, remembered map[string]string
}

func newResolver(ctx context.Context, tx *db.Tx, who contract.Caller, in historyFileIn) (resolver, error) {
	remembered, err := store.RememberedNames(ctx, tx, who.Workspace)
	return resolver{in.choices(), remembered}, err
}

// find returns the name, how it came about and the movement of that name; the
// movement is nil when it is to be made or left out.
func (r resolver) find(ctx context.Context, tx *db.Tx, who contract.Caller, name string) (to, how string, row *store.ExerciseRow, err error) {
	candidates, how := history.Candidates(name), howSame
	if to, ok := r.chosen[strength.NameKey(name)]; ok {
		candidates, how = []string{to}, howChosen
	} else if to, ok := r.remembered[strength.NameKey(name)]; ok {
		candidates, how = []string{to}, howRemembered
	}
	if candidates[0] == "" {
		return "", howLeftOut, nil, nil
	}
	for i, c := range candidates {
		found, ok, err := store.FindExercise(ctx, tx, who.Workspace, c)
		if err != nil {
			return "", "", nil, err
		}
		if ok && i > 0 {
			how = howKnown
		}
		if ok {
			return found.Name, how, &found, nil
		}
	}
	if how == howSame {
		how = howNew
	}
	return candidates[0], how, nil, nil
}

// movement is what the sets of a name need to know; nil Row leaves them out.
type movement struct{ row *store.ExerciseRow }

// make returns the movement of a name, made when it is new.
func (r resolver) make(ctx context.Context, tx *db.Tx, who contract.Caller, s history.Set) (movement, error) {
	to, how, row, err := r.find(ctx, tx, who, s.Exercise)
	if err != nil || row != nil || how == howLeftOut {
		return movement{row}, err
	}
	measure, weighted := "reps", s.Weight > 0
	if s.Seconds > 0 {
		measure = "time"
	}
	in := CreateExerciseIn{Name: to, DefaultMeasure: &measure, DefaultIsWeighted: &weighted}
	if history.OnBarbell(s.Exercise) {
		yes := true
		in.IsBarbell = &yes
	}
	made, _, err := ensureExercise(ctx, tx, who, in)
	return movement{&made}, err
}

// bringing is an import of training under way, or a look at one.
type bringing struct {
	steps    contract.Steps
	who      contract.Caller
	past     store.Past
	in       historyFileIn
	file     history.File
	resumed  bool
	counted  *counter // of the bytes of the file
	batch    []history.Set
	movement map[string]movement // by the file's name
	counts   historyCounts
	flaws    []importFlaw
}

// historyCounts is what became of the lines of a file.
type historyCounts struct {
	Workouts     int64 `json:"workouts"`
	Added        int64 `json:"added"`
	AlreadyThere int64 `json:"already_there"`
	LeftOut      int64 `json:"left_out"`
	Rejected     int64 `json:"rejected"`
}

// counter is a file that knows how far it was read.
type counter struct {
	from       io.Reader
	done, size int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.done += int64(n)
	return n, err
}

func (c *counter) percent() int64 { return min(99, c.done*100/max(1, c.size)) }

// read takes the file in from its beginning to its end.
func (b *bringing) read(ctx context.Context, attached contract.Attachment, also func(history.Set)) error {
	today, err := b.today(ctx)
	if err != nil {
		return err
	}
	b.counted = &counter{from: untilDone{ctx, attached.Reader()}, size: attached.Size}
	_, err = b.file.Read(b.counted, &history.Reader{
		Add: func(s history.Set) error {
			if strength.DayOf(s.Start.In(b.who.Zone)).After(today) {
				b.reject(s.Line, "the day is in the future")
				return nil
			}
			also(s)
			if b.batch = append(b.batch, s); len(b.batch) < batchSize {
				return nil
			}
			return b.flush(ctx)
		},
		Reject: b.reject,
	})
	if err != nil {
		return err
	}
	return b.flush(ctx)
}

// today is the last day that a workout of the past may have.
func (b *bringing) today(ctx context.Context) (day time.Time, err error) {
	err = b.steps.Read(ctx, func(tx *db.Tx) error {
		day = store.Day(b.who.Today(tx.Now()))
		return nil
	})
	return day, err
}

func (b *bringing) reject(line int, why string) {
	if b.counts.Rejected++; len(b.flaws) < mostHistoryFlaws {
		b.flaws = append(b.flaws, importFlaw{line, why})
	}
}

const mostHistoryFlaws = 50 // rejected lines that are named

// flush brings the batch in and writes what the import has come to.
func (b *bringing) flush(ctx context.Context) error {
	if len(b.batch) == 0 {
		return nil
	}
	door := b.steps.Write
	if b.past.Import == 0 {
		door = b.steps.Read
	}
	before, known := b.counts, b.movement
	err := door(ctx, func(tx *db.Tx) error {
		b.counts, b.movement = before, maps.Clone(known) // the transaction may run again
		sets, err := b.sets(ctx, tx)
		if err != nil {
			return err
		}
		taken, err := b.past.AddAll(ctx, tx, sets)
		if err != nil {
			return err
		}
		b.counts.Workouts += taken.Workouts
		b.counts.Added += taken.Added
		b.counts.AlreadyThere += taken.AlreadyThere
		return b.save(ctx, tx)
	})
	b.batch = b.batch[:0]
	return err
}

// sets turns the batch into rows. New movements are made, unless this is a
// look.
func (b *bringing) sets(ctx context.Context, tx *db.Tx) ([]store.PastSet, error) {
	names, err := newResolver(ctx, tx, b.who, b.in)
	if err != nil {
		return nil, err
	}
	sets := make([]store.PastSet, 0, len(b.batch))
	for _, s := range b.batch {
		m, known := b.movement[s.Exercise]
		if !known {
			if m, err = b.find(ctx, tx, names, s); err != nil {
				return nil, err
			}
			b.movement[s.Exercise] = m
		}
		if m.row == nil {
			b.counts.LeftOut++
			continue
		}
		sets = append(sets, pastSet(s, *m.row, b.who))
	}
	return sets, nil
}

func (b *bringing) find(ctx context.Context, tx *db.Tx, names resolver, s history.Set) (movement, error) {
	if b.past.Import != 0 {
		return names.make(ctx, tx, b.who, s)
	}
	_, how, row, err := names.find(ctx, tx, b.who, s.Exercise)
	if row == nil && how != howLeftOut {
		row = &store.ExerciseRow{} // it would be made
	}
	return movement{row}, err
}

func pastSet(s history.Set, m store.ExerciseRow, who contract.Caller) store.PastSet {
	notes, note := s.Notes(), s.Note
	return store.PastSet{
		WorkoutKey: s.WorkoutKey, Key: s.Key, Day: store.Date(strength.DayOf(s.Start.In(who.Zone))), At: dbtype.At(s.Start), Notes: blankAsNone(&notes),
		Exercise: m.ID, Barbell: m.IsBarbell, PerSide: m.DefaultIsPerSide, Weight: store.Optional(s.Weight), Reps: store.Optional(s.Reps),
		Seconds: store.Optional(s.Seconds), Warmup: s.Warmup, RPE: store.Optional(s.RPE), Note: blankAsNone(&note),
	}
}

// begin opens the import, or takes up the one of the same file that was cut
// off.
func (b *bringing) begin(ctx context.Context, sum string) error {
	names, err := json.Marshal(b.in.choices())
	if err != nil {
		return fmt.Errorf("write the names: %w", err)
	}
	return b.steps.Write(ctx, func(tx *db.Tx) error {
		row, found, err := store.CutOffHistory(ctx, tx, b.who.Workspace, string(b.file.Format), sum)
		if err != nil {
			return err
		}
		if found {
			b.past.Import, b.resumed, b.counts.Workouts = row.ID, true, row.Workouts
			return nil
		}
		by := author(b.who)
		b.past.Import, err = store.New(tx).InsertHistoryImport(ctx, store.InsertHistoryImportParams{
			WorkspaceID: b.who.Workspace, Format: string(b.file.Format), FileName: b.in.FileName, FileSHA256: sum, Unit: cmp.Or(b.file.Unit, "lb"), Names: string(names),
			TouchedAt: dbtype.At(tx.Now()), CreatedByClientID: by.ClientColumn(), CreatedByAccountID: by.AccountColumn(), CreatedAt: dbtype.At(tx.Now()),
		})
		if err != nil {
			return fmt.Errorf("open an import: %w", err)
		}
		return nil
	})
}

// save writes what the import has come to.
func (b *bringing) save(ctx context.Context, tx *db.Tx) error {
	if b.past.Import == 0 {
		return nil
	}
	err := store.New(tx).TouchHistoryImport(ctx, store.TouchHistoryImportParams{
		Workouts: b.counts.Workouts, Added: b.counts.Added, AlreadyThere: b.counts.AlreadyThere, LeftOut: b.counts.LeftOut, Rejected: b.counts.Rejected,
		DonePercent: b.counted.percent(), TouchedAt: dbtype.At(tx.Now()), WorkspaceID: b.who.Workspace, ID: b.past.Import,
	})
	if err != nil {
		return fmt.Errorf("write what import %d has come to: %w", b.past.Import, err)
	}
	return nil
}

// giveUp takes back what a file brought that turned out to be unreadable: it
// is refused as a whole.
func (b *bringing) giveUp(ctx context.Context, err error) error {
	if _, ok := errors.AsType[history.Unreadable](err); ok && b.past.Import != 0 && !b.resumed {
		undo := b.steps.Write(ctx, func(tx *db.Tx) error {
			_, _, err := store.UndoHistory(ctx, tx, b.who.Workspace, b.past.Import)
			return err
		})
		if undo != nil {
			return undo
		}
	}
	return unreadableHistory(err)
}

// text is the sentence of the counts: "strong: 12 workouts, 240 sets added, 0
// already there, 0 left out, 1 rejected".
func (c historyCounts) text(format string, flaws []importFlaw) string {
	lines := []string{fmt.Sprintf("%s: %d workouts, %d sets added, %d already there, %d left out, %d rejected", format, c.Workouts, c.Added, c.AlreadyThere, c.LeftOut, c.Rejected)}
	for _, f := range flaws {
		lines = append(lines, fmt.Sprintf("  line %d: %s", f.Line, f.Why))
	}
	return strings.Join(lines, "\n")
}

// sortedKeys are the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
