package strength

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Rack is the equipment of one lifter: the bar in pounds and the owned plates.
// A rack without plates stands for the standard plates.
type Rack struct {
	Bar    Pounds
	Plates []PlatePairs
}

// PlatePairs says how many pairs of one plate are owned. The plate's weight is
// in hundredths of a pound: 250 is the 2.5 lb plate.
type PlatePairs struct {
	Hundredths int
	Pairs      int
}

// PlateCount is how many of one plate go on each side of the bar, the plate's
// weight in hundredths of a pound.
type PlateCount struct {
	Hundredths int
	Count      int
}

// DefaultRack returns the standard rack: a 45 lb bar and two pairs each of 45,
// 25, 10, 5 and 2.5 lb.
func DefaultRack() Rack {
	return Rack{Bar: 45, Plates: standardPlates()}
}

func standardPlates() []PlatePairs {
	return []PlatePairs{{4500, 2}, {2500, 2}, {1000, 2}, {500, 2}, {250, 2}}
}

// owned returns the plates there are, heaviest first.
func (r Rack) owned() []PlatePairs {
	plates := make([]PlatePairs, 0, len(r.Plates))
	for _, p := range r.Plates {
		if p.Hundredths > 0 && p.Pairs > 0 {
			plates = append(plates, p)
		}
	}
	if len(plates) == 0 {
		return standardPlates()
	}
	slices.SortFunc(plates, func(a, b PlatePairs) int { return cmp.Compare(b.Hundredths, a.Hundredths) })
	return plates
}

// Increment is the smallest whole-pound change the rack can make on both
// sides: twice the lightest plate or, where that is a fraction of a pound, its
// smallest whole multiple.
func (r Rack) Increment() Pounds {
	plates := r.owned()
	lightest := plates[len(plates)-1].Hundredths
	// A pair weighs lightest/50 lb; in lowest terms the numerator is the first
	// whole multiple.
	return lightest / gcd(lightest, 50)
}

// Grid returns the loads this rack can hold, from the bar for barbell work and
// from 0 for everything else.
func (r Rack) Grid(barbell bool) Grid {
	g := Grid{Increment: r.Increment()}
	if barbell {
		g.Origin = r.Bar
	}
	return g
}

// PerSide returns the plates to put on each side of the bar for a total load
// in pounds, heaviest first: the fewest plates, and among equals more of the
// heaviest. The bare bar is an empty, non-nil list. It returns nil and false
// when the owned pairs cannot make the total exactly.
func (r Rack) PerSide(total Pounds) ([]PlateCount, bool) {
	if total < r.Bar || total <= 0 {
		return nil, false
	}
	s := newPlateSearch(r.owned())
	s.try(0, (total-r.Bar)*50, 0)
	if s.fewest == math.MaxInt {
		return nil, false
	}
	counts := make([]PlateCount, 0, len(s.best))
	for i, n := range s.best {
		if n > 0 {
			counts = append(counts, PlateCount{s.plates[i].Hundredths, n})
		}
	}
	return counts, true
}

// Label returns the text of PerSide for a total, empty when the rack cannot
// hold it.
func (r Rack) Label(total Pounds) string {
	counts, _ := r.PerSide(total)
	return Label(counts)
}

// Label writes the plates of one side, such as "1×45 2×10". The bare bar (an
// empty list) is "—"; nil, a load that cannot be made, is empty text.
func Label(counts []PlateCount) string {
	if counts == nil {
		return ""
	}
	if len(counts) == 0 {
		return "—"
	}
	words := make([]string, len(counts))
	for i, c := range counts {
		words[i] = fmt.Sprintf("%d×%s", c.Count, PlateText(c.Hundredths))
	}
	return strings.Join(words, " ")
}

// PlateText writes a plate's weight in pounds without trailing zeros: 250
// hundredths is "2.5".
func PlateText(hundredths int) string {
	if hundredths%100 == 0 {
		return strconv.Itoa(hundredths / 100)
	}
	text := fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
	return strings.TrimRight(text, "0")
}

// ParsePlate reads a plate's weight in pounds, such as "45" or "2.5", into
// hundredths. It returns false for anything finer than a hundredth or not a
// plain positive number.
func ParsePlate(text string) (hundredths int, ok bool) {
	whole, fraction, dotted := strings.Cut(strings.TrimSpace(text), ".")
	if len(whole) > 6 || len(fraction) > 2 || !digits(whole) || (dotted && !digits(fraction)) {
		return 0, false
	}
	hundredths, err := strconv.Atoi(whole + (fraction + "00")[:2])
	return hundredths, err == nil && hundredths > 0
}

// digits reports whether the text is one or more of 0 to 9.
func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
