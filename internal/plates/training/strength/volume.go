package strength

import "time"

// Volume is the training of some sets: their number, the counted reps, the
// pounds moved and the seconds held.
type Volume struct {
	Sets    int
	Reps    int
	Tonnage Pounds
	Seconds int
}

// CountedReps returns the reps of a set, both sides counted when the number is
// per side.
func CountedReps(reps int, perSide bool) int {
	if perSide {
		return 2 * reps
	}
	return reps
}

// add counts one set if it is training that happened.
func (v Volume) add(l Logged) Volume {
	if !l.trained() {
		return v
	}
	reps := CountedReps(l.Set.Reps, l.PerSide)
	v.Sets++
	v.Reps += reps
	v.Tonnage += l.Set.Weight * reps
	v.Seconds += l.Set.Seconds
	return v
}

// VolumeOf sums the sets; warm-ups and unfinished sets are not counted.
func VolumeOf(sets []Logged) Volume {
	var v Volume
	for _, s := range sets {
		v = v.add(s)
	}
	return v
}

// VolumeWindows are the spans a reader can choose, in weeks, the usual first.
var VolumeWindows = [...]int{12, 26, 52}

// WeekVolume is the training of the week that opens on Monday.
type WeekVolume struct {
	Monday time.Time
	Volume
}

// WindowStart returns the first Monday of a window of weeks that ends with
// this week, both included.
func WindowStart(today time.Time, weeks int) time.Time {
	return MondayOf(today).AddDate(0, 0, -7*(weeks-1))
}

// DayWork is what was trained of one lift on one day; Top is its heaviest
// load, 0 when none of it carried any.
type DayWork struct {
	Day time.Time
	Volume
	Top Pounds
}

// Plus returns the sum of two volumes.
func (v Volume) Plus(more Volume) Volume {
	return Volume{v.Sets + more.Sets, v.Reps + more.Reps, v.Tonnage + more.Tonnage, v.Seconds + more.Seconds}
}

// work returns the sets that are training that happened, one by one.
func work(sets []Logged) []DayWork {
	var days []DayWork
	for _, s := range sets {
		if s.trained() {
			days = append(days, DayWork{s.Day, Volume{}.add(s), s.Set.Weight})
		}
	}
	return days
}

// WeeklyVolume buckets sets into weeks that start on Monday, from the first
// trained week of the window to this week. Weeks off in between are zero, so
// that a chart shows them. It returns nil when nothing was trained.
func WeeklyVolume(sets []Logged, today time.Time, weeks int) []WeekVolume {
	return WeeksOf(work(sets), today, weeks)
}

// WeeksOf is WeeklyVolume of work that is counted by day already.
func WeeksOf(days []DayWork, today time.Time, weeks int) []WeekVolume {
	byWeek := make(map[time.Time]Volume)
	first := time.Time{}
	for _, d := range inWindow(days, today, weeks) {
		monday := MondayOf(d.Day)
		byWeek[monday] = byWeek[monday].Plus(d.Volume)
		if first.IsZero() || monday.Before(first) {
			first = monday
		}
	}
	if first.IsZero() {
		return nil
	}
	var filled []WeekVolume
	for monday := first; !monday.After(today); monday = monday.AddDate(0, 0, 7) {
		filled = append(filled, WeekVolume{Monday: monday, Volume: byWeek[monday]})
	}
	return filled
}

// WeekTop is the heaviest set of the week that opens on Monday.
type WeekTop struct {
	Monday time.Time
	Weight Pounds
}

// WeeklyTop returns the heaviest trained load of each week in the window,
// oldest first. Weeks without one are left out, never drawn as zero.
func WeeklyTop(sets []Logged, today time.Time, weeks int) []WeekTop {
	return TopsOf(work(sets), today, weeks)
}

// TopsOf is WeeklyTop of work that is counted by day already.
func TopsOf(days []DayWork, today time.Time, weeks int) []WeekTop {
	heaviest := make(map[time.Time]Pounds)
	for _, d := range inWindow(days, today, weeks) {
		monday := MondayOf(d.Day)
		heaviest[monday] = max(heaviest[monday], d.Top)
	}
	var tops []WeekTop
	for monday := WindowStart(today, weeks); !monday.After(today); monday = monday.AddDate(0, 0, 7) {
		if w := heaviest[monday]; w > 0 {
			tops = append(tops, WeekTop{Monday: monday, Weight: w})
		}
	}
	return tops
}

// inWindow returns the work dated from the start of the window to the end of
// this week.
func inWindow(days []DayWork, today time.Time, weeks int) []DayWork {
	start, end := WindowStart(today, weeks), MondayOf(today).AddDate(0, 0, 7)
	var in []DayWork
	for _, d := range days {
		if !d.Day.Before(start) && d.Day.Before(end) {
			in = append(in, d)
		}
	}
	return in
}
