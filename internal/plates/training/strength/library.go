package strength

import (
	"slices"
	"sync"
)

// LibraryGroup is one group of the built-in movements.
type LibraryGroup struct {
	Name      string
	Exercises []string
}

// Library returns the 54 built-in movements by group. All of them are on a
// barbell, counted in reps, two-sided and weighted.
func Library() []LibraryGroup {
	return []LibraryGroup{
		{"Competition", []string{"Back Squat", "Bench Press", "Deadlift"}},
		{"Squat", []string{
			"Front Squat", "High-Bar Squat", "Low-Bar Squat", "Pause Squat", "Box Squat", "Heel-Elevated Squat",
			"Tempo Squat", "Anderson Squat", "Safety Bar Squat", "Zercher Squat", "Overhead Squat",
		}},
		{"Hinge", []string{
			"Sumo Deadlift", "Deficit Deadlift", "Block Pull", "Rack Pull", "Paused Deadlift", "Romanian Deadlift",
			"Stiff-Leg Deadlift", "Snatch-Grip Deadlift", "Trap Bar Deadlift", "Good Morning", "Barbell Hip Thrust",
			"Barbell Glute Bridge",
		}},
		{"Bench and press", []string{
			"Close-Grip Bench Press", "Wide-Grip Bench Press", "Incline Bench Press", "Decline Bench Press",
			"Paused Bench Press", "Tempo Bench Press", "Spoto Press", "Larsen Press", "Floor Press", "Pin Press",
			"Board Press", "Overhead Press", "Seated Overhead Press", "Push Press", "Z Press",
		}},
		{"Pull", []string{
			"Bent Over Row", "Pendlay Row", "Yates Row", "Landmine Row", "Barbell Shrug", "Barbell Curl",
			"Barbell Skull Crusher",
		}},
		{"Explosive", []string{"Power Clean", "Hang Clean", "Clean Pull", "Power Snatch", "Snatch Pull", "Push Jerk"}},
	}
}

// LibraryNames returns the names of the built-in movements in library order.
func LibraryNames() []string {
	var names []string
	for _, group := range Library() {
		names = append(names, group.Exercises...)
	}
	return names
}

// libraryKeys holds the built-in names as they are compared, sorted.
var libraryKeys = sync.OnceValue(func() []string {
	keys := LibraryNames()
	for i, name := range keys {
		keys[i] = NameKey(name)
	}
	slices.Sort(keys)
	return keys
})

// InLibrary reports whether the name is one of the built-in movements, which
// is also the guess whether a new movement is on a barbell.
func InLibrary(name string) bool {
	_, found := slices.BinarySearch(libraryKeys(), NameKey(name))
	return found
}
