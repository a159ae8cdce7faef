package tools

import (
	"context"
	"fmt"
	"slices"
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

// Latest is the newest reading of a series.
type Latest struct {
	Value      float64     `json:"value"`
	MeasuredAt dbtype.Time `json:"measured_at"`
}

// series is one source's readings of one metric in one unit: what is never
// merged with anything else.
type series struct {
	source   string // kind/name
	metric   health.Metric
	unit     string
	readings []health.Reading // by instant
	daily    []health.Reading
	swing    *int64 // tenths
	pairs    int
}

// question is which readings an answer is about.
type question struct {
	metric      string // "" = any
	word        string // of the readings, for a refusal: "bodyweight "
	source      string
	first, last dbtype.Date
	bounded     bool // somebody or a default chose the days
	parts       bool // weight alone does not answer it
}

// healthWindow reads from and to; the usual window is the last 90 days.
func healthWindow(from, to *string, today dbtype.Date) (first, last dbtype.Date, err error) {
	if from == nil {
		end := today
		if to != nil {
			if end, err = readDay(*to, "to", today); err != nil {
				return "", "", err
			}
		}
		start := string(store.Date(store.Day(end).AddDate(0, 0, -89)))
		from = &start
	}
	if to == nil {
		end := string(today)
		to = &end
	}
	return span(from, to, today)
}

// readSeries returns the series that a question is about, by source, metric
// and unit. No reading at all is a refusal.
func readSeries(ctx context.Context, tx *db.Tx, who contract.Caller, q question, wanted func(health.Metric) bool) ([]series, error) {
	queries := store.New(tx)
	any, err := queries.HasReadings(ctx, who.Workspace)
	if err != nil {
		return nil, fmt.Errorf("look for readings: %w", err)
	}
	if any == 0 {
		return nil, fault.Refuse("No readings from a scale yet. They come in through the import page or the import command; this connector cannot record them.")
	}
	from, to := around(q.first, q.last)
	rows, err := queries.Readings(ctx, store.ReadingsParams{
		WorkspaceID: who.Workspace, FromDay: q.first, ToDay: q.last, Metric: q.metric, FromInstant: from, ToInstant: to,
	})
	if err != nil {
		return nil, fmt.Errorf("read readings: %w", err)
	}
	list := group(rows, q.source, wanted)
	if !slices.ContainsFunc(list, func(s series) bool { return !q.parts || s.metric != health.Bodyweight }) {
		return nil, q.none()
	}
	return list, nil
}

// around returns instants that enclose the days in every time zone, and that
// both engines know.
func around(first, last dbtype.Date) (from, to dbtype.Time) {
	start, end := store.Day(first), store.Day(last)
	if start.After(firstDay) {
		start = start.AddDate(0, 0, -1)
	}
	if end.Year() < 9999 {
		end = end.AddDate(0, 0, 2)
	}
	return dbtype.At(start.Add(time.Microsecond)), dbtype.At(end) // the zero time is none
}

// none says that nothing was measured.
func (q question) none() error {
	text := "No " + q.word + "readings"
	if q.source != "" {
		text += " from source " + fault.Clip(q.source)
	}
	if q.bounded {
		text += fmt.Sprintf(" between %s and %s", q.first, q.last)
	}
	return fault.Missing("%s.", text)
}

// group cuts rows, which are in the order of series, into series.
func group(rows []store.ReadingsRow, source string, wanted func(health.Metric) bool) []series {
	var list []series
	for _, r := range rows {
		label, metric := r.Kind+"/"+r.Name, health.Metric(r.Metric)
		if source != "" && label != source || !wanted(metric) {
			continue
		}
		if n := len(list); n == 0 || list[n-1].source != label || list[n-1].metric != metric || list[n-1].unit != r.Unit {
			list = append(list, series{source: label, metric: metric, unit: r.Unit})
		}
		s := &list[len(list)-1]
		s.readings = append(s.readings, health.Reading{At: r.MeasuredAt.Time, Day: store.Day(r.LocalDay), Milli: r.ValueMilli})
	}
	for i := range list {
		s := &list[i]
		s.daily = health.Daily(s.readings)
		tenths, pairs, ok := health.Swing(s.daily)
		if s.pairs = pairs; ok {
			s.swing = &tenths
		}
	}
	return list
}

func (s series) latest() health.Reading { return s.readings[len(s.readings)-1] }

func (s series) latestOut() Latest {
	return Latest{Value: units(s.latest().Milli), MeasuredAt: dbtype.At(s.latest().At)}
}

func (s series) firstDay() dbtype.Date { return store.Date(s.daily[0].Day) }
func (s series) lastDay() dbtype.Date  { return store.Date(s.daily[len(s.daily)-1].Day) }

// text tells the latest value and how much it means.
func (s series) text() string {
	return health.SwingText(s.latest().Milli, s.unit, valueOr(s.swing, 0), s.swing != nil)
}

// units returns thousandths as a number of units.
func units(milli int64) float64 { return float64(milli) / 1000 }

// tenthsOut returns tenths as a number of units; nil stays nil.
func tenthsOut(tenths *int64) *float64 {
	if tenths == nil {
		return nil
	}
	v := float64(*tenths) / 10
	return &v
}

// counted is a number with its word: "1 day", "2 days".
func counted(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// severalSources is the warning for an answer in which sources share a metric.
func severalSources(list []series) string {
	by := map[health.Metric]string{}
	for _, s := range list {
		if other, seen := by[s.metric]; seen && other != s.source {
			return "Different sources measure differently; do not compare them with each other."
		}
		by[s.metric] = s.source
	}
	return ""
}

// lines joins the lines of an answer, leaving out empty ones.
func joinLines(list []string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), "\n")
}

func checkSource(source *string) error {
	return tooLong("A source", "source", source, strength.MaxName+20)
}
