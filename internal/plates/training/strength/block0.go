package strength

// Block is a whole programme as plain data.
type Block struct {
	Name          string
	Number        int
	PreferredReps int
	Ascending     bool
	Weeks         []BlockWeek
}

// BlockWeek is one week of a Block.
type BlockWeek struct {
	Number int
	Deload bool
	Days   []BlockDay
}

// BlockDay is one training day of a BlockWeek; weekday 0 is Sunday. Its lifts
// name their movement and have no exercise id yet.
type BlockDay struct {
	Weekday int
	Focus   string
	Lifts   []Lift
}

// Block0 returns the starting programme: four weeks of one squat day, the last
// a deload, every lift progressing linearly.
func Block0() Block {
	b := Block{Name: "Block 0", Number: 0, PreferredReps: 3, Ascending: true}
	for week := 1; week <= 4; week++ {
		day := BlockDay{Weekday: 1, Focus: "Squat", Lifts: block0Lifts()}
		b.Weeks = append(b.Weeks, BlockWeek{Number: week, Deload: week == 4, Days: []BlockDay{day}})
	}
	return b
}

func block0Lifts() []Lift {
	lifts := []Lift{
		{Name: "Back Squat", Written: Written{Sets: 4, Reps: 5}, Top: 155, Barbell: true, Main: true},
		{Name: "Decline Paused Bench", Written: Written{Sets: 3, Reps: 8}, Top: 105, Barbell: true},
		{Name: "Glute Press Machine", Written: Written{Sets: 3, Reps: 10}, Top: 135},
		{Name: "Heel-Elevated Paused Squat", Written: Written{Sets: 3, Reps: 5}, Top: 120, Barbell: true},
		{Name: "Barbell Good Morning", Written: Written{Sets: 3, Reps: 8}, Top: 75, Barbell: true},
	}
	for i := range lifts {
		lifts[i].Position, lifts[i].Weighted, lifts[i].Rule = i, true, Linear
	}
	return lifts
}
