package tools

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
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

// ImportHealthIn is a file of readings. Its contents are text.
type ImportHealthIn struct {
	FileName string  `json:"file_name"`
	Content  string  `json:"content"`
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
	largestImport = 20 << 20 // bytes of a file
	mostFlaws     = 20       // rejected lines that are named
	importTime    = 5 * time.Minute
)

// ImportHealth reads a file of scale readings.
func ImportHealth() contract.Tool {
	return contract.New(contract.Spec{
		Name: "import_health", Title: "Import readings", Scope: "write", Surfaces: pagesOnly,
		Says:     "Import a file of scale readings: the export of Withings, Garmin or Apple Health, or the product's own csv or json. Importing a file again adds nothing. dry_run only counts; replace lets a value of the file win over the one that is stored. Returns how many lines were added, already there, conflicting and rejected, and the first rejected lines.",
		ReadOnly: contract.No, Destructive: contract.Yes, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeRefused},
		Why:    "The same file adds nothing more; replace overwrites values that differ.", MaxBody: 2 * largestImport, Timeout: importTime,
	}, importHealth)
}

func importHealth(ctx context.Context, tx *db.Tx, who contract.Caller, in ImportHealthIn) (contract.Answer[ImportHealthOut], error) {
	var none contract.Answer[ImportHealthOut]
	file, err := in.file(who)
	if err != nil {
		return none, err
	}
	kind := in.kind()
	i := &importing{tx: tx, who: who, name: strings.TrimSpace(valueOr(in.Source, "")), fates: map[store.Fate]int64{}}
	i.intake = store.Intake{Workspace: who.Workspace, Replace: in.Replace}
	if kind == "" {
		if kind, err = recogniseFile(in.Content); err != nil {
			return none, err
		}
	}
	file.Format, i.kind = kind, string(kind)
	if !in.DryRun {
		sum := sha256.Sum256([]byte(in.Content))
		if i.intake.Import, err = openImport(ctx, tx, who, i.kind, in.FileName, hex.EncodeToString(sum[:])); err != nil {
			return none, err
		}
	}
	if err := i.read(ctx, file, in.Content); err != nil {
		return none, err
	}
	if err := i.finish(ctx); err != nil {
		return none, err
	}
	return contract.Answer[ImportHealthOut]{Out: i.out(), Text: i.text()}, nil
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
	if len(in.Content) > largestImport {
		return f, fault.BadArgument("The file is larger than 20 MB; use the import command.").At("content")
	}
	if in.TimeZone != nil {
		if f.Zone, err = time.LoadLocation(*in.TimeZone); err != nil || *in.TimeZone == "" || *in.TimeZone == "Local" {
			return f, fault.BadArgument("\"%s\" is not a time zone this server knows.", shortened(*in.TimeZone)).At("time_zone")
		}
	}
	return f, nil
}

func recogniseFile(content string) (health.Format, error) {
	if f := health.Recognise(content); f != "" {
		return f, nil
	}
	return "", fault.BadArgument("%s", health.ErrUnknown.Error()).At("format")
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

// importing is an import under way.
type importing struct {
	tx       *db.Tx
	who      contract.Caller
	intake   store.Intake
	kind     string
	name     string // of the source, where the file names none
	fates    map[store.Fate]int64
	rejected int64
	flaws    []importFlaw
	sources  []string
}

func (i *importing) read(ctx context.Context, file health.File, content string) error {
	_, err := file.Read(strings.NewReader(content), &health.Reader{
		Add: func(l health.Line) error { return i.add(ctx, l) },
		Reject: func(line int, why string) {
			if i.rejected++; len(i.flaws) < mostFlaws {
				i.flaws = append(i.flaws, importFlaw{line, why})
			}
		},
	})
	if unreadable, ok := errors.AsType[health.Unreadable](err); ok {
		return fault.BadArgument("%s", unreadable.Error()).At("content")
	}
	return err
}

func (i *importing) add(ctx context.Context, l health.Line) error {
	source := cmp.Or(l.Source, i.name, "scale")
	if r := []rune(source); len(r) > strength.MaxName {
		source = string(r[:strength.MaxName])
	}
	fate, err := i.intake.Add(ctx, i.tx, store.Reading{
		Kind: i.kind, Source: source, Metric: string(l.Metric), Unit: l.Unit, Text: l.Text, Milli: l.Milli,
		At: dbtype.At(l.At), Day: store.Date(strength.DayOf(l.At.In(i.who.Zone))),
	})
	if err != nil {
		return err
	}
	i.fates[fate]++
	if label := i.kind + "/" + source; len(i.sources) == 0 || i.sources[len(i.sources)-1] != label {
		i.sources = append(i.sources, label)
	}
	return nil
}

func (i *importing) rows() int64 {
	return i.fates[store.Added] + i.fates[store.AlreadyThere] + i.fates[store.Conflicting] + i.rejected
}

func (i *importing) finish(ctx context.Context) error {
	if i.intake.Import == 0 {
		return nil
	}
	err := store.New(i.tx).FinishImport(ctx, store.FinishImportParams{
		RowsRead: i.rows(), Added: i.fates[store.Added], AlreadyThere: i.fates[store.AlreadyThere], Conflicting: i.fates[store.Conflicting],
		Rejected: i.rejected, FinishedAt: dbtype.At(i.tx.Now()), WorkspaceID: i.who.Workspace, ID: i.intake.Import,
	})
	if err != nil {
		return fmt.Errorf("finish import %d: %w", i.intake.Import, err)
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
