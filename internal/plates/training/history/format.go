package history

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"tectonic/internal/plates/training/strength"
)

// Format is the app that wrote a file.
type Format string

// The formats. CSV is any table whose columns are named as ours, or as
// File.Columns says.
const (
	Strong   Format = "strong"
	Hevy     Format = "hevy"
	FitNotes Format = "fitnotes"
	CSV      Format = "csv"
)

// Title returns the app's name for people.
func (f Format) Title() string {
	return map[Format]string{Strong: "Strong", Hevy: "Hevy", FitNotes: "FitNotes", CSV: "Table"}[f]
}

// Unreadable is why a file is refused as a whole: a full sentence, because it
// is shown as it is.
type Unreadable string

// Error returns the sentence.
func (u Unreadable) Error() string { return string(u) }

// What a file is refused for.
const (
	ErrEmpty   Unreadable = "The file is empty."
	ErrUnknown Unreadable = "Could not tell what kind of export this is. Choose a format."
	ErrNoUnit  Unreadable = "This file does not say kg or lb. Choose a unit."
	ErrTooMany Unreadable = "The file holds more than 1000000 sets; import it in parts."
	ErrLine    Unreadable = "A line of the file is longer than 1 MB, so this is not an export."
)

// ErrColumn is the refusal of a table without a column that it needs.
func ErrColumn(name string) Unreadable {
	return Unreadable(fmt.Sprintf("The file has no column %q.", name))
}

const (
	mostSets       = 1_000_000
	longestStretch = 1 << 20 // bytes between one line and the next
)

// File is what is known of a file beside its contents.
type File struct {
	Format   Format         // "" = find out
	Unit     string         // kg or lb, where the file does not say
	Zone     *time.Location // of the session's clock
	DayFirst *bool          // how 03/04/2026 is read; nil = it is rejected
	// Columns says which column of a table holds what: "exercise" to
	// "Movement". The keys are the names of Roles.
	Columns map[string]string
}

// Set is one lifted set of a file.
type Set struct {
	Line        int
	WorkoutKey  string // names the session; 32 hexadecimal digits
	Key         string // names the set; 32 hexadecimal digits
	Start       time.Time
	Title       string // of the session
	About       string // notes on the session
	Exercise    string // as the file names the movement
	Weight      int    // pounds; 0 = no external load
	Written     string // the weight as written, "42.5 kg"; "" without one
	Changed     bool   // Weight is not the number of pounds that was written
	Reps        int
	Seconds     int
	Warmup      bool
	RPE         int // 1 to 10; 0 = none
	Note        string
	PlainNumber int // of the set among those of its movement in the session, from 1
}

// Notes joins the title of the session and the notes on it, at most 2000
// characters.
func (s Set) Notes() string {
	return clip(strings.TrimSpace(s.Title+"\n"+s.About), longestNote)
}

const longestNote = 2000

func clip(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most])
}

// Reader takes in what a file holds.
type Reader struct {
	Add     func(Set) error
	Reject  func(line int, why string)
	Skipped int // lines that are no sets and were not meant to be

	count int
	seen  map[[16]byte]int // sets of a movement in a session
	last  struct{ place, note string }
}

// Read reads a file from its beginning to its end. It returns the file with
// its format and the unit that its weights are in, "" where each line says.
func (f File) Read(r io.Reader, into *Reader) (File, error) {
	if f.Zone == nil {
		f.Zone = time.UTC
	}
	guard := &stretch{from: r}
	in := bufio.NewReaderSize(decoded(bufio.NewReaderSize(guard, 64<<10)), 64<<10)
	head, _ := in.Peek(4096) // a short file is short
	if len(bytes.TrimSpace(head)) == 0 {
		return f, ErrEmpty
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return f, ErrUnknown // no text
	}
	rows := csv.NewReader(in)
	rows.Comma = comma(head)
	rows.FieldsPerRecord, rows.LazyQuotes, rows.ReuseRecord = -1, true, true
	names, err := rows.Read()
	if err != nil {
		return f, unreadable(err)
	}
	t, err := f.table(clean(names))
	if err != nil {
		return f, err
	}
	into.seen = map[[16]byte]int{}
	return t.File, t.rows(rows, guard, into)
}

// decoded reads UTF-16 where a mark says so, else UTF-8 without its mark.
func decoded(in *bufio.Reader) io.Reader {
	mark, _ := in.Peek(3)
	switch {
	case bytes.HasPrefix(mark, []byte{0xff, 0xfe}), bytes.HasPrefix(mark, []byte{0xfe, 0xff}):
		return transform.NewReader(in, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
	case bytes.HasPrefix(mark, []byte{0xef, 0xbb, 0xbf}):
		_, _ = in.Discard(3)
	}
	return in
}

// comma returns what separates the cells of the first line.
func comma(head []byte) rune {
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	best, most := ',', 0
	for _, c := range []rune{',', ';', '\t'} {
		if n := bytes.Count(line, []byte(string(c))); n > most {
			best, most = c, n
		}
	}
	return best
}

// clean copies cells, since the reader uses them again, and makes text of them.
func clean(cells []string) []string {
	list := make([]string, len(cells))
	for i, c := range cells {
		list[i] = text(c)
	}
	return list
}

// text makes a cell storable: bytes that are no UTF-8 are read as the Latin
// letters that they most likely are, control characters go.
func text(cell string) string {
	if !utf8.ValidString(cell) {
		cell, _ = charmap.Windows1252.NewDecoder().String(cell)
		cell = strings.ToValidUTF8(cell, "")
	}
	cell = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' {
			return -1
		}
		return r
	}, cell)
	return strings.TrimSpace(cell)
}

func unreadable(err error) error {
	if errors.Is(err, ErrLine) {
		return ErrLine
	}
	if errors.Is(err, io.EOF) {
		return ErrEmpty
	}
	if _, ok := errors.AsType[*csv.ParseError](err); ok {
		return ErrUnknown
	}
	return fmt.Errorf("read the file: %w", err)
}

// rows reads the lines behind the header.
func (t table) rows(r *csv.Reader, guard *stretch, into *Reader) error {
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		guard.done = 0
		if wrong, ok := errors.AsType[*csv.ParseError](err); ok {
			into.Reject(wrong.Line, "the line cannot be read")
			continue
		}
		if err != nil {
			return unreadable(err)
		}
		line, _ := r.FieldPos(0)
		if blank(cells) {
			continue
		}
		if into.count++; into.count > mostSets {
			return ErrTooMany
		}
		if err := t.line(line, cells, into); err != nil {
			return err
		}
	}
}

func blank(cells []string) bool {
	for _, c := range cells {
		if strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

// stretch ends with ErrLine where the next line does not come.
type stretch struct {
	from io.Reader
	done int
}

func (s *stretch) Read(p []byte) (int, error) {
	if s.done > longestStretch {
		return 0, ErrLine
	}
	n, err := s.from.Read(p)
	s.done += n
	return n, err
}

// number names the set: it is the n-th of its movement in its session.
func (into *Reader) number(s *Set, app Format) {
	session := sum(string(app), s.Start.Format("2006-01-02 15:04:05"), s.Title)
	movement := sum(string(session[:]), strength.NameKey(s.Exercise))
	into.seen[movement]++
	s.PlainNumber = into.seen[movement]
	set := sum(string(movement[:]), fmt.Sprint(s.PlainNumber))
	s.WorkoutKey, s.Key = hex.EncodeToString(session[:]), hex.EncodeToString(set[:])
}

func sum(parts ...string) [16]byte {
	full := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return [16]byte(full[:16])
}
