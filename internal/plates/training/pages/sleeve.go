package pages

import (
	"strconv"

	"tectonic/internal/plates/training/strength"
)

// drawing holds the measures of one sleeve drawing in pixels. The full height
// is that of a 45 lb plate, 450 mm across.
type drawing struct {
	width, height                       float64
	shaft, collar, collarHeight, sleeve float64
	gap, thickness, full, round         float64
	lettered                            bool // the weight stands on each plate
}

var (
	smallDrawing = drawing{width: 80, height: 40, shaft: 6, collar: 3, collarHeight: 16, sleeve: 7, gap: 1, thickness: 0.62, full: 38, round: 1.5}
	largeDrawing = drawing{width: 148, height: 64, shaft: 10, collar: 5, collarHeight: 26, sleeve: 12, gap: 1.5, thickness: 1.12, full: 60, round: 2, lettered: true}
)

// freeEnd is what stays visible of the sleeve beyond the last plate, in pixels.
const freeEnd = 6

// discs are the plates that have a colour or a size of their own, by
// hundredths of a pound: the class, the diameter in mm and the thickness in
// pixels, all to one scale and a little thicker than life so that a number
// fits.
var discs = map[int]disc{
	4500: {"p45", 450, 18, false},
	3500: {"p35", 360, 17, true},
	2500: {"p25", 280, 16, false},
	2000: {"p20", 265, 16, false},
	1500: {"p15", 250, 15, true},
	1000: {"p10", 230, 15, true},
	500:  {"p5", 200, 14, false},
	250:  {"ps", 160, 14, false},
	125:  {"ps", 130, 12, false},
	100:  {"ps", 120, 12, false},
}

type disc struct {
	class     string
	diameter  float64
	thickness float64
	dark      bool // a light plate with dark letters
}

// discOf returns the look of a plate; one of an unusual weight looks like the
// next lighter usual one.
func discOf(hundredths int) disc {
	if d, ok := discs[hundredths]; ok {
		return d
	}
	like := disc{"ps", 120, 12, false}
	nearest := 0
	for weight, d := range discs {
		if weight <= hundredths && weight > nearest {
			nearest, like = weight, d
		}
	}
	return disc{class: "ps", diameter: like.diameter, thickness: like.thickness}
}

// shape is one rectangle of the drawing with its attributes as text.
type shape struct {
	class, x, y, width, height, round string
}

// letter is the weight written on a plate.
type letter struct {
	class, x, y, text string
}

// sleeveView is one sleeve of the bar, collar at the left, plates heaviest
// first, ready to be drawn.
type sleeveView struct {
	width, height string
	shapes        []shape
	letters       []letter
}

// svg is the drawing as markup. Every part of it is a number or a name of
// ours, and a session has a drawing a row, so it is written in one go.
func (v sleeveView) svg() string {
	b := make([]byte, 0, 128+96*(len(v.shapes)+len(v.letters)))
	put := func(parts ...string) {
		for _, part := range parts {
			b = append(b, part...)
		}
	}
	put(`<svg class="sleeve" width="`, v.width, `" height="`, v.height, `" viewBox="0 0 `, v.width, ` `, v.height, `" aria-hidden="true" focusable="false">`)
	for _, s := range v.shapes {
		put(`<rect class="`, s.class, `" x="`, s.x, `" y="`, s.y, `" width="`, s.width, `" height="`, s.height, `" rx="`, s.round, `"></rect>`)
	}
	for _, l := range v.letters {
		put(`<text class="`, l.class, `" x="`, l.x, `" y="`, l.y, `">`, l.text, `</text>`)
	}
	put(`</svg>`)
	return string(b)
}

// sleeveOf lays out the plates of one side. When they are longer than the
// sleeve, all of them get thinner together and lose their letters.
func sleeveOf(d drawing, plates []strength.PlateCount) sleeveView {
	v := sleeveView{width: number(d.width), height: number(d.height), shapes: d.bar()}
	scale := d.scale(plates)
	x := d.shaft + d.collar + d.gap
	for _, p := range plates {
		for range p.Count {
			look := discOf(p.Hundredths)
			w := look.thickness * d.thickness * scale
			v.shapes = append(v.shapes, d.plate(look, x, w))
			if d.lettered && scale == 1 {
				v.letters = append(v.letters, d.letter(look, x+w/2, p.Hundredths))
			}
			x += w + d.gap*scale
		}
	}
	return v
}

// bar returns the shaft, the collar and the sleeve.
func (d drawing) bar() []shape {
	middle := d.height / 2
	start := d.shaft + d.collar
	return []shape{
		{"bar", "0", number(middle - d.sleeve*0.3), number(d.shaft), number(d.sleeve * 0.6), "0"},
		{"bar", number(d.shaft), number(middle - d.collarHeight/2), number(d.collar), number(d.collarHeight), "1"},
		{"bar", number(start), number(middle - d.sleeve/2), number(d.width - start), number(d.sleeve), "1.5"},
	}
}

// scale is 1, or less when the plates need more room than the sleeve has.
func (d drawing) scale(plates []strength.PlateCount) float64 {
	room := d.width - d.shaft - d.collar - freeEnd
	need := 0.0
	for _, p := range plates {
		need += float64(p.Count) * (discOf(p.Hundredths).thickness*d.thickness + d.gap)
	}
	if need <= room {
		return 1
	}
	return room / need
}

func (d drawing) plate(look disc, x, width float64) shape {
	h := d.full * look.diameter / 450
	return shape{"p " + look.class, number(x), number((d.height - h) / 2), number(width), number(h), number(d.round)}
}

func (d drawing) letter(look disc, x float64, hundredths int) letter {
	class := ""
	if look.dark {
		class = "dk"
	}
	return letter{class, number(x), number(d.height/2 + 4), strength.PlateText(hundredths)}
}

// number writes a length with at most one decimal place.
func number(f float64) string {
	return strconv.FormatFloat(float64(int(f*10+0.5))/10, 'f', -1, 64)
}
