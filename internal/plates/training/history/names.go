package history

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"tectonic/internal/plates/training/strength"
)

// synonyms are names of other apps, folded, and ours.
var synonyms = map[string]string{
	"squat (barbell)": "Back Squat", "barbell squat": "Back Squat", "squat": "Back Squat", "high bar squat (barbell)": "Back Squat", "barbell back squat": "Back Squat",
	"flat barbell bench press": "Bench Press", "barbell bench press": "Bench Press", "incline barbell bench press": "Incline Bench Press", "decline barbell bench press": "Decline Bench Press",
	"bench press - close grip (barbell)": "Close-Grip Bench Press", "bench press close grip (barbell)": "Close-Grip Bench Press", "close grip barbell bench press": "Close-Grip Bench Press",
	"bench press - wide grip (barbell)": "Wide-Grip Bench Press", "barbell deadlift": "Deadlift", "sumo deadlift (barbell)": "Sumo Deadlift",
	"stiff leg deadlift (barbell)": "Stiff-Leg Deadlift", "stiff-legged deadlift": "Stiff-Leg Deadlift", "straight leg deadlift (barbell)": "Stiff-Leg Deadlift", "straight leg deadlift": "Stiff-Leg Deadlift",
	"barbell romanian deadlift": "Romanian Deadlift", "deadlift (trap bar)": "Trap Bar Deadlift", "trap bar deadlift": "Trap Bar Deadlift", "hex bar deadlift": "Trap Bar Deadlift", "rack pull (barbell)": "Rack Pull",
	"barbell front squat": "Front Squat", "barbell row": "Bent Over Row", "bent over row (barbell)": "Bent Over Row", "bent over barbell row": "Bent Over Row", "pendlay row (barbell)": "Pendlay Row",
	"overhead press (barbell)": "Overhead Press", "standing overhead press (barbell)": "Overhead Press", "strict military press (barbell)": "Overhead Press", "military press (barbell)": "Overhead Press",
	"shoulder press (barbell)": "Overhead Press", "standing military press (barbell)": "Overhead Press", "barbell overhead press": "Overhead Press", "ohp": "Overhead Press",
	"seated overhead press (barbell)": "Seated Overhead Press", "push press (barbell)": "Push Press", "hip thrust (barbell)": "Barbell Hip Thrust", "glute bridge (barbell)": "Barbell Glute Bridge",
	"shrug (barbell)": "Barbell Shrug", "bicep curl (barbell)": "Barbell Curl", "biceps curl (barbell)": "Barbell Curl", "barbell curl": "Barbell Curl", "skullcrusher (barbell)": "Barbell Skull Crusher",
	"floor press (barbell)": "Floor Press", "good morning (barbell)": "Good Morning", "power clean (barbell)": "Power Clean", "hang clean (barbell)": "Hang Clean", "power snatch (barbell)": "Power Snatch",
}

var barbellTag = regexp.MustCompile(`(?i)\s*\(barbell\)$`)

// OnBarbell reports whether the app's name says that a movement is done with a
// barbell.
func OnBarbell(name string) bool { return strings.Contains(strings.ToLower(name), "barbell") }

// Candidates returns what a movement of another app may be called here, the
// likeliest first: its own name, a known other one, and its name without the
// word that tells the equipment.
func Candidates(name string) []string {
	list := []string{name}
	if other := synonyms[strength.NameKey(name)]; other != "" {
		list = append(list, other)
	}
	if barbellTag.MatchString(name) {
		bare := barbellTag.ReplaceAllString(name, "")
		list = append(list, bare, "Barbell "+bare)
	}
	return list
}

// Close returns at most n of the names that look like one, the closest first.
func Close(name string, names []string, n int) []string {
	type scored struct {
		name  string
		score float64
	}
	var found []scored
	pairs := bigrams(name)
	for _, other := range names {
		if s := alike(pairs, bigrams(other)); s >= 0.45 {
			found = append(found, scored{other, s})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	list := make([]string, 0, n)
	for _, f := range found[:min(n, len(found))] {
		list = append(list, f.name)
	}
	return list
}

// bigrams are the pairs of neighbouring letters of each word.
func bigrams(name string) map[string]bool {
	pairs := map[string]bool{}
	for _, word := range strings.FieldsFunc(strength.NameKey(name), func(r rune) bool { return strings.ContainsRune(" ()-,/", r) }) {
		letters := []rune(" " + word)
		for i := 1; i < len(letters); i++ {
			pairs[string(letters[i-1:i+1])] = true
		}
	}
	return pairs
}

// alike is the share of pairs that two names have in common (Dice 1945).
func alike(a, b map[string]bool) float64 {
	common := 0
	for p := range a {
		if b[p] {
			common++
		}
	}
	if len(a)+len(b) == 0 {
		return 0
	}
	return 2 * float64(common) / float64(len(a)+len(b))
}
