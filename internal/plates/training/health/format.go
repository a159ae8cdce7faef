package health

import (
	"bufio"
	"bytes"
	"io"
	"math/big"
	"regexp"
	"strings"
	"time"
)

// Format is a kind of file that readings come in.
type Format string

// The formats.
const (
	Withings    Format = "withings"
	Garmin      Format = "garmin"
	AppleHealth Format = "apple_health"
	CSV         Format = "csv"
	JSON        Format = "json"
)

// Unreadable is why a file is refused as a whole: a full sentence, because it
// is shown as it is.
type Unreadable string

// Error returns the sentence.
func (u Unreadable) Error() string { return string(u) }

// What a file is refused for.
const (
	ErrUnknown  Unreadable = "Could not tell what kind of export this is. Choose a format."
	ErrNoUnit   Unreadable = "This file does not say kg or lb. Choose a unit."
	ErrEntities Unreadable = "The file defines XML entities, which this import does not read."
	ErrTooMany  Unreadable = "The file holds more than 1000000 readings; import it in parts."
	ErrXML      Unreadable = "The file is not whole XML."
	ErrJSON     Unreadable = "The file is not whole JSON."
	ErrLine     Unreadable = "A line of the file is longer than 1 MB, so this is not an export."
	ErrZip      Unreadable = "The zip file holds no export.xml."
	ErrBomb     Unreadable = "The zip file unpacks to far more than an export holds."
)

// mostReadings is how many readings one file may bring.
const mostReadings = 1_000_000

// Line is one reading of a file. Source is the name that the file gives its
// instrument, "" when it gives none.
type Line struct {
	Number int // of the line it stands on
	Source string
	Metric Metric
	Unit   string
	Text   string // the value as written
	Milli  int64
	At     time.Time
}

// File is what is known of a file beside its contents.
type File struct {
	Format Format         // "" = find out
	Unit   string         // of weights, where the file does not say
	Zone   *time.Location // of times without one
}

// Reader takes in what a file holds. A rejected line never stops the file.
type Reader struct {
	Add    func(Line) error
	Reject func(line int, why string)
	count  int
	moved  func() // the file is past a line, so another may follow
}

// Read reads a file from its beginning to its end and returns its format.
func (f File) Read(r io.Reader, into *Reader) (Format, error) {
	guard := &stretch{from: r}
	into.moved = guard.restart
	in := bufio.NewReaderSize(guard, 64<<10)
	head, _ := in.Peek(1024) // a short file is short
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3)
		head = head[3:]
	}
	if f.Format == "" {
		f.Format = recognise(string(head))
	}
	switch f.Format {
	case Withings:
		return f.Format, f.withings(in, into)
	case Garmin:
		return f.Format, f.garmin(in, into)
	case AppleHealth:
		return f.Format, f.apple(in, into)
	case CSV:
		return f.Format, f.csv(in, into)
	case JSON:
		return f.Format, f.json(in, into)
	}
	return "", ErrUnknown
}

func recognise(head string) Format {
	head = strings.TrimSpace(head)
	for start, format := range map[string]Format{
		`Date,"Weight`: Withings, "Date,Weight": Withings, "Time,Weight,": Garmin, "<?xml": AppleHealth, "<HealthData": AppleHealth,
		"measured_at,metric,value,unit": CSV, "[": JSON,
	} {
		if strings.HasPrefix(head, start) {
			return format
		}
	}
	return ""
}

// take hands a reading on, or rejects it when it cannot be one.
func (r *Reader) take(l Line, value *big.Rat) error {
	if r.count++; r.count > mostReadings {
		return ErrTooMany
	}
	l.Milli = thousandths(value)
	if why := l.Metric.Check(l.Unit, l.Milli); why != "" {
		r.Reject(l.Number, why)
		return nil
	}
	return r.Add(l)
}

var number = regexp.MustCompile(`^\d{1,9}(\.\d{1,18})?$`)

// parse reads a plain decimal number.
func parse(text string) (*big.Rat, bool) {
	if !number.MatchString(text) || len(text) > 32 {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// thousandths rounds a value that is not negative, halves up.
func thousandths(v *big.Rat) int64 {
	n := new(big.Int).Mul(v.Num(), big.NewInt(2000))
	n.Add(n, v.Denom())
	return n.Quo(n, new(big.Int).Mul(v.Denom(), big.NewInt(2))).Int64()
}

// Parse reads a value as it is written and returns its thousandths.
func Parse(text string) (milli int64, ok bool) {
	v, ok := parse(text)
	if !ok {
		return 0, false
	}
	return thousandths(v), true
}

// Recognise returns the format of a file by its beginning, "" when it is none
// of them.
func Recognise(content string) Format { return recognise(strings.TrimPrefix(content, "\xef\xbb\xbf")) }

// moment reads a time as a layout writes it, in a zone where it names none.
func moment(layout, text string, zone *time.Location) (time.Time, bool) {
	at, err := time.ParseInLocation(layout, strings.TrimSpace(text), zone)
	return at, err == nil
}
