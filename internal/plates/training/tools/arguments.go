package tools

import (
	"strings"
	"time"
	"unicode/utf8"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// inRange refuses a number outside its range; nil is no number.
func inRange(r strength.Range, name string, n *int64) error {
	if n == nil || r.Has(int(*n)) {
		return nil
	}
	return fault.BadArgument("%s", r.OutOfRange(int(*n))).At(name)
}

// checkAll returns the first refusal.
func checkAll(checks ...error) error {
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	return nil
}

// readDay reads 'today' or YYYY-MM-DD; the name is the argument's.
func readDay(text, name string, today dbtype.Date) (dbtype.Date, error) {
	trimmed := strings.TrimSpace(text)
	if strings.EqualFold(trimmed, "today") {
		return today, nil
	}
	day, err := strength.ParseDay(trimmed)
	if err != nil || day.Before(firstDay) {
		return "", fault.BadArgument("Couldn't read \"%s\" as a date; use 'today' or YYYY-MM-DD.", fault.Clip(text)).At(name)
	}
	return store.Date(day), nil
}

// firstDay is the first that both engines know.
var firstDay = store.Day(store.FirstDay)

// earliest is the first date that a workout may have.
var earliest = time.Date(1900, time.January, 1, 0, 0, 0, 0, time.UTC)

// readWorkoutDay reads a date that a workout may have: from 1900 to five years
// from today.
func readWorkoutDay(text, name string, today dbtype.Date) (dbtype.Date, error) {
	day, err := readDay(text, name, today)
	if err != nil {
		return "", err
	}
	last := store.Day(today).AddDate(5, 0, 0)
	if at := store.Day(day); at.Before(earliest) || at.After(last) {
		return "", fault.BadArgument("Date %s is out of range; use 1900-01-01 to %s.", day, strength.FormatDay(last)).At(name)
	}
	return day, nil
}

// tooLong refuses a text that its column would not hold.
func tooLong(label, name string, text *string, most int) error {
	if text == nil || utf8.RuneCountInString(*text) <= most {
		return nil
	}
	return fault.BadArgument("%s is too long; use at most %d characters.", label, most).At(name)
}

// exerciseName checks the name of a movement and returns it trimmed, with
// runs of blanks collapsed.
func exerciseName(name string) (string, error) {
	trimmed := strings.Join(strings.Fields(name), " ")
	switch {
	case trimmed == "":
		return "", fault.BadArgument("An exercise needs a non-empty name.").At("name")
	case utf8.RuneCountInString(trimmed) > strength.MaxName:
		return "", fault.BadArgument("An exercise name is too long; use at most %d characters.", strength.MaxName).At("name")
	}
	return trimmed, nil
}

func missing(kind string, id int64) error {
	return fault.Missing("No %s with id %d on this account.", kind, id)
}

// limitOr checks a limit and fills in the usual one.
func limitOr(n *int64, usual int) (int, error) {
	if n == nil {
		return usual, nil
	}
	return int(*n), inRange(strength.LimitRange, "limit", n)
}

func author(who contract.Caller) store.Author {
	return store.Author{Account: who.Account, Client: who.Client}
}

// blankAsNone reads an empty text as none.
func blankAsNone(text *string) *string {
	if text == nil || strings.TrimSpace(*text) == "" {
		return nil
	}
	return text
}
