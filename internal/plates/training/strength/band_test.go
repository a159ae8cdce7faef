package strength

import "testing"

func TestEstimateBandMisjudgesTheEffortByOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name              string
		weight, reps, rpe int
		want              Band
	}{
		{"five at 8 has no easier row", 155, 5, 8, Band{Low: 185, Harder: 9, Easier: 7}},
		{"an unrated set is an 8", 155, 5, 0, Band{Low: 185, Harder: 9, Easier: 7}},
		{"three at 8", 165, 3, 8, Band{Low: 186, High: 197, Harder: 9, Easier: 7}},
		{"nothing is harder than 10", 155, 3, 10, Band{High: 175, Easier: 9}},
		{"a single at 9 that was all there was", 200, 1, 9, Band{Low: 200, High: 216, Harder: 10, Easier: 8}},
		{"no weight", 0, 3, 8, Band{Harder: 9, Easier: 7}},
	} {
		if got := EstimateBand(c.weight, c.reps, c.rpe); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// What a lifter sees is always inside what the band says.
func TestEstimateLiesInItsBand(t *testing.T) {
	t.Parallel()
	for weight := 45; weight <= 600; weight += 5 {
		for reps := 1; reps <= 7; reps++ {
			for rpe := 6; rpe <= 10; rpe++ {
				best, b := Estimate(weight, reps, rpe), EstimateBand(weight, reps, rpe)
				if best == 0 {
					continue
				}
				if b.Low > best || b.High != 0 && b.High < best {
					t.Fatalf("%dx%d at %d: %d is not in %+v", weight, reps, rpe, best, b)
				}
			}
		}
	}
}
