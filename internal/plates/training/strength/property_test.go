package strength

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestConvertComesBack(t *testing.T) {
	t.Parallel()
	for w := 45; w <= 595; w += 5 {
		for from := 2; from <= 5; from++ {
			for to := 1; to < from; to++ {
				there := Convert(w, from, to, bar45)
				if back := Convert(there, to, from, bar45); back != w {
					t.Errorf("%dx%d is %dx%d, which is %dx%d", w, from, there, to, back, from)
				}
			}
		}
	}
}

// TestPerSideIsGreedyOnTheDefaultRack holds that fewest plates and heaviest
// first are the same loading for every total the default rack can make.
func TestPerSideIsGreedyOnTheDefaultRack(t *testing.T) {
	t.Parallel()
	rack := DefaultRack()
	for total := 45; total <= 399; total++ {
		got, ok := rack.PerSide(total)
		left := (total - rack.Bar) * 50
		var greedy []PlateCount
		for _, p := range rack.owned() {
			if n := min(p.Pairs, left/p.Hundredths); n > 0 {
				greedy, left = append(greedy, PlateCount{p.Hundredths, n}), left-n*p.Hundredths
			}
		}
		if ok != (left == 0) || (ok && !slices.Equal(got, greedy)) {
			t.Errorf("%d lb is %v, heaviest first gives %v with %d left", total, got, greedy, left)
		}
	}
}

// TestPerSideAgainstBruteForce compares the search, for sampled racks of up to
// five denominations and three pairs, with every loading there is.
func TestPerSideAgainstBruteForce(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	sizes := []int{4500, 3500, 2500, 2000, 1500, 1000, 500, 250, 125, 100, 75, 50, 25, 551, 2205}
	for range 1500 {
		random.Shuffle(len(sizes), func(i, j int) { sizes[i], sizes[j] = sizes[j], sizes[i] })
		rack := Rack{Bar: 15 + random.IntN(60)}
		for _, size := range sizes[:1+random.IntN(5)] {
			rack.Plates = append(rack.Plates, PlatePairs{size, 1 + random.IntN(3)})
		}
		best := everyLoading(rack.owned())
		for total := rack.Bar; total < rack.Bar+300; total++ {
			checkLoading(t, rack, total, best[(total-rack.Bar)*50])
		}
	}
}

// everyLoading maps each weight of one side to the counts of its best loading:
// fewest plates, then more of the heaviest.
func everyLoading(plates []PlatePairs) map[int][]int {
	best := map[int][]int{0: make([]int, len(plates))}
	counts := make([]int, len(plates))
	for {
		i := len(counts) - 1
		for i >= 0 && counts[i] == plates[i].Pairs {
			counts[i] = 0
			i--
		}
		if i < 0 {
			return best
		}
		counts[i]++
		weight := 0
		for j, n := range counts {
			weight += n * plates[j].Hundredths
		}
		if known := best[weight]; known == nil || better(counts, known) {
			best[weight] = slices.Clone(counts)
		}
	}
}

func better(a, b []int) bool {
	if x, y := sum(a), sum(b); x != y {
		return x < y
	}
	return slices.Compare(a, b) > 0
}

func sum(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

func checkLoading(t *testing.T, rack Rack, total int, want []int) {
	t.Helper()
	got, ok := rack.PerSide(total)
	if ok != (want != nil) {
		t.Fatalf("%d on %v: loadable %v, want %v", total, rack, ok, want != nil)
	}
	var wantCounts []PlateCount
	for i, n := range want {
		if n > 0 {
			wantCounts = append(wantCounts, PlateCount{rack.owned()[i].Hundredths, n})
		}
	}
	if !slices.Equal(got, wantCounts) {
		t.Fatalf("%d on %v: %v, want %v", total, rack, got, wantCounts)
	}
}

// TestGeneratedLoads trains random lifts on random racks for a block and holds
// what every generated session promises.
func TestGeneratedLoads(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	sizes := []int{1000, 500, 250, 150, 125, 100, 50}
	outcomes := []Outcome{Met, Short, Untrained}
	for range 2000 {
		l := written(1+random.IntN(20), 1+random.IntN(12), 1+random.IntN(600))
		l.Barbell, l.Main = random.IntN(3) > 0, random.IntN(2) > 0
		l.Rule = []Progression{Linear, Strikes, Fixed}[random.IntN(3)]
		d := Day{PreferredReps: random.IntN(6), Ascending: random.IntN(4) > 0}
		var history []Session
		for d.Week = 1; d.Week <= 8; d.Week++ {
			d.Deload = random.IntN(4) == 0
			d.Rack = rackOf(15+random.IntN(50), 2, 4500, sizes[random.IntN(len(sizes))])
			made := mustGenerate(t, l, d, history)
			checkSession(t, l, d, made)
			o := outcomes[random.IntN(len(outcomes))]
			history = append(history, sessionOf(l, d, d.Week, d.Deload, made.Working, o))
		}
	}
}

func checkSession(t *testing.T, l Lift, d Day, made Generated) {
	t.Helper()
	g := d.Rack.Grid(l.Barbell)
	for _, s := range slices.Concat(made.Warmups, made.Working) {
		if s.Weight < g.Floor() || (s.Weight-g.Origin)%g.Increment != 0 {
			t.Fatalf("%+v on %+v wrote %d, which is not on the grid %+v", l, d.Rack, s.Weight, g)
		}
	}
	if len(made.Working) != l.Written.Sets {
		t.Fatalf("%+v wrote %d sets", l, len(made.Working))
	}
	if !slices.IsSortedFunc(made.Working, func(a, b Set) int { return a.Weight - b.Weight }) {
		t.Fatalf("%+v wrote working sets that get lighter: %v", l, made.Working)
	}
	for i, s := range made.Warmups[min(1, len(made.Warmups)):] {
		if s.Weight <= made.Warmups[i].Weight || s.Weight >= made.Working[0].Weight {
			t.Fatalf("%+v ramps %v up to %v", l, made.Warmups, made.Working)
		}
	}
	if made.Reason == "" || len(made.Reason) > MaxReason {
		t.Fatalf("%+v gives the reason %q", l, made.Reason)
	}
}

func FuzzLadder(f *testing.F) {
	f.Add(165, 4, true, 5, 45)
	f.Add(50, 3, true, 5, 45)
	f.Add(10, 20, true, 5, 0)
	f.Fuzz(func(t *testing.T, steps, n int, ascending bool, increment, bar int) {
		g := Grid{Increment: 1 + abs(increment)%100, Origin: abs(bar) % 200}
		top := g.Floor() + abs(steps)%400*g.Increment
		n = 1 + abs(n)%20
		loads := Ladder(top, n, ascending, g)
		if len(loads) != n || loads[n-1] != top {
			t.Fatalf("%d sets up to %d on %+v: %v", n, top, g, loads)
		}
		for i, w := range loads {
			if w < max(g.Origin, 1) || (w-g.Origin)%g.Increment != 0 || (i > 0 && w < loads[i-1]) {
				t.Fatalf("%d sets up to %d on %+v: %v", n, top, g, loads)
			}
		}
	})
}

// abs keeps the result non-negative for every int, the lowest included.
func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

func FuzzPerSide(f *testing.F) {
	f.Add(165, 45, uint64(0))
	f.Add(2000, 45, uint64(7))
	f.Fuzz(func(t *testing.T, total, bar int, seed uint64) {
		random := rand.New(rand.NewPCG(seed, seed))
		rack := Rack{Bar: 1 + abs(bar)%200}
		for range 1 + random.IntN(8) {
			rack.Plates = append(rack.Plates, PlatePairs{25 + random.IntN(5000), 1 + random.IntN(10)})
		}
		total = abs(total) % 2001
		counts, ok := rack.PerSide(total)
		if !ok {
			return
		}
		weight := 0
		for i, c := range counts {
			weight += c.Count * c.Hundredths
			if i > 0 && c.Hundredths > counts[i-1].Hundredths {
				t.Fatalf("%v is not heaviest first", counts)
			}
		}
		if weight*2 != (total-rack.Bar)*100 {
			t.Fatalf("%d on %v: %v weighs %d a side", total, rack, counts, weight)
		}
	})
}
