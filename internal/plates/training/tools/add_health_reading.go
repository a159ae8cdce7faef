package tools

import (
	"context"
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

// AddHealthReadingIn is one reading that a person took; it is taken now unless
// it says when.
type AddHealthReadingIn struct {
	Metric     string  `json:"metric"`
	Value      string  `json:"value"`
	Unit       string  `json:"unit" enum:"kg,lb,%,kg/m2,rating"`
	MeasuredAt *string `json:"measured_at" doc:"an RFC 3339 instant"`
	Source     string  `json:"source"`
}

// AddHealthReadingOut is the reading as it is stored.
type AddHealthReadingOut struct {
	ImportID   *int64      `json:"import_id"` // nil when it was there already
	Source     string      `json:"source"`
	Metric     string      `json:"metric"`
	Unit       string      `json:"unit"`
	Value      float64     `json:"value"`
	MeasuredAt dbtype.Time `json:"measured_at"`
	Created    bool        `json:"created"`
}

// AddHealthReading stores one reading that a person took.
func AddHealthReading() contract.Tool {
	return contract.New(contract.Spec{
		Name: "add_health_reading", Title: "Add a reading", Scope: "write", Surfaces: pagesOnly,
		Says:     "Add one reading by hand under a source of its own, such as calipers. The same reading again adds nothing; another value at the same instant is refused. Returns the reading and the import that undoes it.",
		ReadOnly: contract.No, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Errors: []fault.Code{fault.CodeConflict},
		Why:    "The same reading twice adds nothing.",
	}, addHealthReading)
}

func addHealthReading(ctx context.Context, tx *db.Tx, who contract.Caller, in AddHealthReadingIn) (contract.Answer[AddHealthReadingOut], error) {
	var none contract.Answer[AddHealthReadingOut]
	r, err := in.reading(tx.Now(), who)
	if err != nil {
		return none, err
	}
	look := store.Intake{Workspace: who.Workspace}
	fate, err := look.Add(ctx, tx, r)
	if err != nil {
		return none, err
	}
	out := AddHealthReadingOut{Source: "manual/" + r.Source, Metric: r.Metric, Unit: r.Unit, Value: units(r.Milli), MeasuredAt: r.At}
	text := fmt.Sprintf("%s %s: %s.", out.Source, health.Metric(r.Metric).Word(), health.Show(r.Milli, r.Unit))
	switch fate {
	case store.Conflicting:
		return none, fault.Clash("%s already has another value at that instant.", out.Source).At("value")
	case store.AlreadyThere:
		return contract.Answer[AddHealthReadingOut]{Out: out, Text: text + " It was already there; nothing was changed."}, nil
	}
	opened, err := openImport(ctx, tx, who, "manual", "", "")
	if err != nil {
		return none, err
	}
	one := &importing{who: who, fates: map[store.Fate]int64{}, intake: store.Intake{Workspace: who.Workspace, Import: opened}}
	if fate, err = one.intake.Add(ctx, tx, r); err != nil {
		return none, err
	}
	one.fates[fate]++
	out.Created, out.ImportID = true, &opened
	return contract.Answer[AddHealthReadingOut]{Out: out, Text: text}, one.save(ctx, tx, dbtype.At(tx.Now()))
}

func (in AddHealthReadingIn) reading(now time.Time, who contract.Caller) (store.Reading, error) {
	var none store.Reading
	metric := health.Metric(in.Metric)
	if !metric.Known() {
		return none, fault.BadArgument("\"%s\" is not a metric this tool knows; use one of %s.", fault.Clip(in.Metric), strings.Join(health.Metrics(), ", ")).At("metric")
	}
	source := strings.TrimSpace(in.Source)
	if source == "" {
		return none, fault.BadArgument("A reading needs the name of its source, such as calipers.").At("source")
	}
	if err := tooLong("A source", "source", &source, strength.MaxName); err != nil {
		return none, err
	}
	text := strings.TrimSpace(in.Value)
	milli, ok := health.Parse(text)
	if !ok {
		return none, fault.BadArgument("\"%s\" is not a number.", fault.Clip(in.Value)).At("value")
	}
	if why := metric.Check(in.Unit, milli); why != "" {
		return none, fault.BadArgument("%s.", strings.ToUpper(why[:1])+why[1:]).At("value")
	}
	at := now
	if in.MeasuredAt != nil {
		var err error
		if at, err = time.Parse(time.RFC3339, *in.MeasuredAt); err != nil || at.After(now.Add(24*time.Hour)) || at.Year() < 1900 {
			return none, fault.BadArgument("Couldn't read \"%s\" as an instant; use one like 2026-03-02T07:11:09Z, not in the future.", fault.Clip(*in.MeasuredAt)).At("measured_at")
		}
	}
	return store.Reading{
		Kind: "manual", Source: source, Metric: in.Metric, Unit: in.Unit, Text: text, Milli: milli,
		At: dbtype.At(at), Day: store.Date(strength.DayOf(at.In(who.Zone))),
	}, nil
}
