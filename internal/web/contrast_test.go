package web

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// The figures of WCAG 2.2: 1.4.3 for text, 1.4.11 for marks.
const (
	forText = 4.5
	forMark = 3.0
)

type rgb [3]float64

type pair struct {
	fg, bg string
	need   float64
}

func TestColoursOfTheTokensStandOutFromEachOther(t *testing.T) {
	t.Parallel()
	for scheme, colours := range tokens(t) {
		for _, p := range pairs() {
			t.Run(fmt.Sprintf("%s on %s, %s", p.fg, p.bg, scheme), func(t *testing.T) {
				t.Parallel()
				if got := contrast(colour(t, colours, p.fg), colour(t, colours, p.bg)); got < p.need {
					t.Errorf("contrast = %.2f, want at least %.1f", got, p.need)
				}
			})
		}
		for _, bg := range []string{"raised", "surface", "state-done-tint"} {
			t.Run(fmt.Sprintf("ink at 75 %% on %s, %s, as warm-ups are drawn", bg, scheme), func(t *testing.T) {
				t.Parallel()
				ground := colour(t, colours, bg)
				if got := contrast(blend(colour(t, colours, "ink"), ground, 0.75), ground); got < forText {
					t.Errorf("contrast = %.2f, want at least %.1f", got, forText)
				}
			})
		}
	}
}

// pairs are the colours that components put on each other.
func pairs() []pair {
	out := []pair{
		{"accent", "raised", forText},
		{"accent", "surface", forText},
		{"on-fill", "accent-fill", forText},
		{"on-fill", "accent-hover", forText},
		{"on-fill", "state-planned-fill", forText},
		{"bar-ink", "bar", forText},
		{"bar-muted", "bar", forText},
		{"bar-amber", "bar", forText},
		{"bar-lime", "bar", forMark},
	}
	for _, bg := range []string{"surface", "raised", "sunken"} {
		out = append(out, pair{"ink", bg, forText}, pair{"muted", bg, forText}, pair{"edge", bg, forMark}, pair{"accent", bg, forMark}, pair{"focus", bg, forMark})
	}
	for _, state := range []string{"state-done", "state-changed", "state-planned", "state-missed"} {
		tint := state + "-tint"
		for _, bg := range []string{"surface", "raised", "sunken", tint} {
			out = append(out, pair{state, bg, forMark}, pair{state + "-ink", bg, forText})
		}
		out = append(out, pair{"ink", tint, forText}, pair{"muted", tint, forText}, pair{"edge", tint, forMark}, pair{"focus", tint, forMark})
	}
	return append(out, platePairs()...)
}

// platePairs are the discs of the sleeve. The light ones are told from the
// ground by their outline instead.
func platePairs() []pair {
	out := []pair{{"plate-edge", "plate-10", forMark}, {"plate-edge", "plate-35", forMark}}
	for _, plate := range []string{"45", "25", "20", "15", "5", "small"} {
		for _, bg := range []string{"raised", "surface", "state-done-tint", "state-changed-tint"} {
			out = append(out, pair{"plate-" + plate, bg, forMark})
		}
	}
	for _, plate := range []string{"45", "25", "20", "5", "small"} {
		out = append(out, pair{"plate-label", "plate-" + plate, forText})
	}
	return out
}

var (
	comment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	token   = regexp.MustCompile(`--([\w-]+):\s*((?:light-dark\()?oklch[^;]+);`)
	oklch   = regexp.MustCompile(`oklch\(([\d.]+) ([\d.]+) ([\d.]+)`)
)

// tokens reads the colours of both schemes from the source of the stylesheet.
func tokens(t *testing.T) map[string]map[string]rgb {
	t.Helper()
	css, err := os.ReadFile("../../web/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]rgb{"light": {}, "dark": {}}
	for _, m := range token.FindAllStringSubmatch(comment.ReplaceAllString(string(css), ""), -1) {
		parts := oklch.FindAllStringSubmatch(m[2], -1)
		out["light"][m[1]] = toRGB(parts[0])
		out["dark"][m[1]] = toRGB(parts[len(parts)-1])
	}
	return out
}

func colour(t *testing.T, colours map[string]rgb, name string) rgb {
	t.Helper()
	c, ok := colours[name]
	if !ok {
		t.Fatalf("no token %q", name)
	}
	return c
}

// toRGB converts an OKLCH match to sRGB in 256 steps, after Ottosson (2020),
// "A perceptual color space for image processing".
func toRGB(m []string) rgb {
	l, c, h := number(m[1]), number(m[2]), number(m[3])*math.Pi/180
	a, b := c*math.Cos(h), c*math.Sin(h)
	l1 := cube(l + 0.3963377774*a + 0.2158037573*b)
	m1 := cube(l - 0.1055613458*a - 0.0638541728*b)
	s1 := cube(l - 0.0894841775*a - 1.2914855480*b)
	return rgb{
		step(4.0767416621*l1 - 3.3077115913*m1 + 0.2309699292*s1),
		step(-1.2684380046*l1 + 2.6097574011*m1 - 0.3413193965*s1),
		step(-0.0041960863*l1 - 0.7034186147*m1 + 1.7076147010*s1),
	}
}

func number(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64) // the pattern lets only numbers through
	return f
}

func cube(x float64) float64 { return x * x * x }

// step applies the sRGB curve to a linear channel and rounds to 256 steps.
func step(x float64) float64 {
	x = max(0, min(1, x))
	if x <= 0.0031308 {
		x *= 12.92
	} else {
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return math.Round(x*255) / 255
}

func luminance(c rgb) float64 {
	sum := 0.0
	for i, weight := range [3]float64{0.2126, 0.7152, 0.0722} {
		linear := c[i] / 12.92
		if c[i] > 0.04045 {
			linear = math.Pow((c[i]+0.055)/1.055, 2.4)
		}
		sum += weight * linear
	}
	return sum
}

func contrast(a, b rgb) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func blend(fg, bg rgb, alpha float64) rgb {
	var out rgb
	for i := range out {
		out[i] = fg[i]*alpha + bg[i]*(1-alpha)
	}
	return out
}
