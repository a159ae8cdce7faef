package strength

import (
	"math"
	"slices"
)

// plateSearch finds the fewest plates that weigh a given amount. It walks the
// plates heaviest first and tries the larger counts first, so among loadings
// with equally many plates the first one found has more of the heaviest. A
// branch is left as soon as it provably cannot beat the best so far.
type plateSearch struct {
	plates []PlatePairs // heaviest first
	holds  []int        // holds[i] = weight of all plates from i on
	grain  []int        // grain[i] = greatest common divisor of the plates from i on
	counts []int        // the loading being tried
	best   []int        // the best loading found
	fewest int          // plates in best, math.MaxInt while there is none
	seen   map[plateState]int
}

// plateState is what the rest of a search depends on.
type plateState struct{ plate, left int }

func newPlateSearch(plates []PlatePairs) *plateSearch {
	n := len(plates)
	s := &plateSearch{
		plates: plates,
		holds:  make([]int, n+1),
		grain:  make([]int, n+1),
		counts: make([]int, n),
		fewest: math.MaxInt,
	}
	for i := n - 1; i >= 0; i-- {
		s.holds[i] = s.holds[i+1] + plates[i].Hundredths*plates[i].Pairs
		s.grain[i] = gcd(s.grain[i+1], plates[i].Hundredths)
	}
	return s
}

// try completes the loading with plates from i on, given the hundredths of a
// pound left to make and the number of plates used so far.
func (s *plateSearch) try(i, left, used int) {
	if left == 0 {
		if used < s.fewest {
			s.fewest, s.best = used, slices.Clone(s.counts)
		}
		return
	}
	if s.hopeless(i, left, used) {
		return
	}
	weight := s.plates[i].Hundredths
	for n := min(s.plates[i].Pairs, left/weight); n >= 0; n-- {
		s.counts[i] = n
		s.try(i+1, left-n*weight, used+n)
	}
	s.counts[i] = 0
}

// hopeless reports whether no completion from here can be exact and use fewer
// plates than the best found.
func (s *plateSearch) hopeless(i, left, used int) bool {
	if left > s.holds[i] || left%s.grain[i] != 0 {
		return true
	}
	if s.fewest != math.MaxInt && used+ceilDiv(left, s.plates[i].Hundredths) >= s.fewest {
		return true
	}
	return s.triedBefore(plateState{i, left}, used)
}

// triedBefore reports whether the same state was searched with no more plates
// used; that visit found everything this one could. It bounds the work by
// plates times weight, however many pairs are owned.
func (s *plateSearch) triedBefore(at plateState, used int) bool {
	if at.plate == 0 || at.plate == len(s.plates)-1 {
		return false // the first plate is visited once, the last is one division
	}
	if before, ok := s.seen[at]; ok && before <= used {
		return true
	}
	if s.seen == nil {
		s.seen = make(map[plateState]int)
	}
	s.seen[at] = used
	return false
}
