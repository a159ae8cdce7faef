package history

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	isoMoment  = regexp.MustCompile(`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})`)
	dayTime    = regexp.MustCompile(`(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*([AaPp])?`)
	offset     = regexp.MustCompile(`(Z|[+-]\d{2}:?\d{2})$`)
	numbersDay = regexp.MustCompile(`^(\d{1,2})([./-])(\d{1,2})[./-](\d{4})`)
	words      = regexp.MustCompile(`\p{L}+`)
	numbers    = regexp.MustCompile(`\d+`)
)

// months are the beginnings of the names of months in the languages of the
// exports: English, German, French, Spanish, Italian, Portuguese and Dutch.
var months = map[string]time.Month{
	"jan": 1, "ene": 1, "gen": 1, "feb": 2, "fév": 2, "fev": 2, "mar": 3, "mär": 3, "mrz": 3, "maa": 3, "mrt": 3, "apr": 4, "avr": 4, "abr": 4,
	"may": 5, "mai": 5, "mag": 5, "mei": 5, "jun": 6, "juin": 6, "giu": 6, "jul": 7, "juil": 7, "lug": 7, "aug": 8, "aoû": 8, "aou": 8, "ago": 8,
	"sep": 9, "set": 9, "oct": 10, "okt": 10, "oto": 10, "ott": 10, "out": 10, "nov": 11, "dec": 12, "dez": 12, "déc": 12, "dic": 12,
}

// month reads the name of a month, 0 when it is none.
func month(word string) time.Month {
	letters := []rune(strings.ToLower(word))
	for n := min(len(letters), 4); n >= 3; n-- {
		if m := months[string(letters[:n])]; m != 0 {
			return m
		}
	}
	return 0
}

// moment reads when a session began. A time without a zone is the clock's in
// the file's; a day without a time is noon.
func (t table) moment(cell string) (at time.Time, why string) {
	cell = strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(cell)
	why = fmt.Sprintf("%.40q is no date", cell)
	if cell == "" {
		return at, "the line has no date"
	}
	day, ok, ambiguous := t.day(cell)
	if ambiguous {
		return at, fmt.Sprintf("%.40q could be two days; say whether the day comes first", cell)
	}
	if !ok {
		return at, why
	}
	if day.Year() < 1900 || day.Year() > 9999 {
		return at, fmt.Sprintf("the year %d is out of range", day.Year())
	}
	hour, minute, second, ok := timeOfDay(cell)
	if !ok {
		return at, why
	}
	zone := t.Zone
	if m := offset.FindString(cell); m != "" && dayTime.MatchString(cell) {
		if o, err := time.Parse("-0700", strings.ReplaceAll(strings.Replace(m, "Z", "+0000", 1), ":", "")); err == nil {
			return time.Date(day.Year(), day.Month(), day.Day(), hour, minute, second, 0, o.Location()).In(zone), ""
		}
	}
	return time.Date(day.Year(), day.Month(), day.Day(), hour, minute, second, 0, zone), ""
}

func timeOfDay(cell string) (hour, minute, second int, ok bool) {
	m := dayTime.FindStringSubmatch(cell)
	if m == nil {
		return 12, 0, 0, true
	}
	hour, _ = strconv.Atoi(m[1]) // all digits
	minute, _ = strconv.Atoi(m[2])
	second, _ = strconv.Atoi(m[3]) // none is 0
	switch half := strings.ToLower(m[4]); {
	case half != "" && (hour < 1 || hour > 12):
		return 0, 0, 0, false
	case half == "p" && hour < 12:
		hour += 12
	case half == "a" && hour == 12:
		hour = 0
	}
	return hour, minute, second, hour < 24 && minute < 60 && second < 60
}

// day reads the day of a moment.
func (t table) day(cell string) (day time.Time, ok, ambiguous bool) {
	if m := isoMoment.FindStringSubmatch(cell); m != nil {
		day, ok = date(m[1], m[2], m[3])
		return day, ok, false
	}
	if m := numbersDay.FindStringSubmatch(cell); m != nil {
		return t.numbered(m)
	}
	rest := dayTime.ReplaceAllString(cell, " ")
	for _, word := range words.FindAllString(rest, -1) {
		if m := month(word); m != 0 {
			n := numbers.FindAllString(rest, -1)
			switch {
			case len(n) >= 2 && len(n[1]) == 4:
				day, ok = date(n[1], strconv.Itoa(int(m)), n[0])
			case len(n) >= 2 && len(n[0]) == 4:
				day, ok = date(n[0], strconv.Itoa(int(m)), n[1])
			}
			return day, ok, false
		}
	}
	return day, false, false
}

// numbered reads 13/4/2026 and 4.13.2026. Points put the day first.
func (t table) numbered(m []string) (day time.Time, ok, ambiguous bool) {
	first, _ := strconv.Atoi(m[1]) // all digits
	second, _ := strconv.Atoi(m[3])
	dayFirst := m[2] == "." || first > 12
	switch {
	case t.DayFirst != nil && m[2] != ".":
		dayFirst = *t.DayFirst
	case m[2] != "." && first <= 12 && second <= 12 && first != second:
		return day, false, true
	}
	if dayFirst {
		day, ok = date(m[4], m[3], m[1])
	} else {
		day, ok = date(m[4], m[1], m[3])
	}
	return day, ok, false
}

func date(year, month, day string) (time.Time, bool) {
	y, _ := strconv.Atoi(year) // all digits
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	at := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	return at, at.Year() == y && int(at.Month()) == m && at.Day() == d
}
