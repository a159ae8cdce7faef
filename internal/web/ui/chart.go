package ui

import (
	"math"
	"strconv"
)

// A chart has no view box: x is in per cent of its width and y in px, so that
// its words keep their size on every screen.

// Point is one value of a chart.
type Point struct {
	Label string  // under its place on the axis: a day, a week
	Value float64 // in the unit of the chart
	Text  string  // the value as it is written beside its mark
	Gap   bool    // there is no value: nothing is drawn, and nothing joined across
	Open  bool    // of a week that is not over
	At    float64 // place of a line's point, in per cent of the plot; see Spread
	Apart bool    // a line does not lead here from the point before
	Plan  float64 // of a line: what was planned here, drawn as an open mark; 0 = nothing
}

// Spread places the points of a line evenly, in their order.
func Spread(points []Point) []Point {
	for i := range points {
		points[i].At = 100 * (float64(i) + 0.5) / float64(len(points))
	}
	return points
}

// mostTexts is how many marks carry their value; of more, only the first, the
// last and the highest do.
const mostTexts = 12

// mostLabels returns how many of n places of a bar chart are named on a wide
// screen. A phone shows every other one.
func mostLabels(n int) int {
	if n <= 12 {
		return n
	}
	return 8
}

// few places keep all their labels on a phone.
const few = 6

func pct(share float64) string { return strconv.FormatFloat(share, 'f', 2, 64) + "%" }
func px(y float64) string      { return strconv.FormatFloat(y, 'f', 1, 64) }

// named reports which of n places carry a label, counted from the last, and
// which of those a phone leaves out.
func named(i, n, most int) (shown, odd bool) {
	every := max(1, (n+most-1)/most)
	back := n - 1 - i
	return back%every == 0, back/every%2 == 1
}

// edge keeps a label at either end of the axis inside the drawing.
func edge(x, margin float64) string {
	switch {
	case x < margin:
		return "start"
	case x > 100-margin:
		return "end"
	}
	return "middle"
}

// told returns which points carry their value: all of few. Of many it is the
// highest, the last and the first, in this order, as far as they stand apart
// places from each other.
func told(points []Point, most, apart int) map[int]bool {
	var there []int
	for i, p := range points {
		if !p.Gap {
			there = append(there, i)
		}
	}
	shown := map[int]bool{}
	if len(there) == 0 {
		return shown
	}
	if len(points) <= most {
		for _, i := range there {
			shown[i] = true
		}
		return shown
	}
	highest := there[0]
	for _, i := range there {
		if points[i].Value >= points[highest].Value {
			highest = i
		}
	}
	for _, i := range []int{highest, there[len(there)-1], there[0]} {
		free := true
		for other := range shown {
			free = free && max(i-other, other-i) >= apart
		}
		if free {
			shown[i] = true
		}
	}
	return shown
}

// BarsProps describes a bar for every place of an axis that begins at zero.
type BarsProps struct {
	Title  string
	Hint   string // the unit, and what a reader should know
	Height int    // px; 0 = 170
	Points []Point
}

// bar is one place of a bar chart as it is drawn.
type bar struct {
	X, Left, Width     string // of the middle, the left edge
	ZeroLeft, ZeroEnd  string
	Top, Height, TextY string
	Text, Label        string
	Anchor             string
	Gap, Zero, Now     bool
	Odd                bool // its label is left out on a phone
}

func (p BarsProps) height() int {
	if p.Height == 0 {
		return 170
	}
	return p.Height
}

func (p BarsProps) base() float64 { return float64(p.height() - 24) }

// bars lays the places out. The highest bar reaches the top, below its text.
func (p BarsProps) bars() []bar {
	const top = 22
	highest := 0.0
	for _, v := range p.Points {
		highest = max(highest, v.Value)
	}
	n, texts := len(p.Points), told(p.Points, mostTexts, max(1, len(p.Points)/13))
	slot := 100 / float64(n)
	list := make([]bar, n)
	for i, v := range p.Points {
		x, tall := slot*(float64(i)+0.5), 0.0
		if highest > 0 {
			tall = (p.base() - top) * v.Value / highest
		}
		b := bar{
			X: pct(x), Left: pct(x - slot*0.3), Width: pct(slot * 0.6), ZeroLeft: pct(x - slot*0.22), ZeroEnd: pct(x + slot*0.22),
			Top: px(p.base() - tall), Height: px(tall), TextY: px(p.base() - tall - 6),
			Anchor: edge(x, 4), Gap: v.Gap, Zero: v.Value == 0, Now: v.Open,
		}
		if texts[i] {
			b.Text = v.Text
		}
		if shown, odd := named(i, n, mostLabels(n)); shown {
			b.Label, b.Odd = v.Label, odd && n > few
		}
		list[i] = b
	}
	return list
}

// LineProps describes a line through points. Its axis fits them.
type LineProps struct {
	Title  string
	Aside  string // said after the title in the condensed face: "× 3"
	Hint   string
	Height int // px; 0 = 220, small 104
	Small  bool
	Points []Point
	Level  *Level
	Labels int // how many places are named on a wide screen; 0 = as many as there are
}

// Level is a value that a dashed line marks, such as a goal.
type Level struct {
	Value float64
	Text  string
}

// mark is one point of a line chart as it is drawn.
type mark struct {
	X, Y, FromX, FromY string // and where the line to it begins
	Joined, Last       bool
	R                  string // "" = no dot
	Text, TextX, TextY string
	TextAnchor         string
	Label, Anchor      string
	Odd                bool
	PlanY              string // "" = nothing was planned, or exactly what was done
}

// tick is one line across the plot with its number.
type tick struct {
	Y, TextY, Text string
	Base           bool
}

func (p LineProps) height() int {
	switch {
	case p.Height != 0:
		return p.Height
	case p.Small:
		return 104
	}
	return 220
}

func (p LineProps) base() float64 {
	if p.Small {
		return float64(p.height() - 24)
	}
	return float64(p.height() - 26)
}

// axis is the stretch of values that a line chart shows.
type axis struct{ low, high, step float64 }

// nice returns the round number at or above a step: 1, 2 or 5 times a power of
// ten.
func nice(step float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, times := range []float64{1, 2, 5} {
		if step <= times*power*1.0001 {
			return times * power
		}
	}
	return 10 * power
}

// fit returns the axis that fits the values, with about four steps.
func fit(low, high float64) axis {
	span := high - low
	if span == 0 {
		span = max(1, math.Abs(high)/20)
	}
	step := nice(span / 4)
	from := math.Floor((low-0.25*step)/step) * step
	if low >= 0 {
		from = max(0, from)
	}
	return axis{from, high + 0.5*step, step}
}

// axis fits the points, and the level where it is near enough to be seen
// beside them.
func (p LineProps) axis() axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range p.Points {
		if !v.Gap {
			low, high = min(low, v.Value), max(high, v.Value)
		}
		if v.Plan != 0 {
			low, high = min(low, v.Plan), max(high, v.Plan)
		}
	}
	if math.IsInf(low, 0) {
		return fit(0, 1)
	}
	if p.Level != nil && p.shows(low, high) {
		low, high = min(low, p.Level.Value), max(high, p.Level.Value)
	}
	a := fit(low, high)
	if p.Small { // room for the text of the first point, which stands below it
		a.low -= a.step
	}
	return a
}

// shows reports whether a level is near enough to the values to be drawn
// without pressing them flat.
func (p LineProps) shows(low, high float64) bool {
	room := max(2*(high-low), high/5)
	return p.Level.Value <= high+room && p.Level.Value >= low-room
}

func (a axis) y(value, base float64) float64 {
	const top = 20
	return base - (base-top)*(value-a.low)/(a.high-a.low)
}

// number writes a value of the axis without a needless fraction.
func (a axis) number(v float64) string {
	digits := 0
	if a.step < 1 {
		digits = int(math.Ceil(-math.Log10(a.step) - 0.0001))
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

func (p LineProps) ticks() []tick {
	a := p.axis()
	var list []tick
	for i := 0; a.low+float64(i)*a.step <= a.high; i++ {
		y := a.y(a.low+float64(i)*a.step, p.base())
		list = append(list, tick{Y: px(y), TextY: px(y + 4), Text: a.number(a.low + float64(i)*a.step), Base: i == 0})
	}
	return list
}

// left is where the plot begins, behind the numbers of the axis, in per cent.
func (p LineProps) left() float64 {
	if p.Small {
		return 0
	}
	for _, t := range p.ticks() {
		if len(t.Text) > 3 {
			return 9
		}
	}
	return 6
}

func (p LineProps) levelY() (y string, textY string, shown bool) {
	if p.Level == nil {
		return "", "", false
	}
	a := p.axis()
	if p.Level.Value < a.low || p.Level.Value > a.high {
		return "", "", false
	}
	at := a.y(p.Level.Value, p.base())
	return px(at), px(at - 6), true
}

// dot returns the radius of a point's mark among n; many points are a line
// alone, but for those that are marked.
func (p LineProps) dot(n int, marked bool) string {
	switch {
	case n > 120 && !marked:
		return ""
	case p.Small && n > 30 && !marked:
		return "1.5"
	case p.Small || n > 40:
		return "3"
	}
	return "4"
}

// marks lays the points out that have a value, and names the places.
func (p LineProps) marks() []mark {
	a, left := p.axis(), p.left()
	most, apart := mostTexts, max(1, len(p.Points)/16)
	if p.Small {
		most, apart = 3, max(1, len(p.Points)/6)
	}
	n, texts := len(p.Points), told(p.Points, most, apart)
	labels := p.Labels
	if labels == 0 {
		labels = n
	}
	last := -1
	for i, v := range p.Points {
		if !v.Gap {
			last = i
		}
	}
	x := func(i int) float64 { return left + (100-left)*p.Points[i].At/100 }
	list := make([]mark, n)
	for i, v := range p.Points {
		m := mark{X: pct(x(i)), Anchor: edge(x(i), 4), Last: i == last}
		if p.Small {
			m.Anchor = edge(x(i), 15)
		}
		if shown, odd := named(i, n, labels); shown {
			m.Label, m.Odd = v.Label, odd && !p.Small && (p.Labels != 0 || n > few)
		}
		if v.Plan != 0 && (v.Gap || v.Plan != v.Value) {
			m.PlanY = px(a.y(v.Plan, p.base()))
		}
		if !v.Gap {
			y := a.y(v.Value, p.base())
			m.Y, m.R = px(y), p.dot(n, texts[i] || m.Last)
			if m.Joined = i > 0 && !p.Points[i-1].Gap && !v.Apart; m.Joined {
				m.FromX, m.FromY = pct(x(i-1)), px(a.y(p.Points[i-1].Value, p.base()))
			}
			if texts[i] {
				m.Text, m.TextX, m.TextY, m.TextAnchor = v.Text, pct(x(i)), px(y+p.textBelow(i)), edge(x(i), 6)
			}
		}
		list[i] = m
	}
	return list
}

// textBelow returns where the text of a point stands: below one that is lower
// than its neighbours, above every other.
func (p LineProps) textBelow(i int) float64 {
	neighbours, low := 0, true
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(p.Points) && !p.Points[j].Gap {
			neighbours++
			low = low && p.Points[i].Value < p.Points[j].Value
		}
	}
	switch {
	case neighbours == 0 || !low:
		return -9
	case p.Small:
		return 16
	}
	return 19
}

// RulerProps describes a stretch of weights with a few of them marked.
type RulerProps struct {
	Name  string // what it shows, in one line
	Marks []RulerMark
	Low   float64 // a range to shade between Low and High; equal = none
	High  float64
}

// RulerMark is one marked weight. Class is "mk--top", "mk--est" or "mk--goal".
type RulerMark struct {
	Value float64
	Text  string
	Class string
	Lower bool // its text stands in the second row
}

// rulerMark is a mark as it is drawn.
type rulerMark struct {
	X, Y, TextY, DX, Anchor string
	Text, Class             string
}

const rulerBase = 58 // px from the top to the line of a ruler

// axis leaves as much room on either side of the marks as half their distance,
// so that their words fit.
func (p RulerProps) axis() axis {
	low, high := math.Inf(1), math.Inf(-1)
	for _, m := range p.Marks {
		low, high = min(low, m.Value), max(high, m.Value)
	}
	if p.High > p.Low {
		low, high = min(low, p.Low), max(high, p.High)
	}
	room := max((high-low)/2, 10)
	step := nice((high - low + 2*room) / 6)
	from := math.Floor((low-room)/step) * step
	return axis{max(0, from), math.Ceil((high+room)/step) * step, step}
}

func (a axis) x(v float64) float64 { return 100 * (v - a.low) / (a.high - a.low) }

// shade returns the range to shade.
func (p RulerProps) shade() (left, width string, shown bool) {
	a := p.axis()
	return pct(a.x(p.Low)), pct(a.x(p.High) - a.x(p.Low)), p.High > p.Low
}

// scale is one stroke of the ruler's scale.
type scale struct{ X, Top, Text, Anchor string }

func (p RulerProps) scale() []scale {
	a := p.axis()
	var list []scale
	for i := 0; ; i++ {
		v := a.low + float64(i)*a.step/2
		if v > a.high+a.step/10 {
			return list
		}
		s := scale{X: pct(a.x(v)), Top: px(rulerBase - 4)}
		if i%2 == 0 {
			s.Top, s.Text, s.Anchor = px(rulerBase-8), a.number(v), edge(a.x(v), 2)
		}
		list = append(list, s)
	}
}

// marks lays the marks out: of two in a row, the lighter one is named to its
// left and the heavier one to its right.
func (p RulerProps) marks() []rulerMark {
	a := p.axis()
	list := make([]rulerMark, len(p.Marks))
	for i, m := range p.Marks {
		r := rulerMark{X: pct(a.x(m.Value)), Text: m.Text, Class: m.Class, TextY: "14", Y: "18", Anchor: "end", DX: "-6"}
		if m.Lower {
			r.TextY, r.Y = "36", "26"
		}
		for j, other := range p.Marks {
			if other.Value < m.Value && (m.Lower == other.Lower || m.Lower) || other.Value == m.Value && j < i {
				r.Anchor, r.DX = "start", "6"
			}
		}
		list[i] = r
	}
	return list
}
