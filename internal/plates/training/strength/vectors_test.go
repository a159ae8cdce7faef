package strength

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const vectorFile = "../testdata/training-vectors.json"

// elsewhere returns what the tests of the packages say that run the areas which
// this one does not compute: of body readings, and of what is stored.
func elsewhere(t *testing.T) string {
	t.Helper()
	var said strings.Builder
	for _, pattern := range []string{"../health/*_test.go", "../tools/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			said.Write(text)
		}
	}
	return said.String()
}

// vector is one line of the shared test vectors.
type vector struct {
	Area     string
	Input    json.RawMessage
	Expected json.RawMessage
}

// areas maps each area to the function that computes its answer in the shape
// the vectors write it.
var areas = map[string]func(*testing.T, json.RawMessage) any{
	"rounding.to_increment":       vectorToIncrement,
	"rounding.bar_grid":           vectorBarGrid,
	"equipment.increment":         vectorIncrement,
	"set_scheme.target_reps":      vectorTargetReps,
	"set_scheme.convert_weight":   vectorConvert,
	"set_scheme.working_sets":     vectorWorkingSets,
	"warmup.ramp":                 vectorRamp,
	"plates.per_side":             vectorPerSide,
	"progression.outcome":         vectorOutcome,
	"progression.linear":          vectorLinear,
	"progression.strikes":         vectorStrikes,
	"progression.deload":          vectorDeload,
	"generator.block0_session":    vectorBlock0,
	"generator.week_after_deload": vectorAfterDeload,
	"generator.rep_wave":          vectorRepWave,
	"program_week.date_for":       vectorDateFor,
	"program.week_on":             vectorWeekOn,
	"one_rep_max.estimate":        vectorEstimate,
	"percent_of_max.load":         vectorPercentLoad,
	"volume.week":                 vectorVolume,
	"workout.status":              vectorStatus,
	"session.row_state":           vectorRowState,
	"session.load_label":          vectorLoadLabel,
	"text.set_label":              vectorSetLabel,
	"calendar.bounds":             vectorCalendarBounds,
	"units.kg_to_lb":              vectorKilograms,
}

// Every area of the published vectors is run, here or by a test that names it.
func TestVectors(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(vectorFile)
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	ran, others := make(map[string]int), elsewhere(t)
	for i, v := range vectors {
		compute, known := areas[v.Area]
		if !known && !strings.Contains(others, strconv.Quote(v.Area)) {
			t.Errorf("vector %d is of the area %q, which no test runs", i, v.Area)
		}
		if !known {
			continue
		}
		ran[v.Area]++
		t.Run(fmt.Sprintf("%s %d", v.Area, i), func(t *testing.T) {
			t.Parallel()
			got, want := normal(t, compute(t, v.Input)), decode[any](t, v.Expected)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", v.Area, v.Input, diff)
			}
		})
	}
	for area := range areas {
		if ran[area] == 0 {
			t.Errorf("no vector of the area %s", area)
		}
	}
}

// normal passes a value through JSON, so that it compares with a vector.
func normal(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return decode[any](t, text)
}

func decode[T any](t *testing.T, text json.RawMessage) T {
	t.Helper()
	var v T
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&v); err != nil {
		t.Fatalf("decode %s: %v", text, err)
	}
	return v
}

// loads is the equipment part of many inputs. A null decodes to zero, which is
// this package's own mark for an absent number.
type loads struct {
	Increment int
	BarWeight int `json:"bar_weight"`
}

func (l loads) grid() Grid { return Grid{Increment: l.Increment, Origin: l.BarWeight} }

type weightReps struct {
	Weight int `json:"weight"`
	Reps   int `json:"reps"`
}

func pairsOf(sets []Set) []weightReps {
	pairs := make([]weightReps, len(sets))
	for i, s := range sets {
		pairs[i] = weightReps{s.Weight, s.Reps}
	}
	return pairs
}

// orNull gives JSON null for the absent number.
func orNull(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func vectorToIncrement(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		Weight, Increment int
		Num               int `json:"weight_numerator"`
		Den               int `json:"weight_denominator"`
	}](t, in)
	if v.Den == 0 {
		v.Num, v.Den = v.Weight, 1
	}
	return ToIncrement(v.Num, v.Den, v.Increment)
}

func vectorBarGrid(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		loads
		Weight int
	}](t, in)
	return v.grid().Snap(v.Weight)
}

func vectorIncrement(t *testing.T, in json.RawMessage) any {
	v := decode[struct{ Plates []string }](t, in)
	rack := Rack{Bar: 45}
	for _, text := range v.Plates {
		rack.Plates = append(rack.Plates, PlatePairs{mustPlate(t, text), 2})
	}
	return rack.Increment()
}

func vectorTargetReps(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		Reps      int
		Preferred int `json:"preferred_reps"`
	}](t, in)
	return TargetReps(v.Reps, v.Preferred)
}

func vectorConvert(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		loads
		Weight int
		From   int `json:"from_reps"`
		To     int `json:"to_reps"`
	}](t, in)
	return Convert(v.Weight, v.From, v.To, v.grid())
}

func vectorWorkingSets(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		loads
		Sets, Reps int
		Top        int  `json:"top_weight"`
		Preferred  int  `json:"preferred_reps"`
		Ascending  bool `json:"is_ascending"`
		Barbell    bool `json:"is_barbell"`
	}](t, in)
	g := v.grid()
	if !v.Barbell {
		g.Origin = 0
	}
	target := TargetReps(v.Reps, v.Preferred)
	top := Convert(v.Top, v.Reps, target, g)
	return pairsOf(ladderSets(Ladder(top, v.Sets, v.Ascending, g), target))
}

func vectorRamp(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		loads
		Basis    int
		Barbell  bool `json:"is_barbell"`
		Lightest int  `json:"lightest_working"`
	}](t, in)
	g := v.grid()
	if !v.Barbell {
		g.Origin = 0
	}
	return pairsOf(Ramp(v.Basis, g, v.Lightest))
}

func vectorPerSide(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		Total int
		Bar   int `json:"bar_weight"`
		Pairs map[string]int
	}](t, in)
	rack := Rack{Bar: v.Bar}
	for text, pairs := range v.Pairs {
		rack.Plates = append(rack.Plates, PlatePairs{mustPlate(t, text), pairs})
	}
	counts, ok := rack.PerSide(v.Total)
	answer := map[string]any{"label": Label(counts), "breakdown": nil}
	if ok {
		breakdown := [][]any{}
		for _, c := range counts {
			breakdown = append(breakdown, []any{PlateText(c.Hundredths), c.Count})
		}
		answer["breakdown"] = breakdown
	}
	return answer
}

func vectorOutcome(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		Sets []struct {
			PlannedWeight   int `json:"planned_weight"`
			PlannedReps     int `json:"planned_reps"`
			PlannedDuration int `json:"planned_duration"`
			Weight          int
			Reps            int
			Duration        int
			Done            bool
		}
	}](t, in)
	var work []Work
	for _, s := range v.Sets {
		work = append(work, Work{
			Planned: Set{s.PlannedWeight, s.PlannedReps, s.PlannedDuration},
			Actual:  Set{s.Weight, s.Reps, s.Duration},
			Done:    s.Done,
		})
	}
	return OutcomeOf(0, work)
}

// stepInput is what both progression areas give.
type stepInput struct {
	Previous  int `json:"previous_top"`
	Outcome   Outcome
	Outcomes  []Outcome `json:"outcomes_newest_first"`
	StepUp    int       `json:"step_up"`
	StepDown  int       `json:"step_down"`
	Increment int
	Floor     int
}

func (v stepInput) next(rule Progression) Pounds {
	return Next(rule, v.Previous, v.Outcomes, StepsFor(rule, v.StepUp, v.StepDown, v.Increment), v.Floor)
}

func vectorLinear(t *testing.T, in json.RawMessage) any {
	v := decode[stepInput](t, in)
	v.Outcomes = []Outcome{v.Outcome}
	return v.next(Linear)
}

func vectorStrikes(t *testing.T, in json.RawMessage) any {
	return decode[stepInput](t, in).next(Strikes)
}

func vectorDeload(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		loads
		Weight int
	}](t, in)
	return Deload(v.Weight, v.grid())
}

func vectorBlock0(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		Week     int
		Outcomes []Outcome
		Deload   bool `json:"is_deload"`
	}](t, in)
	var answer []map[string]any
	for _, l := range runBlock0(t, v.Outcomes, v.Deload) {
		answer = append(answer, map[string]any{
			"exercise": l.name, "warmups": pairsOf(l.Warmups), "working": pairsOf(l.Working),
		})
	}
	return answer
}

func vectorAfterDeload(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		Top     int `json:"previous_non_deload_top"`
		Outcome Outcome
	}](t, in)
	l := Lift{Exercise: 1, Written: Written{Sets: 1, Reps: 3}, Weighted: true, Barbell: true, Rule: Linear, Top: 100}
	d := Day{Week: 5, Rack: DefaultRack()}
	history := []Session{
		sessionOf(l, d, 3, false, []Set{{Weight: v.Top, Reps: 3}}, v.Outcome),
		sessionOf(l, d, 4, true, []Set{{Weight: 60, Reps: 3}}, Met),
	}
	return mustGenerate(t, l, d, history).Top().Weight
}

func vectorRepWave(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		Week1, Week2, Week3 string
		Outcomes            []Outcome
	}](t, in)
	l := Lift{Exercise: 1, Weighted: true, Barbell: true, Rule: Linear}
	written, top, _ := strings.Cut(v.Week1, " @")
	l.Top, _ = strconv.Atoi(top)
	var history []Session
	var tops []int
	for i, scheme := range []string{written, v.Week2, v.Week3} {
		if _, err := fmt.Sscanf(scheme, "%dx%d", &l.Written.Sets, &l.Written.Reps); err != nil {
			t.Fatal(err)
		}
		d := Day{Week: i + 1, Ascending: true, Rack: DefaultRack()}
		made := mustGenerate(t, l, d, history)
		tops = append(tops, made.Top().Weight)
		if i < len(v.Outcomes) {
			history = append(history, sessionOf(l, d, d.Week, false, made.Working, v.Outcomes[i]))
		}
	}
	return map[string]any{"tops": tops}
}

func vectorDateFor(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		Start         string `json:"start_date"`
		Week, Weekday int
	}](t, in)
	return FormatDay(DateOf(mustDay(t, v.Start), v.Week, v.Weekday))
}

func vectorWeekOn(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		Start string `json:"start_date"`
		Weeks int
		Date  string
	}](t, in)
	return orNull(WeekOn(mustDay(t, v.Start), mustDay(t, v.Date), upTo(v.Weeks)))
}

func vectorEstimate(t *testing.T, in json.RawMessage) any {
	v := decode[struct{ Weight, Reps, RPE int }](t, in)
	return orNull(Estimate(v.Weight, v.Reps, v.RPE))
}

func vectorPercentLoad(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		loads
		Max     int `json:"estimated_max"`
		Percent int
	}](t, in)
	return PercentLoad(v.Max, v.Percent, v.grid())
}

func vectorVolume(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		Sets []struct {
			Weight, Reps, Seconds int
			Done, Warmup          bool
			PerSide               bool `json:"per_side"`
		}
	}](t, in)
	var sets []Logged
	for _, s := range v.Sets {
		sets = append(sets, Logged{
			Set: Set{s.Weight, s.Reps, s.Seconds}, Done: s.Done, Warmup: s.Warmup, PerSide: s.PerSide,
		})
	}
	sum := VolumeOf(sets)
	return map[string]int{"sets": sum.Sets, "reps": sum.Reps, "tonnage": sum.Tonnage, "seconds": sum.Seconds}
}

func vectorStatus(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		Lifted      bool `json:"has_completed_set"`
		Generated   bool
		Date, Today string
	}](t, in)
	return StatusOf(v.Lifted, v.Generated, mustDay(t, v.Date), mustDay(t, v.Today))
}

func vectorRowState(t *testing.T, in json.RawMessage) any {
	v := decode[struct {
		Done            bool
		Planned, Actual []int
	}](t, in)
	var plan Set
	if len(v.Planned) == 2 {
		plan = Set{Weight: v.Planned[0], Reps: v.Planned[1]}
	}
	return RowStateOf(v.Done, plan, Set{Weight: v.Actual[0], Reps: v.Actual[1]})
}

// labelInput is what both label areas give.
type labelInput struct {
	Weight, Reps, Seconds int
	PerSide               bool `json:"per_side"`
}

func vectorLoadLabel(t *testing.T, in json.RawMessage) any {
	v := decode[labelInput](t, in)
	return LoadLabel(Set{v.Weight, v.Reps, v.Seconds}, v.PerSide)
}

func vectorSetLabel(t *testing.T, in json.RawMessage) any {
	v := decode[labelInput](t, in)
	return SetLabel(Set{v.Weight, v.Reps, v.Seconds}, v.PerSide)
}

func vectorCalendarBounds(t *testing.T, in json.RawMessage) any {
	v := decode[struct{ Month string }](t, in)
	month := mustDay(t, v.Month+"-01")
	first, last := CalendarBounds(month)
	return []string{FormatDay(first), FormatDay(last)}
}

func vectorKilograms(t *testing.T, in json.RawMessage) any {
	v := decode[struct{ Kg json.Number }](t, in)
	tenths, err := strconv.Atoi(strings.Replace(withTenth(v.Kg.String()), ".", "", 1))
	if err != nil {
		t.Fatal(err)
	}
	lb := PoundsFromGrams(tenths * 100)
	return map[string]any{"lb": lb, "shown_kg": float64(GramsShown(lb)) / 1000}
}

// withTenth writes a number of kilograms with one decimal.
func withTenth(kg string) string {
	if strings.Contains(kg, ".") {
		return kg
	}
	return kg + ".0"
}

func mustPlate(t *testing.T, text string) int {
	t.Helper()
	hundredths, ok := ParsePlate(text)
	if !ok {
		t.Fatalf("plate %q cannot be read", text)
	}
	return hundredths
}

func mustDay(t *testing.T, text string) time.Time {
	t.Helper()
	day, err := ParseDay(text)
	if err != nil {
		t.Fatal(err)
	}
	return day
}

func upTo(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i + 1
	}
	return numbers
}
