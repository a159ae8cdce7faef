// Package health holds the arithmetic of body readings: what scales and health
// apps measured, how much a series swings from day to day, and whether it
// changes. Every function takes plain values and returns plain values.
//
// # Units
//
// A value is an integer of thousandths of its unit (kg, lb, %, kg/m2 or a
// rating), a swing and a derived mass are tenths, a change per week is
// hundredths. Readings are never converted between units and never merged
// across sources; a Series is one source's readings of one metric in one unit.
//
// # The rules
//
// The daily value is the earliest reading of a day. The swing is the median of
// the differences between neighbouring daily values at most three days apart.
// The trend is the least-squares slope, given with twice its standard error.
// A number that too few readings support is not given at all.
//
// The package owns no tables. It exists apart from strength because it judges
// nothing: it knows no rule of training, and training knows none of it.
package health
