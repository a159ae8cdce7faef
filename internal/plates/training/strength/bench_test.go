package strength

import "testing"

func BenchmarkPerSide(b *testing.B) {
	crowded := rackOf(45, 50, 4409, 3307, 2205, 1102, 551, 276, 110, 2500, 1000, 500, 250)
	for _, c := range []struct {
		name  string
		rack  Rack
		total int
	}{
		{"default rack", DefaultRack(), 395},
		{"default rack, not loadable", DefaultRack(), 393},
		{"eleven plates, fifty pairs", crowded, 1999},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.rack.PerSide(c.total)
			}
		})
	}
}

func BenchmarkGenerateLift(b *testing.B) {
	l := written(4, 5, 155)
	d := Day{Week: 12, Weekday: 1, PreferredReps: 3, Ascending: true, Rack: DefaultRack()}
	var history []Session
	for week := 1; week < 12; week++ {
		history = append(history, sessionOf(l, d, week, week%4 == 0, []Set{{Weight: 165, Reps: 3}}, Met))
	}
	for b.Loop() {
		if _, err := GenerateLift(l, d, history, noMax); err != nil {
			b.Fatal(err)
		}
	}
}
