package strength

import "fmt"

// perSideMark follows the label of a set whose count is per side.
const perSideMark = " per side"

// SetLabel writes a set in the short form of plain text: 155x3, x10 without
// load, 60s timed, 70x45s timed with load, each with " per side" where the
// count is per side.
func SetLabel(s Set, perSide bool) string {
	return withSide(shortLabel(s), perSide)
}

func shortLabel(s Set) string {
	switch {
	case s.Seconds > 0 && s.Weight > 0:
		return fmt.Sprintf("%dx%ds", s.Weight, s.Seconds)
	case s.Seconds > 0:
		return fmt.Sprintf("%ds", s.Seconds)
	case s.Weight > 0:
		return fmt.Sprintf("%dx%d", s.Weight, s.Reps)
	default:
		return fmt.Sprintf("x%d", s.Reps)
	}
}

// LoadLabel writes a set in the form of pages: 155 × 3, 10 reps without load,
// 60s timed, 70 × 45s timed with load, each with " per side" where the count
// is per side.
func LoadLabel(s Set, perSide bool) string {
	return withSide(longLabel(s), perSide)
}

func longLabel(s Set) string {
	switch {
	case s.Seconds > 0 && s.Weight > 0:
		return fmt.Sprintf("%d × %ds", s.Weight, s.Seconds)
	case s.Seconds > 0:
		return fmt.Sprintf("%ds", s.Seconds)
	case s.Weight > 0:
		return fmt.Sprintf("%d × %d", s.Weight, s.Reps)
	case s.Reps == 1:
		return "1 rep"
	default:
		return fmt.Sprintf("%d reps", s.Reps)
	}
}

func withSide(label string, perSide bool) string {
	if perSide {
		return label + perSideMark
	}
	return label
}
