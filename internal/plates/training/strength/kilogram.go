package strength

// Grams is a mass in grams. It carries kilograms exactly where pounds are
// shown in them: 42.5 kg is 42500.
type Grams = int

// The international pound of 1959 is 0.45359237 kg, here in units of ten
// micrograms so that it is a whole number.
const (
	tenMicrogramsPerPound = 45359237
	tenMicrogramsPerGram  = 100000
	halfKilogram          = 500
)

// PoundsFromGrams returns the whole pound nearest to a mass, halves upwards.
func PoundsFromGrams(g Grams) Pounds {
	return roundHalfUp(g*tenMicrogramsPerGram, tenMicrogramsPerPound)
}

// GramsShown returns a load as it is shown in kilograms: the nearest half
// kilogram. Every multiple of half a kilogram up to 650 kg survives the way to
// pounds and back.
func GramsShown(w Pounds) Grams {
	return roundHalfUp(w*tenMicrogramsPerPound, halfKilogram*tenMicrogramsPerGram) * halfKilogram
}
