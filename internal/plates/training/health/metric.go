package health

import (
	"fmt"
	"slices"
	"strings"
)

// Metric is what a reading is about.
type Metric string

// The metrics.
const (
	Bodyweight       Metric = "bodyweight"
	FatMass          Metric = "fat_mass"
	LeanMass         Metric = "lean_mass"
	MuscleMass       Metric = "muscle_mass"
	BoneMass         Metric = "bone_mass"
	BodyWaterMass    Metric = "body_water_mass"
	BodyFatPercent   Metric = "body_fat_percent"
	BodyWaterPercent Metric = "body_water_percent"
	BMI              Metric = "bmi"
	VisceralFat      Metric = "visceral_fat_rating"
)

// The units of readings.
const (
	Kilogram  = "kg"
	Pound     = "lb"
	Percent   = "%"
	MassIndex = "kg/m2"
	Rating    = "rating"
)

// bound is what a value in a unit can plausibly be, both ends included, in
// whole units.
type bound struct {
	unit      string
	low, high int64
}

var weights = []bound{{Kilogram, 20, 400}, {Pound, 44, 880}}

var masses = []bound{{Kilogram, 0, 300}, {Pound, 0, 660}}

var kinds = []struct {
	metric Metric
	word   string
	bounds []bound
}{
	{Bodyweight, "body weight", weights},
	{FatMass, "fat mass", masses},
	{LeanMass, "lean mass", masses},
	{MuscleMass, "muscle mass", masses},
	{BoneMass, "bone mass", masses},
	{BodyWaterMass, "body water", masses},
	{BodyFatPercent, "body fat", []bound{{Percent, 0, 100}}},
	{BodyWaterPercent, "body water", []bound{{Percent, 0, 100}}},
	{BMI, "BMI", []bound{{MassIndex, 5, 100}}},
	{VisceralFat, "visceral fat rating", []bound{{Rating, 0, 60}}},
}

// Metrics returns the names of all metrics.
func Metrics() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k.metric)
	}
	return names
}

// Known reports whether there is such a metric.
func (m Metric) Known() bool { return slices.Contains(Metrics(), string(m)) }

// Word returns the metric as a reader says it: "body fat".
func (m Metric) Word() string {
	for _, k := range kinds {
		if k.metric == m {
			return k.word
		}
	}
	return string(m)
}

// Check returns why a value in thousandths of a unit cannot be a reading of
// the metric, "" when it can.
func (m Metric) Check(unit string, milli int64) string {
	var units []string
	for _, k := range kinds {
		for _, b := range k.bounds {
			if k.metric != m {
				continue
			}
			units = append(units, b.unit)
			if b.unit != unit {
				continue
			}
			if milli < b.low*1000 || milli > b.high*1000 {
				return fmt.Sprintf("%s %s is out of range; use %d-%d %s", m.Word(), Trim(milli), b.low, b.high, unit)
			}
			return ""
		}
	}
	if units == nil {
		return fmt.Sprintf("%q is not a metric", string(m))
	}
	return fmt.Sprintf("%q is not a unit of %s; use %s", unit, m.Word(), strings.Join(units, " or "))
}

// Show writes a value with its unit to one decimal: "27.9%", "180.2 lb".
func Show(milli int64, unit string) string { return ShowTenths(Tenths(milli), unit) }

// ShowTenths writes a number of tenths with its unit.
func ShowTenths(tenths int64, unit string) string {
	text := decimal(tenths, 1)
	switch unit {
	case Percent:
		return text + "%"
	case Rating:
		return text
	}
	return text + " " + unit
}

// Trim writes thousandths without trailing zeros: "81.64".
func Trim(milli int64) string {
	return strings.TrimSuffix(strings.TrimRight(decimal(milli, 3), "0"), ".")
}

// Tenths rounds thousandths to tenths, halves up.
func Tenths(milli int64) int64 { return halfUp(milli, 100) }

// decimal writes an integer with its last digits behind a point.
func decimal(n int64, digits int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	text := fmt.Sprintf("%0*d", digits+1, n)
	return sign + text[:len(text)-digits] + "." + text[len(text)-digits:]
}

// halfUp divides and rounds to the nearest whole number, halves upwards. den
// is positive.
func halfUp(num, den int64) int64 {
	n := 2*num + den
	q := n / (2 * den)
	if n%(2*den) != 0 && n < 0 {
		q--
	}
	return q
}
