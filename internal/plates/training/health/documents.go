package health

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"time"
)

var appleTypes = map[string]Metric{
	"HKQuantityTypeIdentifierBodyMass": Bodyweight, "HKQuantityTypeIdentifierBodyFatPercentage": BodyFatPercent,
	"HKQuantityTypeIdentifierLeanBodyMass": LeanMass, "HKQuantityTypeIdentifierBodyMassIndex": BMI,
}

// apple reads the export of Apple Health as a stream. Entities are never
// resolved: a file that defines some is refused.
func (f File) apple(in io.Reader, into *Reader) error {
	d := xml.NewDecoder(in)
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if errors.Is(err, ErrLine) || errors.Is(err, ErrBomb) {
			return err
		}
		if err != nil {
			return fmt.Errorf("%w (%w)", ErrXML, err)
		}
		into.moved()
		switch t := token.(type) {
		case xml.Directive:
			if bytes.Contains(t, []byte("<!ENTITY")) {
				return ErrEntities
			}
		case xml.StartElement:
			if t.Name.Local != "Record" {
				continue
			}
			line, _ := d.InputPos()
			if err := appleRecord(line, t.Attr, into); err != nil {
				return err
			}
		}
	}
}

func appleRecord(line int, attributes []xml.Attr, into *Reader) error {
	a := map[string]string{}
	for _, one := range attributes {
		a[one.Name.Local] = one.Value
	}
	metric, wanted := appleTypes[a["type"]]
	if !wanted {
		return nil
	}
	at, ok := moment("2006-01-02 15:04:05 -0700", a["startDate"], time.UTC)
	if !ok {
		into.Reject(line, fmt.Sprintf("%.40q is not a time", a["startDate"]))
		return nil
	}
	l := Line{Number: line, Source: a["sourceName"], Metric: metric, Unit: a["unit"], Text: a["value"], At: at}
	value, ok := parse(l.Text)
	if !ok {
		into.Reject(line, fmt.Sprintf("%.40q is not a number", l.Text))
		return nil
	}
	switch metric {
	case BodyFatPercent: // the export holds a fraction
		value, l.Text = hundredfold(value)
	case BMI:
		l.Unit = MassIndex // the export says "count"
	}
	return into.take(l, value)
}

// json reads an array of the product's own readings.
func (f File) json(in io.Reader, into *Reader) error {
	d := json.NewDecoder(in)
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return ErrUnknown
	}
	for n := 1; d.More(); n++ {
		into.moved()
		var one struct {
			At     string `json:"measured_at"`
			Metric string `json:"metric"`
			Value  any    `json:"value"`
			Unit   string `json:"unit"`
			Source string `json:"source"`
		}
		err := d.Decode(&one)
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			into.Reject(n, fmt.Sprintf("%s is of the wrong type", wrong.Field))
			continue
		}
		if errors.Is(err, ErrLine) {
			return err
		}
		if err != nil {
			return fmt.Errorf("%w (%w)", ErrJSON, err)
		}
		if err := f.own(n, ownRow{one.At, one.Metric, fmt.Sprint(one.Value), one.Unit, one.Source}, into); err != nil {
			return err
		}
	}
	return nil
}
