package strength

import (
	"slices"
	"time"
)

// WeekStart returns the day on which a week of a block opens; weeks count from
// 1 and need not start on a Monday.
func WeekStart(start time.Time, week int) time.Time {
	return start.AddDate(0, 0, 7*(week-1))
}

// DateOf returns the date of a training day: the first matching weekday (0 =
// Sunday) within the seven days of its week.
func DateOf(start time.Time, week, weekday int) time.Time {
	opens := WeekStart(start, week)
	return opens.AddDate(0, 0, (weekday-int(opens.Weekday())+7)%7)
}

// WeekOn returns the number of the block's week that contains a day, or 0 when
// the block, whose week numbers are given, does not cover it.
func WeekOn(start, day time.Time, weeks []int) int {
	if day.Before(start) {
		return 0
	}
	number := int(day.Sub(start)/(7*24*time.Hour)) + 1
	if !slices.Contains(weeks, number) {
		return 0
	}
	return number
}
