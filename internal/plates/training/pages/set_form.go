package pages

import (
	"strconv"

	"tectonic/internal/web"
	"tectonic/internal/web/ui"
)

// setForm writes a set by hand or corrects one.
type setForm struct {
	Workout   workoutView
	Set       setView // ID 0 = a new one
	Exercises []ui.Option
	Back      string // where to go afterwards: "session" or "" for the record
	Form      web.Form
}

func (f setForm) title() string {
	if f.Set.ID == 0 {
		return "Add a set"
	}
	return "Edit " + f.Set.Exercise + " " + f.Set.load()
}

// action is where the form is posted.
func (f setForm) action() string {
	if f.Set.ID == 0 {
		return f.Workout.path() + "/sets/new"
	}
	return f.Set.path()
}

func (f setForm) crumb() []web.Link {
	return []web.Link{{Text: "History", Href: "/workouts"}, {Text: web.LongDay(f.Workout.Date), Href: f.Workout.path()}}
}

// leaves is where a finished or a cancelled form leads.
func (f setForm) leaves() string { return leaves(f.Workout.ID, f.Back) }

func leaves(workout int64, back string) string {
	if back == "session" {
		return workoutPath(workout) + "/session"
	}
	return workoutPath(workout)
}

// chosen is the exercise that the form shows as selected.
func (f setForm) chosen() string {
	if f.Set.ExerciseID == 0 {
		return ""
	}
	return strconv.FormatInt(f.Set.ExerciseID, 10)
}

// blankZero is the number as text, "" for none.
func blankZero(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
