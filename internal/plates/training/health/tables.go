package health

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
	"time"
)

// table reads comma-separated lines, which may differ in length.
func table(in io.Reader) *csv.Reader {
	r := csv.NewReader(in)
	r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = -1, true, true
	return r
}

// rows hands the lines behind the header on; one that is no line of a table is
// rejected.
func rows(r *csv.Reader, into *Reader, each func(line int, cells []string) error) error {
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		into.moved()
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
			into.Reject(wrong.Line, "the line cannot be read")
			continue
		}
		if err != nil {
			return fmt.Errorf("read the table: %w", err)
		}
		line, _ := r.FieldPos(0)
		if err := each(line, cells); err != nil {
			return err
		}
	}
}

var withingsColumns = map[string]Metric{
	"weight": Bodyweight, "fat mass": FatMass, "bone mass": BoneMass, "muscle mass": MuscleMass, "hydration": BodyWaterMass,
}

type column struct {
	metric Metric
	unit   string
}

// withings reads the export of Withings: a column a metric, the unit in the
// header, times without a zone.
func (f File) withings(in io.Reader, into *Reader) error {
	r := table(in)
	header, err := r.Read()
	if err != nil {
		return ErrUnknown
	}
	columns := map[int]column{}
	for i, h := range header {
		name, unit, said := strings.Cut(strings.ToLower(strings.TrimSuffix(h, ")")), " (")
		metric, wanted := withingsColumns[name]
		if !wanted {
			continue // the date, and comments
		}
		if !said {
			unit = f.Unit
		}
		if unit == "" {
			return ErrNoUnit
		}
		columns[i] = column{metric, unit}
	}
	return rows(r, into, func(line int, cells []string) error {
		at, ok := moment(time.DateTime, cells[0], f.Zone)
		if !ok {
			into.Reject(line, fmt.Sprintf("%.40q is not a time", cells[0]))
			return nil
		}
		for i, text := range cells {
			c, wanted := columns[i]
			if text = strings.TrimSpace(text); !wanted || text == "" {
				continue
			}
			if err := into.cell(Line{Number: line, Metric: c.metric, Unit: c.unit, Text: text, At: at}); err != nil {
				return err
			}
		}
		return nil
	})
}

// cell takes one value of a table.
func (r *Reader) cell(l Line) error {
	value, ok := parse(l.Text)
	if !ok {
		r.Reject(l.Number, fmt.Sprintf("%.40q is not a number", l.Text))
		return nil
	}
	return r.take(l, value)
}

var garminColumns = map[string]struct{ mass, percent Metric }{
	"Weight": {mass: Bodyweight}, "BMI": {}, "Body Fat": {percent: BodyFatPercent},
	"Skeletal Muscle Mass": {mass: MuscleMass}, "Bone Mass": {mass: BoneMass}, "Body Water": {mass: BodyWaterMass, percent: BodyWaterPercent},
}

// garmin reads the export of Garmin: a line with a date, then lines with times
// of that day; the unit is in each cell.
func (f File) garmin(in io.Reader, into *Reader) error {
	r := table(in)
	header, err := r.Read()
	if err != nil {
		return ErrUnknown
	}
	date := ""
	return rows(r, into, func(line int, cells []string) error {
		first := strings.TrimSpace(cells[0])
		if strings.Join(cells[1:], "") == "" {
			date = first
			return nil
		}
		at, ok := moment("Jan 2, 2006 3:04 PM", date+" "+first, f.Zone)
		if !ok {
			into.Reject(line, fmt.Sprintf("%.40q is not a time", strings.TrimSpace(date+" "+first)))
			return nil
		}
		for i := 1; i < min(len(cells), len(header)); i++ {
			text := strings.TrimSpace(cells[i])
			if _, wanted := garminColumns[header[i]]; !wanted || strings.Trim(text, "-–—") == "" {
				continue
			}
			l := garminCell(header[i], text)
			l.Number, l.At = line, at
			if err := into.cell(l); err != nil {
				return err
			}
		}
		return nil
	})
}

// garminCell reads "180.0 lbs", "27.9 %" or the bare "25.8" of a BMI.
func garminCell(name, text string) Line {
	value, unit, _ := strings.Cut(text, " ")
	kind := garminColumns[name]
	switch {
	case name == "BMI":
		return Line{Metric: BMI, Unit: MassIndex, Text: value}
	case unit == "%":
		return Line{Metric: kind.percent, Unit: Percent, Text: value}
	}
	return Line{Metric: kind.mass, Unit: strings.TrimSuffix(unit, "s"), Text: value}
}

// csv reads the product's own table: measured_at,metric,value,unit[,source].
func (f File) csv(in io.Reader, into *Reader) error {
	r := table(in)
	if _, err := r.Read(); err != nil {
		return ErrUnknown
	}
	return rows(r, into, func(line int, cells []string) error {
		if len(cells) < 4 {
			into.Reject(line, "the line has fewer than four cells")
			return nil
		}
		own := ownRow{At: cells[0], Metric: cells[1], Value: cells[2], Unit: cells[3]}
		if len(cells) > 4 {
			own.Source = cells[4]
		}
		return f.own(line, own, into)
	})
}

// ownRow is a reading as the product itself writes it.
type ownRow struct{ At, Metric, Value, Unit, Source string }

func (f File) own(line int, o ownRow, into *Reader) error {
	at, ok := moment(time.RFC3339Nano, o.At, time.UTC)
	if !ok {
		into.Reject(line, fmt.Sprintf("%.40q is not an instant", o.At))
		return nil
	}
	l := Line{
		Number: line, Source: strings.TrimSpace(o.Source), Metric: Metric(strings.TrimSpace(o.Metric)),
		Unit: strings.TrimSpace(o.Unit), Text: strings.TrimSpace(o.Value), At: at,
	}
	if l.Unit == "" {
		l.Unit = f.Unit
	}
	return into.cell(l)
}

// hundredfold turns a fraction into a percentage: 0.279 into 27.9.
func hundredfold(v *big.Rat) (percent *big.Rat, text string) {
	percent = new(big.Rat).Mul(v, big.NewRat(100, 1))
	text = percent.FloatString(6)
	return percent, strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
