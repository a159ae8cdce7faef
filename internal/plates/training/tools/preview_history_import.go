package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/history"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// PreviewHistoryImportIn is a file of training to look at.
type PreviewHistoryImportIn struct {
	historyFileIn
}

// PreviewHistoryImportOut is what an import of the file would do.
type PreviewHistoryImportOut struct {
	Format string `json:"format"`
	Unit   string `json:"unit"` // "" = each line says
	historyCounts
	FirstDay *dbtype.Date    `json:"first_day"`
	LastDay  *dbtype.Date    `json:"last_day"`
	Names    []PreviewedName `json:"names"`   // at most 500
	Weights  []ChangedWeight `json:"weights"` // each weight that becomes another number, at most 200
	Problems []importFlaw    `json:"problems"`
}

// PreviewedName is a movement of the file. To is what it would be called here,
// and How says why: chosen, remembered, same, known, new or left out.
type PreviewedName struct {
	From        string   `json:"from"`
	To          string   `json:"to"`
	How         string   `json:"how"`
	Sets        int64    `json:"sets"`
	Suggestions []string `json:"suggestions"` // names here that look like it
}

// ChangedWeight is a weight that is not kept as it was written, and the line
// where it stands first.
type ChangedWeight struct {
	Line    int    `json:"line"`
	Written string `json:"written"`
	Pounds  int    `json:"pounds"`
	Sets    int64  `json:"sets"`
}

const (
	mostPreviewedNames   = 500
	mostPreviewedWeights = 200
	suggestedNames       = 3
	allMovements         = 5000 // that a name may be close to
)

// PreviewHistoryImport looks at a file of training.
func PreviewHistoryImport() contract.Tool {
	return contract.NewImport(contract.Spec{
		Name: "preview_history_import", Title: "Look at a file of training", Scope: "read", Surfaces: pagesOnly,
		Says:     "Say what import_history would do with a file, without doing it: how many workouts and sets are new, what each movement would be called and which names here look like it, which weights become another number of pounds, and which lines are rejected. Returns these counts and lists.",
		ReadOnly: contract.Yes, Destructive: contract.No, Idempotent: contract.Yes, OpenWorld: contract.No,
		Why: "It only reads.", Attachment: LargestFile, Timeout: importTime, ByteCap: 1 << 20, Errors: []fault.Code{fault.CodeRefused},
	}, previewHistoryImport)
}

func previewHistoryImport(ctx context.Context, steps contract.Steps, attached contract.Attachment, who contract.Caller, in PreviewHistoryImportIn) (contract.Closing[PreviewHistoryImportOut], error) {
	b, err := bring(ctx, steps, attached, who, in.historyFileIn)
	if err != nil {
		return nil, err
	}
	l := lookout{names: map[string]*PreviewedName{}, weights: map[string]*ChangedWeight{}}
	if err := b.read(ctx, attached, func(s history.Set) { l.see(s, who) }); err != nil {
		return nil, unreadableHistory(err)
	}
	return func(ctx context.Context, tx *db.Tx) (contract.Answer[PreviewHistoryImportOut], error) {
		names, err := l.named(ctx, tx, b)
		if err != nil {
			return contract.Answer[PreviewHistoryImportOut]{}, err
		}
		out := PreviewHistoryImportOut{
			Format: string(b.file.Format), Unit: b.file.Unit, historyCounts: b.counts, FirstDay: l.first, LastDay: l.last,
			Names: names, Weights: l.changed(), Problems: append([]importFlaw{}, b.flaws...),
		}
		return contract.Answer[PreviewHistoryImportOut]{Out: out, Text: out.text(b.flaws)}, nil
	}, nil
}

// lookout collects what is to be said about the sets of a file.
type lookout struct {
	names       map[string]*PreviewedName
	weights     map[string]*ChangedWeight
	first, last *dbtype.Date
}

func (l *lookout) see(s history.Set, who contract.Caller) {
	day := store.Date(strength.DayOf(s.Start.In(who.Zone)))
	if l.first == nil || day < *l.first {
		l.first = &day
	}
	if l.last == nil || day > *l.last {
		l.last = &day
	}
	name := l.names[s.Exercise]
	if name == nil && len(l.names) < mostPreviewedNames {
		name = &PreviewedName{From: s.Exercise, Suggestions: []string{}}
		l.names[s.Exercise] = name
	}
	if name != nil {
		name.Sets++
	}
	if !s.Changed {
		return
	}
	weight := l.weights[s.Written]
	if weight == nil && len(l.weights) < mostPreviewedWeights {
		weight = &ChangedWeight{Line: s.Line, Written: s.Written, Pounds: s.Weight}
		l.weights[s.Written] = weight
	}
	if weight != nil {
		weight.Sets++
	}
}

// named says what the movements would be called, those first that need a
// decision.
func (l *lookout) named(ctx context.Context, tx *db.Tx, b *bringing) ([]PreviewedName, error) {
	names, err := newResolver(ctx, tx, b.who, b.in)
	if err != nil {
		return nil, err
	}
	rows, _, err := store.SearchExercises(ctx, tx, b.who.Workspace, "", allMovements)
	if err != nil {
		return nil, err
	}
	ours := make([]string, len(rows))
	for i, r := range rows {
		ours[i] = r.Name
	}
	var fresh, settled []PreviewedName
	for _, key := range sortedKeys(l.names) {
		n := *l.names[key]
		if n.To, n.How, _, err = names.find(ctx, tx, b.who, n.From); err != nil {
			return nil, err
		}
		n.Suggestions = history.Close(n.From, ours, suggestedNames)
		if n.How == howNew {
			fresh = append(fresh, n)
		} else {
			settled = append(settled, n)
		}
	}
	return append(append([]PreviewedName{}, fresh...), settled...), nil
}

func (l *lookout) changed() []ChangedWeight {
	list := []ChangedWeight{}
	for _, w := range l.weights {
		list = append(list, *w)
	}
	slices.SortFunc(list, func(a, b ChangedWeight) int { return a.Line - b.Line })
	return list
}

// text tells the counts, the movements and the weights that change.
func (o PreviewHistoryImportOut) text(flaws []importFlaw) string {
	lines := []string{o.historyCounts.text(o.Format, flaws)}
	for _, n := range o.Names {
		lines = append(lines, fmt.Sprintf("  %s -> %s (%s, %d sets)", n.From, cmp.Or(n.To, "-"), n.How, n.Sets))
	}
	for _, w := range o.Weights {
		lines = append(lines, fmt.Sprintf("  line %d: %s becomes %d lb (%d sets)", w.Line, w.Written, w.Pounds, w.Sets))
	}
	return strings.Join(lines, "\n")
}
