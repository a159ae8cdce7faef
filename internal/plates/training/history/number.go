package history

import (
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"tectonic/internal/plates/training/strength"
)

var plain = regexp.MustCompile(`^[-−]?\d{1,7}(\.\d{1,10})?$`)

// decimal reads a number with a point or a comma before its fraction; nil is
// an empty cell.
func decimal(cell string) (*big.Rat, bool) {
	cell = strings.ReplaceAll(strings.TrimSpace(cell), "\u00a0", "")
	if cell == "" || cell == "-" {
		return nil, true
	}
	point, comma := strings.LastIndexByte(cell, '.'), strings.LastIndexByte(cell, ',')
	switch {
	case comma > point: // the comma is the fraction's
		cell = strings.ReplaceAll(cell, ".", "")
		cell = strings.Replace(cell, ",", ".", 1)
	case point > comma:
		cell = strings.ReplaceAll(cell, ",", "")
	}
	if !plain.MatchString(cell) {
		return nil, false
	}
	return new(big.Rat).SetString(strings.Replace(cell, "−", "-", 1))
}

// whole reads a number without a fraction, which may be written as 5.0.
func whole(cell string) (int, bool) {
	v, ok := decimal(cell)
	if !ok || v == nil {
		return 0, ok
	}
	return int(new(big.Int).Quo(v.Num(), v.Denom()).Int64()), v.IsInt()
}

var clock = regexp.MustCompile(`^(?:(\d{1,3}):)?(\d{1,2}):(\d{2})(?:\.\d+)?$`)

// duration reads seconds, or h:mm:ss, or mm:ss. An empty cell is 0; a part of
// a second is cut off.
func duration(cell string) (int, bool) {
	if m := clock.FindStringSubmatch(cell); m != nil {
		hours, _ := strconv.Atoi(m[1]) // none is 0
		minutes, _ := strconv.Atoi(m[2])
		seconds, _ := strconv.Atoi(m[3])
		return hours*3600 + minutes*60 + seconds, true
	}
	v, ok := decimal(cell)
	if !ok || v == nil {
		return 0, ok
	}
	return int(new(big.Int).Quo(v.Num(), v.Denom()).Int64()), true
}

// effort reads an RPE to the nearest whole number, halves up; 0 when there is
// none from 1 to 10.
func effort(cell string) int {
	v, ok := decimal(cell)
	if !ok || v == nil || v.Sign() < 0 {
		return 0
	}
	n := nearest(v)
	if n < 1 || n > 10 {
		return 0
	}
	return n
}

// nearest rounds a number that is not negative, halves up.
func nearest(v *big.Rat) int {
	n := new(big.Int).Mul(v.Num(), big.NewInt(2))
	n.Add(n, v.Denom())
	return int(n.Quo(n, new(big.Int).Mul(v.Denom(), big.NewInt(2))).Int64())
}

// poundsOf returns the nearest whole pound, and whether it is exactly what was
// written.
func poundsOf(v *big.Rat, unit string) (pounds int, exact bool) {
	if unit == "kg" {
		return strength.PoundsFromGrams(nearest(new(big.Rat).Mul(v, big.NewRat(1000, 1)))), false
	}
	return nearest(v), v.IsInt()
}
