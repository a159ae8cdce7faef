package strength

import (
	"fmt"
	"testing"
)

// bar45 is the grid of the default rack.
var bar45 = Grid{Increment: 5, Origin: 45}

func TestToIncrement(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ num, den, increment, want int }{
		{155, 1, 5, 155},
		{156, 1, 5, 155},
		{157, 1, 5, 155},
		{158, 1, 5, 160},
		{1575, 10, 5, 160},
		{1125, 10, 5, 115},
		{1485, 10, 5, 150},
		{23, 1, 10, 20},
		{27, 1, 10, 30},
		{-3, 1, 5, -5},
		{-5, 2, 5, 0},
	} {
		if got := ToIncrement(c.num, c.den, c.increment); got != c.want {
			t.Errorf("ToIncrement(%d/%d, %d) = %d, want %d", c.num, c.den, c.increment, got, c.want)
		}
	}
}

func TestSnap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ w, increment, bar, want int }{
		{155, 5, 45, 155}, {155, 5, 33, 153}, {155, 5, 44, 154}, {158, 2, 45, 159}, {30, 5, 45, 45}, {2, 5, 0, 0},
	} {
		if got := (Grid{c.increment, c.bar}).Snap(c.w); got != c.want {
			t.Errorf("Snap(%d) by %d from %d = %d, want %d", c.w, c.increment, c.bar, got, c.want)
		}
	}
}

func TestIncrement(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		plates []int
		want   int
	}{
		{nil, 5},
		{[]int{4500, 100}, 2},
		{[]int{4500, 150}, 3},
		{[]int{125, 4500}, 5},
		{[]int{1000}, 20},
		{[]int{50}, 1},
		{[]int{25}, 1},
	} {
		if got := rackOf(45, 2, c.plates...).Increment(); got != c.want {
			t.Errorf("increment of %v = %d, want %d", c.plates, got, c.want)
		}
	}
}

func rackOf(bar, pairs int, plates ...int) Rack {
	r := Rack{Bar: bar}
	for _, p := range plates {
		r.Plates = append(r.Plates, PlatePairs{p, pairs})
	}
	return r
}

func TestTargetReps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ written, preferred, want int }{
		{5, 3, 3}, {5, 0, 5}, {8, 3, 8}, {3, 5, 3}, {4, 2, 2}, {5, 8, 5}, {5, 5, 5},
	} {
		if got := TargetReps(c.written, c.preferred); got != c.want {
			t.Errorf("TargetReps(%d, %d) = %d, want %d", c.written, c.preferred, got, c.want)
		}
	}
}

func TestConvert(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ w, from, to, want int }{
		{155, 5, 3, 165},
		{155, 5, 2, 170},
		{165, 3, 5, 155},
		{170, 3, 5, 160},
		{175, 3, 5, 165},
		{200, 5, 3, 215},
		{225, 5, 1, 255},
		{105, 8, 3, 105},
		{157, 5, 5, 155},
		{155, 5, 0, 155},
	} {
		if got := Convert(c.w, c.from, c.to, bar45); got != c.want {
			t.Errorf("Convert(%d, %d, %d) = %d, want %d", c.w, c.from, c.to, got, c.want)
		}
	}
}

func TestWorkingSets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lift      Lift
		preferred int
		flat      bool
		want      string
	}{
		{written(4, 5, 155), 3, false, "150x3 155x3 160x3 165x3"},
		{written(4, 5, 155), 3, true, "165x3 165x3 165x3 165x3"},
		{written(1, 5, 155), 0, false, "155x5"},
		{written(3, 8, 105), 3, false, "95x8 100x8 105x8"},
		{written(5, 5, 405), 0, false, "355x5 370x5 380x5 395x5 405x5"},
		{written(3, 5, 225), 0, false, "210x5 220x5 225x5"},
		{written(3, 8, 50), 0, false, "50x8 50x8 50x8"},
		{written(3, 8, 55), 0, false, "45x8 50x8 55x8"},
		{offBar(written(4, 8, 10)), 0, false, "10x8 10x8 10x8 10x8"},
		{offBar(written(4, 8, 20)), 0, false, "5x8 10x8 15x8 20x8"},
	} {
		d := Day{Week: 1, PreferredReps: c.preferred, Ascending: !c.flat, Rack: DefaultRack()}
		if got := setsText(mustGenerate(t, c.lift, d, nil).Working); got != c.want {
			t.Errorf("%d sets of %d at %d = %s, want %s", c.lift.Written.Sets, c.lift.Written.Reps, c.lift.Top, got, c.want)
		}
	}
}

// written is a main barbell lift that progresses linearly.
func written(sets, reps, top int) Lift {
	return Lift{
		Exercise: 1, Name: "Back Squat", Written: Written{Sets: sets, Reps: reps},
		Weighted: true, Barbell: true, Main: true, Rule: Linear, Top: top,
	}
}

func offBar(l Lift) Lift {
	l.Barbell = false
	return l
}

func TestRamp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		basis, bar, lightest int
		want                 string
	}{
		{155, 45, 0, "45x5 95x5 115x3 135x2"},
		{157, 45, 0, "45x5 95x5 120x3 135x2"},
		{225, 45, 0, "45x5 135x5 170x3 195x2"},
		{405, 45, 0, "45x5 245x5 305x3 355x2"},
		{136, 45, 0, "45x5 80x5 100x3 120x2"},
		{135, 45, 0, "45x5 95x5 120x3"},
		{100, 45, 0, "45x5 70x5 90x3"},
		{96, 45, 0, "45x5 65x5 85x3"},
		{95, 45, 0, "45x5 75x3"},
		{50, 45, 0, "45x5"},
		{45, 45, 0, "45x5"},
		{0, 45, 0, "45x5"},
		{155, 35, 0, "35x5 95x5 115x3 135x2"},
		{155, 45, 135, "45x5 95x5 115x3"},
		{155, 45, 45, "45x5"},
		{155, 0, 0, ""},
	} {
		if got := setsText(Ramp(c.basis, Grid{5, c.bar}, c.lightest)); got != c.want {
			t.Errorf("Ramp(%d, bar %d, lightest %d) = %s, want %s", c.basis, c.bar, c.lightest, got, c.want)
		}
	}
}

func TestLabelPerSide(t *testing.T) {
	t.Parallel()
	with35 := Rack{45, append(standardPlates(), PlatePairs{3500, 2})}
	for _, c := range []struct {
		total int
		rack  Rack
		want  string
	}{
		{45, DefaultRack(), "—"},
		{95, DefaultRack(), "1×25"},
		{115, DefaultRack(), "1×25 1×10"},
		{135, DefaultRack(), "1×45"},
		{150, DefaultRack(), "1×45 1×5 1×2.5"},
		{155, DefaultRack(), "1×45 1×10"},
		{160, DefaultRack(), "1×45 1×10 1×2.5"},
		{165, DefaultRack(), "1×45 1×10 1×5"},
		{170, DefaultRack(), "1×45 1×10 1×5 1×2.5"},
		{175, DefaultRack(), "1×45 2×10"},
		{395, DefaultRack(), "2×45 2×25 2×10 2×5 2×2.5"},
		{400, DefaultRack(), ""},
		{47, DefaultRack(), ""},
		{35, DefaultRack(), ""},
		{0, DefaultRack(), ""},
		{115, with35, "1×35"},
		{165, with35, "1×35 1×25"},
		{125, rackOf(45, 9, 4500, 3500, 2000), "2×20"},
		{105, rackOf(45, 2, 2000, 1500, 500), "2×15"},
		{65, rackOf(45, 1, 1000), "1×10"},
		{85, rackOf(45, 1, 1000), ""},
		{75, Rack{Bar: 35}, "2×10"},
		{47, rackOf(45, 2, 100), "1×1"},
		{50, rackOf(45, 2, 125), "2×1.25"},
	} {
		if got := c.rack.Label(c.total); got != c.want {
			t.Errorf("plates for %d on %v = %q, want %q", c.total, c.rack, got, c.want)
		}
	}
}

func TestParsePlate(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"45": 4500, "2.5": 250, "1.25": 125, " 0.1 ": 10, "35.00": 3500} {
		if got, ok := ParsePlate(text); !ok || got != want {
			t.Errorf("ParsePlate(%q) = %d, %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "0", "-5", "+5", "2.", ".5", "1.234", "1e3", "five", "99999999", "1.+5", "٤"} {
		if got, ok := ParsePlate(text); ok {
			t.Errorf("ParsePlate(%q) = %d, want it refused", text, got)
		}
	}
}

func TestOutcomeOf(t *testing.T) {
	t.Parallel()
	asked := Set{Weight: 165, Reps: 3}
	set := func(weight, reps int) Work {
		return Work{Exercise: 1, Planned: asked, Actual: Set{Weight: weight, Reps: reps}, Done: true}
	}
	open := Work{Exercise: 1, Planned: asked, Actual: asked}
	timed := func(seconds int) Work {
		return Work{Exercise: 1, Planned: Set{Seconds: 60}, Actual: Set{Seconds: seconds}, Done: true}
	}
	for _, c := range []struct {
		says string
		work []Work
		want Outcome
	}{
		{"no set", nil, Uncounted},
		{"only warm-ups", []Work{{Exercise: 1, Planned: asked, Warmup: true, Done: true}}, Uncounted},
		{"only sets without a plan", []Work{{Exercise: 1, Actual: asked, Done: true}}, Uncounted},
		{"only swapped sets", []Work{{Exercise: 2, Planned: asked, Actual: asked, Done: true}}, Uncounted},
		{"nothing done", []Work{open, open}, Untrained},
		{"done as written", []Work{set(165, 3), set(165, 3)}, Met},
		{"more weight", []Work{set(175, 3)}, Met},
		{"more reps", []Work{set(165, 5)}, Met},
		{"heavier for fewer reps", []Work{set(175, 2)}, Short},
		{"lighter", []Work{set(155, 3)}, Short},
		{"lifted without load", []Work{set(0, 3)}, Short},
		{"one of two done", []Work{set(165, 3), open}, Short},
		{"a swapped set beside a done one", []Work{set(165, 3), {Exercise: 2, Planned: asked}}, Met},
		{"an open set added by hand", []Work{set(165, 3), {Exercise: 1, Actual: Set{Weight: 185, Reps: 1}}}, Met},
		{"an open warm-up", []Work{set(165, 3), {Exercise: 1, Planned: asked, Warmup: true}}, Met},
		{"held long enough", []Work{timed(60)}, Met},
		{"let go early", []Work{timed(45)}, Short},
	} {
		t.Run(c.says, func(t *testing.T) {
			t.Parallel()
			if got := OutcomeOf(1, c.work); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	barbell := []struct {
		outcomes        []Outcome
		linear, strikes int
	}{
		{[]Outcome{Met}, 160, 160},
		{[]Outcome{Short, Met}, 145, 155},
		{[]Outcome{Short, Short}, 145, 150},
		{[]Outcome{Short, Met, Short}, 145, 155},
		{[]Outcome{Short, Untrained, Short}, 145, 150},
		{[]Outcome{Untrained}, 155, 155},
		{[]Outcome{Untrained, Short, Short}, 155, 155},
		{nil, 155, 155},
	}
	for _, c := range barbell {
		if got := Next(Linear, 155, c.outcomes, StepsFor(Linear, 0, 0, 5), 45); got != c.linear {
			t.Errorf("linear after %v = %d, want %d", c.outcomes, got, c.linear)
		}
		if got := Next(Strikes, 155, c.outcomes, StepsFor(Strikes, 0, 0, 5), 45); got != c.strikes {
			t.Errorf("strikes after %v = %d, want %d", c.outcomes, got, c.strikes)
		}
	}
	for _, c := range []struct {
		prev             int
		outcome          Outcome
		up, increment    int
		floor, wantLoads int
	}{
		{50, Short, 0, 5, 45, 45},
		{45, Short, 0, 5, 45, 45},
		{40, Short, 0, 5, 45, 40},
		{10, Short, 0, 5, 5, 5},
		{155, Met, 0, 2, 45, 161},
		{155, Met, 2, 2, 45, 157},
		{155, Met, 0, 10, 45, 165},
	} {
		steps := StepsFor(Linear, c.up, 0, c.increment)
		if got := Next(Linear, c.prev, []Outcome{c.outcome}, steps, c.floor); got != c.wantLoads {
			t.Errorf("%d %s by %d = %d, want %d", c.prev, c.outcome, c.increment, got, c.wantLoads)
		}
	}
}

func TestDeload(t *testing.T) {
	t.Parallel()
	for w, want := range map[int]int{180: 160, 165: 150, 175: 160, 155: 140, 160: 145, 200: 180, 45: 45} {
		if got := Deload(w, bar45); got != want {
			t.Errorf("Deload(%d) = %d, want %d", w, got, want)
		}
	}
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ weight, reps, rpe, want int }{
		{155, 5, 8, 191},
		{155, 5, 0, 191},
		{155, 3, 8, 180},
		{155, 3, 10, 168},
		{155, 3, 6, 191},
		{185, 2, 9, 200},
		{200, 1, 9, 209},
		{200, 2, 10, 209},
		{225, 1, 10, 225},
		{135, 8, 8, 0},
		{135, 5, 6, 0},
		{0, 5, 8, 0},
		{155, 0, 8, 0},
	} {
		if got := Estimate(c.weight, c.reps, c.rpe); got != c.want {
			t.Errorf("Estimate(%d, %d, %d) = %d, want %d", c.weight, c.reps, c.rpe, got, c.want)
		}
	}
}

func TestPercentLoad(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ estimated, percent, want int }{{191, 75, 145}, {200, 80, 160}, {247, 72, 180}} {
		if got := PercentLoad(c.estimated, c.percent, bar45); got != c.want {
			t.Errorf("%d%% of %d = %d, want %d", c.percent, c.estimated, got, c.want)
		}
	}
}

func TestBestEstimate(t *testing.T) {
	t.Parallel()
	monday := mustDay(t, "2026-03-02")
	good := Logged{Day: monday, Set: Set{Weight: 155, Reps: 5}, Done: true}
	heavier := func(change func(*Logged)) Logged {
		l := good
		l.Set.Weight = 300
		change(&l)
		return l
	}
	sets := []Logged{
		heavier(func(l *Logged) { l.Done = false }),
		heavier(func(l *Logged) { l.Warmup = true }),
		heavier(func(l *Logged) { l.PerSide = true }),
		heavier(func(l *Logged) { l.Set.Reps, l.Set.Seconds = 0, 30 }),
		heavier(func(l *Logged) { l.Set.Weight = 0 }),
		heavier(func(l *Logged) { l.Day = monday.AddDate(0, 0, 1) }),
		good, good,
	}
	if best, basis := BestEstimate(sets, monday); best != 191 || basis != 6 {
		t.Errorf("best %d from set %d, want 191 from set 6", best, basis)
	}
	if best, basis := BestEstimate(sets[:5], monday); best != 0 || basis != -1 {
		t.Errorf("best %d from set %d, want none", best, basis)
	}
}

func TestVolumeOf(t *testing.T) {
	t.Parallel()
	lifted := func(weight, reps int) Logged { return Logged{Set: Set{Weight: weight, Reps: reps}, Done: true} }
	side := lifted(95, 8)
	side.PerSide = true
	warmup := lifted(135, 2)
	warmup.Warmup = true
	plank := Logged{Set: Set{Seconds: 60}, Done: true}
	for _, c := range []struct {
		says string
		sets []Logged
		want Volume
	}{
		{"both sides count", []Logged{side, side, side}, Volume{Sets: 3, Reps: 48, Tonnage: 4560}},
		{
			"warm-ups do not count",
			[]Logged{warmup, lifted(150, 3), lifted(155, 3), lifted(160, 3), lifted(165, 3)},
			Volume{Sets: 4, Reps: 12, Tonnage: 1890},
		},
		{"unfinished sets do not count", []Logged{{Set: Set{Weight: 165, Reps: 3}}}, Volume{}},
		{"timed sets count seconds", []Logged{plank, plank, plank}, Volume{Sets: 3, Seconds: 180}},
	} {
		t.Run(c.says, func(t *testing.T) {
			t.Parallel()
			if got := VolumeOf(c.sets); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestWeeklyVolume(t *testing.T) {
	t.Parallel()
	today := mustDay(t, "2026-03-25") // a Wednesday
	on := func(day string, weight int) Logged {
		return Logged{Day: mustDay(t, day), Set: Set{Weight: weight, Reps: 1}, Done: true}
	}
	sets := []Logged{
		on("2026-03-02", 100), on("2026-03-08", 110), on("2026-03-27", 130),
		on("2026-01-04", 999), on("2026-03-30", 999), // before and after a window of 12 weeks
	}
	got := ""
	for _, w := range WeeklyVolume(sets, today, 12) {
		got += fmt.Sprintf("%s %d; ", FormatDay(w.Monday), w.Tonnage)
	}
	if want := "2026-03-02 210; 2026-03-09 0; 2026-03-16 0; 2026-03-23 130; "; got != want {
		t.Errorf("weeks %s, want %s", got, want)
	}
	got = ""
	for _, w := range WeeklyTop(sets, today, 12) {
		got += fmt.Sprintf("%s %d; ", FormatDay(w.Monday), w.Weight)
	}
	if want := "2026-03-02 110; 2026-03-23 130; "; got != want {
		t.Errorf("tops %s, want %s", got, want)
	}
	if got := FormatDay(WindowStart(today, 12)); got != "2026-01-05" {
		t.Errorf("window starts %s, want 2026-01-05", got)
	}
	if got := WeeklyVolume(sets[3:], today, 12); got != nil {
		t.Errorf("untrained window gives %v, want nil", got)
	}
}

func TestStatusOf(t *testing.T) {
	t.Parallel()
	today := mustDay(t, "2026-03-02")
	for _, c := range []struct {
		lifted, generated bool
		days              int
		want              Status
		word              string
	}{
		{true, true, 1, Performed, "trained"},
		{true, true, -1, Performed, "trained"},
		{true, false, 1, Performed, "trained"},
		{false, true, 1, Planned, "planned"},
		{false, true, 0, Planned, "planned"},
		{false, true, -1, Skipped, "missed"},
		{false, false, 1, Planned, "planned"},
		{false, false, 0, Performed, "trained"},
		{false, false, -1, Performed, "trained"},
	} {
		got := StatusOf(c.lifted, c.generated, today.AddDate(0, 0, c.days), today)
		if got != c.want || got.CalendarWord() != c.word {
			t.Errorf("lifted %v, generated %v, %+d days: %s, %s, want %s, %s",
				c.lifted, c.generated, c.days, got, got.CalendarWord(), c.want, c.word)
		}
	}
}

func TestDateOfAndWeekOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		start         string
		week, weekday int
		want          string
	}{
		{"2026-08-19", 1, 1, "2026-08-24"},
		{"2026-08-19", 1, 3, "2026-08-19"},
		{"2026-08-19", 2, 1, "2026-08-31"},
		{"2026-12-28", 2, 1, "2027-01-04"},
	} {
		if got := FormatDay(DateOf(mustDay(t, c.start), c.week, c.weekday)); got != c.want {
			t.Errorf("weekday %d of week %d from %s = %s, want %s", c.weekday, c.week, c.start, got, c.want)
		}
	}
	start := mustDay(t, "2026-08-19")
	for day, want := range map[string]int{
		"2026-08-18": 0, "2026-08-19": 1, "2026-08-25": 1, "2026-08-26": 2, "2026-09-15": 4, "2026-09-16": 0,
	} {
		if got := WeekOn(start, mustDay(t, day), upTo(4)); got != want {
			t.Errorf("week on %s = %d, want %d", day, got, want)
		}
	}
	if got := WeekOn(start, mustDay(t, "2026-08-26"), []int{1, 3}); got != 0 {
		t.Errorf("a week the block does not have is %d, want none", got)
	}
}

func TestCalendarMonth(t *testing.T) {
	t.Parallel()
	today := mustDay(t, "2026-03-02")
	for text, want := range map[string]string{
		"2026-02": "2026-02-01", "2021-03": "2021-03-01", "2031-03": "2031-03-01",
		"": "2026-03-01", "2026-13": "2026-03-01", "2021-02": "2026-03-01", "2031-04": "2026-03-01", "2026-3": "2026-03-01",
	} {
		if got := FormatDay(CalendarMonth(text, today)); got != want {
			t.Errorf("month %q shows %s, want %s", text, got, want)
		}
	}
}

func TestLabels(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		set         Set
		perSide     bool
		short, long string
	}{
		{Set{Weight: 155, Reps: 3}, false, "155x3", "155 × 3"},
		{Set{Reps: 10}, false, "x10", "10 reps"},
		{Set{Reps: 1}, false, "x1", "1 rep"},
		{Set{Seconds: 60}, false, "60s", "60s"},
		{Set{Weight: 70, Seconds: 45}, false, "70x45s", "70 × 45s"},
		{Set{Weight: 95, Reps: 8}, true, "95x8 per side", "95 × 8 per side"},
	} {
		if got := SetLabel(c.set, c.perSide); got != c.short {
			t.Errorf("SetLabel(%+v) = %q, want %q", c.set, got, c.short)
		}
		if got := LoadLabel(c.set, c.perSide); got != c.long {
			t.Errorf("LoadLabel(%+v) = %q, want %q", c.set, got, c.long)
		}
	}
}

func TestRowStateOf(t *testing.T) {
	t.Parallel()
	plan := Set{Weight: 165, Reps: 3}
	for _, c := range []struct {
		done         bool
		plan, actual Set
		want         RowState
	}{
		{false, plan, plan, Open},
		{true, plan, plan, AsPlanned},
		{true, plan, Set{Weight: 155, Reps: 3}, Changed},
		{true, plan, Set{Weight: 165, Reps: 4}, Changed},
		{true, Set{Seconds: 60}, Set{Seconds: 45}, Changed},
		{true, Set{}, plan, AsPlanned},
	} {
		if got := RowStateOf(c.done, c.plan, c.actual); got != c.want {
			t.Errorf("done %v, plan %v, actual %v = %s, want %s", c.done, c.plan, c.actual, got, c.want)
		}
	}
}

func TestKilogramsSurvivePounds(t *testing.T) {
	t.Parallel()
	for g := 0; g <= 650_000; g += halfKilogram {
		if got := GramsShown(PoundsFromGrams(g)); got != g {
			t.Fatalf("%d g comes back as %d g", g, got)
		}
	}
}

func TestRanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{WeightRange.OutOfRange(3000), "Weight 3000 is out of range; use 0-2000 lb."},
		{DurationRange.OutOfRange(0), "Duration 0 is out of range; use 1-3600 seconds."},
		{PercentRange.OutOfRange(201), "Percent of max 201 is out of range; use 1-200%."},
		{LimitRange.OutOfRange(500), "Limit 500 is out of range; use 1-200."},
		{BarWeightRange.OutOfRange(0), "Bar weight 0 is out of range; use 1-200 lb."},
		{PairsRange.OutOfRange(60), "Pairs 60 is out of range; use 0-50."},
		{PlateOutOfRange("0.1"), "Plate 0.1 lb is out of range; use 0.25-200 lb."},
		{WeekdayOutOfRange(7), "Weekday 7 is out of range; use 0 (Sunday) to 6 (Saturday)."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	if !RPERange.Has(10) || RPERange.Has(11) || RPERange.Has(0) || !PlateInRange(25) || PlateInRange(10) {
		t.Error("a range does not hold its own ends")
	}
	if !ValidWeekday(0) || !ValidWeekday(6) || ValidWeekday(7) || ValidWeekday(-1) {
		t.Error("weekdays run from 0 to 6")
	}
}

func TestLibrary(t *testing.T) {
	t.Parallel()
	want := map[string]int{
		"Competition": 3, "Squat": 11, "Hinge": 12, "Bench and press": 15, "Pull": 7, "Explosive": 6,
	}
	seen := make(map[string]bool)
	for _, group := range Library() {
		if got := len(group.Exercises); got != want[group.Name] {
			t.Errorf("group %s has %d movements, want %d", group.Name, got, want[group.Name])
		}
		for _, name := range group.Exercises {
			if seen[NameKey(name)] || PerSideByName(name) || !InLibrary(name) {
				t.Errorf("%s is there twice, is one-sided or is not found", name)
			}
			seen[NameKey(name)] = true
		}
	}
	if len(seen) != 54 {
		t.Errorf("%d movements, want 54", len(seen))
	}
}

func TestBlock0NeedsFourNewMovements(t *testing.T) {
	t.Parallel()
	unknown := 0
	for _, l := range Block0().Weeks[0].Days[0].Lifts {
		if !InLibrary(l.Name) {
			unknown++
		}
	}
	if unknown != 4 {
		t.Errorf("%d movements are not in the library, want 4", unknown)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"  Back   Squat ": "back squat", "BACK\tSQUAT": "back squat", "ＺPress": "zpress", "Fußheben": "fussheben",
		"Back\u00a0Squat": "back squat", "E\u0301lan": "élan", "": "",
	} {
		if got := NameKey(name); got != want {
			t.Errorf("NameKey(%q) = %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{
		"Bulgarian Split Squat", "Single-Arm Row", "single  arm row", "One-Arm Press", "one arm press",
		"Single-Leg RDL", "Single Leg RDL", "Pistol Squat", "Row per side",
	} {
		if !PerSideByName(name) {
			t.Errorf("%s is counted per side", name)
		}
	}
	if PerSideByName("Split Squat") {
		t.Error("Split Squat says nothing about sides")
	}
}
