package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"time"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/health"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// ImportHealthIn says what is known of a file of readings beside its contents.
type ImportHealthIn struct {
	FileName string  `json:"file_name"`
	Format   *string `json:"format" enum:"auto,withings,garmin,apple_health,csv,json"`
	Source   *string `json:"source"`
	Unit     *string `json:"unit" enum:"kg,lb"`
	TimeZone *string `json:"time_zone"`
	DryRun   bool    `json:"dry_run,omitempty"`
	Replace  bool    `json:"replace,omitempty"`
}

// ImportHealthOut is what became of the lines of the file. The id is nil when
// nothing was written.
type ImportHealthOut struct {
	ImportID     *int64       `json:"import_id"`
	Format       string       `json:"format"`
	Rows         int64        `json:"rows"`
	Added        int64        `json:"added"`
	AlreadyThere int64        `json:"already_there"`
	Conflicting  int64        `json:"conflicting"`
	Rejected     int64        `json:"rejected"`
	Problems     []importFlaw `json:"problems"` // the first rejected lines
}

// importFlaw is nameless, because answers have the schemas of items inline.
type importFlaw = struct {
	Line int    `json:"line"`
	Why  string `json:"why"`
}

const (
	// LargestUpload is how many bytes of a file pages take.
	LargestUpload = 20 << 20
	// LargestFile is how many bytes of a file the command line takes.
	LargestFile = 2 << 30

	mostFlaws  = 20 // rejected lines that are named
	importTime = 30 * time.Minute
	batchSize  = 1000 // readings or sets of one transaction
)

// ImportHealth reads a file of scale readings.
func ImportHealth() contract.Tool {
	return contract.NewImport(contract.Spec{
		Name: "import_health", Title: "Import readings", Scope: "write", Surfaces: pagesOnly,
		Says:     "Import a file of scale readings: the export of Withings, Garmin or Apple Health (its zip too), or the product's own csv or json. Importing a file again adds nothing. dry_run only counts; replace lets a value of the file win over the one that is stored, until the import is undone. Returns how many lines were added, already there, conflicting and rejected, and the first rejected lines.",
		ReadOnly: contract.No, Destructive: contract.Yes, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeRefused},
		Why:    "The same file adds nothing more; replace overwrites values that differ.", Attachment: LargestFile, Timeout: importTime,
	}, importHealth)
}

func importHealth(ctx context.Context, steps contract.Steps, attached contract.Attachment, who contract.Caller, in ImportHealthIn) (contract.Closing[ImportHealthOut], error) {
	file, err := in.file(who)
	if err != nil {
		return nil, err
	}
	if err := checkUpload(who, attached); err != nil {
		return nil, err
	}
	content, kind, err := openReadings(ctx, attached, in.kind())
	if err != nil {
		return nil, unreadable(err)
	}
	defer content.Close()
	file.Format = kind
	i := &importing{steps: steps, who: who, kind: string(kind), name: strings.TrimSpace(valueOr(in.Source, "")), fates: map[store.Fate]int64{}}
	i.intake = store.Intake{Workspace: who.Workspace, Replace: in.Replace}
	if !in.DryRun {
		if err := i.begin(ctx, in.FileName, attached.SHA256); err != nil {
			return nil, err
		}
	}
	if err := i.read(ctx, file, content); err != nil {
		return nil, i.giveUp(ctx, err)
	}
	return func(ctx context.Context, tx *db.Tx) (contract.Answer[ImportHealthOut], error) {
		err := i.save(ctx, tx, dbtype.At(tx.Now()))
		return contract.Answer[ImportHealthOut]{Out: i.out(), Text: i.text()}, err
	}, nil
}

func (in ImportHealthIn) kind() health.Format {
	if f := valueOr(in.Format, "auto"); f != "auto" {
		return health.Format(f)
	}
	return ""
}

// file checks the arguments and returns what they say about the file.
func (in ImportHealthIn) file(who contract.Caller) (health.File, error) {
	f := health.File{Unit: valueOr(in.Unit, ""), Zone: who.Zone}
	err := checkAll(tooLong("A file name", "file_name", &in.FileName, 255), tooLong("A source", "source", in.Source, strength.MaxName))
	if err != nil {
		return f, err
	}
	if in.TimeZone != nil {
		f.Zone, err = zoneNamed(*in.TimeZone)
	}
	return f, err
}

// zoneNamed returns the zone that a person named.
func zoneNamed(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, fault.BadArgument("\"%s\" is not a time zone this server knows.", fault.Clip(name)).At("time_zone")
	}
	return zone, nil
}

// checkUpload refuses a file that pages do not take.
func checkUpload(who contract.Caller, f contract.Attachment) error {
	if who.Transport == contract.OverWeb && f.Size > LargestUpload {
		return fault.BadArgument("The file is larger than 20 MB; use the import command.").At("file")
	}
	return nil
}

// openReadings opens the file, and tells its format when nobody said it.
func openReadings(ctx context.Context, f contract.Attachment, kind health.Format) (io.ReadCloser, health.Format, error) {
	open := func() (io.ReadCloser, error) {
		content, err := health.Open(f.Content, f.Size)
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{untilDone{ctx, content}, content}, nil
	}
	if kind != "" {
		content, err := open()
		return content, kind, err
	}
	content, err := open()
	if err != nil {
		return nil, "", err
	}
	head := make([]byte, 1024)
	n, _ := io.ReadFull(content, head) // a short file is short
	content.Close()
	if kind = health.Recognise(string(head[:n])); kind == "" {
		return nil, "", health.ErrUnknown
	}
	content, err = open()
	return content, kind, err
}

// untilDone is a file that ends with the call that reads it.
type untilDone struct {
	ctx  context.Context
	from io.Reader
}

func (u untilDone) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.from.Read(p)
}

// unreadable turns what is wrong with a file into a refusal.
func unreadable(err error) error {
	u, ok := errors.AsType[health.Unreadable](err)
	if !ok {
		return err
	}
	if u == health.ErrUnknown {
		return fault.BadArgument("%s", u.Error()).At("format")
	}
	if u == health.ErrNoUnit {
		return fault.BadArgument("%s", u.Error()).At("unit")
	}
	return fault.BadArgument("%s", u.Error()).At("file")
}

// importing is an import under way.
type importing struct {
	steps    contract.Steps
	who      contract.Caller
	intake   store.Intake
	kind     string
	name     string // of the source, where the file names none
	resumed  bool   // an earlier attempt at the same file goes on
	batch    []store.Reading
	fates    map[store.Fate]int64
	rejected int64
	flaws    []importFlaw
	sources  []string
}

// begin opens the import, or takes up the one of the same file that was cut
// off.
func (i *importing) begin(ctx context.Context, file, sum string) error {
	return i.steps.Write(ctx, func(tx *db.Tx) (err error) {
		i.intake.Import, i.resumed, err = store.CutOffImport(ctx, tx, i.who.Workspace, i.kind, sum)
		if err != nil || i.resumed {
			return err
		}
		i.intake.Import, err = openImport(ctx, tx, i.who, i.kind, file, sum)
		return err
	})
}

func openImport(ctx context.Context, tx *db.Tx, who contract.Caller, kind, file, sum string) (int64, error) {
	by := author(who)
	id, err := store.New(tx).InsertImport(ctx, store.InsertImportParams{
		WorkspaceID: who.Workspace, Kind: kind, FileName: file, FileSHA256: sum,
		CreatedByClientID: by.ClientColumn(), CreatedByAccountID: by.AccountColumn(), CreatedAt: dbtype.At(tx.Now()),
	})
	if err != nil {
		return 0, fmt.Errorf("open an import: %w", err)
	}
	return id, nil
}

// giveUp takes back what a file brought that turned out to be unreadable: it
// is refused as a whole. An import that was cut off otherwise stays, and the
// same file goes on with it.
func (i *importing) giveUp(ctx context.Context, err error) error {
	refused := unreadable(err)
	if _, ok := errors.AsType[health.Unreadable](err); !ok || i.intake.Import == 0 || i.resumed {
		return refused
	}
	undo := i.steps.Write(ctx, func(tx *db.Tx) error {
		_, _, err := store.UndoImport(ctx, tx, i.who.Workspace, i.intake.Import)
		return err
	})
	if undo != nil {
		return undo
	}
	return refused
}

func (i *importing) read(ctx context.Context, file health.File, content io.Reader) error {
	_, err := file.Read(content, &health.Reader{
		Add: func(l health.Line) error { return i.add(ctx, l) },
		Reject: func(line int, why string) {
			if i.rejected++; len(i.flaws) < mostFlaws {
				i.flaws = append(i.flaws, importFlaw{line, why})
			}
		},
	})
	if err != nil {
		return err
	}
	return i.flush(ctx)
}

func (i *importing) add(ctx context.Context, l health.Line) error {
	source := strings.ReplaceAll(strings.ToValidUTF8(cmp.Or(l.Source, i.name, "scale"), "?"), "\x00", "")
	if r := []rune(source); len(r) > strength.MaxName {
		source = string(r[:strength.MaxName])
	}
	i.batch = append(i.batch, store.Reading{
		Kind: i.kind, Source: source, Metric: string(l.Metric), Unit: l.Unit, Text: l.Text, Milli: l.Milli,
		At: dbtype.At(l.At), Day: store.Date(strength.DayOf(l.At.In(i.who.Zone))),
	})
	if label := i.kind + "/" + source; len(i.sources) < 2 && (len(i.sources) == 0 || i.sources[0] != label) {
		i.sources = append(i.sources, label)
	}
	if len(i.batch) < batchSize {
		return nil
	}
	return i.flush(ctx)
}

// flush commits the batch and what the import has come to with it.
func (i *importing) flush(ctx context.Context) error {
	if len(i.batch) == 0 {
		return nil
	}
	door := i.steps.Write
	if i.intake.Import == 0 {
		door = i.steps.Read
	}
	before := maps.Clone(i.fates)
	work := func(tx *db.Tx) error {
		fates, err := i.intake.AddAll(ctx, tx, i.batch)
		if err != nil {
			return err
		}
		i.fates = maps.Clone(before) // the transaction may run again
		for fate, n := range fates {
			i.fates[fate] += n
		}
		return i.save(ctx, tx, dbtype.Time{})
	}
	err := door(ctx, work)
	if db.IsUnique(err) { // somebody added one of these readings by hand just now
		err = door(ctx, work)
	}
	i.batch = i.batch[:0]
	return err
}

func (i *importing) rows() int64 {
	return i.fates[store.Added] + i.fates[store.AlreadyThere] + i.fates[store.Conflicting] + i.rejected
}

// save writes what the import has come to; a zero time leaves it unfinished.
func (i *importing) save(ctx context.Context, tx *db.Tx, finished dbtype.Time) error {
	if i.intake.Import == 0 {
		return nil
	}
	err := store.New(tx).FinishImport(ctx, store.FinishImportParams{
		RowsRead: i.rows(), Added: i.fates[store.Added], AlreadyThere: i.fates[store.AlreadyThere], Conflicting: i.fates[store.Conflicting],
		Rejected: i.rejected, FinishedAt: finished, WorkspaceID: i.who.Workspace, ID: i.intake.Import,
	})
	if err != nil {
		return fmt.Errorf("write what import %d has come to: %w", i.intake.Import, err)
	}
	return nil
}

func (i *importing) out() ImportHealthOut {
	out := ImportHealthOut{
		Format: i.kind, Rows: i.rows(), Added: i.fates[store.Added], AlreadyThere: i.fates[store.AlreadyThere],
		Conflicting: i.fates[store.Conflicting], Rejected: i.rejected, Problems: append([]importFlaw{}, i.flaws...),
	}
	if i.intake.Import != 0 {
		out.ImportID = &i.intake.Import
	}
	return out
}

// text tells the counts: "withings/Body+: 7 rows, 7 added, 0 already there, 0
// conflicting, 0 rejected".
func (i *importing) text() string {
	label := i.kind
	if len(i.sources) == 1 {
		label = i.sources[0]
	}
	lines := []string{fmt.Sprintf("%s: %d rows, %d added, %d already there, %d conflicting, %d rejected",
		label, i.rows(), i.fates[store.Added], i.fates[store.AlreadyThere], i.fates[store.Conflicting], i.rejected)}
	for _, f := range i.flaws {
		lines = append(lines, fmt.Sprintf("  line %d: %s", f.Line, f.Why))
	}
	return strings.Join(lines, "\n")
}
