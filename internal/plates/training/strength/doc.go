// Package strength holds the rules of barbell training: what to put on the
// bar next, how to warm up for it, which plates that takes, and what lifted
// sets say about the lifter. Every function takes plain values and returns
// plain values; there is no SQL, HTTP, clock or randomness here.
//
// # Units
//
// A load is a whole number of pounds, bar included. Plates are hundredths of
// a pound, because 2.5 and 1.25 are the only fractions in the domain. Days
// are time.Time values at midnight UTC and carry no zone. Arithmetic is exact
// (integers and ratios of integers) and halves round up, so 157.5 becomes 160
// on every machine.
//
// # Absent numbers
//
// No load, count, duration, rating, step or percentage can really be zero, so
// zero means "absent" for all of them. "No external load" is a weight of zero
// here and NULL in the database; the store converts at its edge.
//
// # The rules and their sources
//
// Loads sit on a Grid that starts at the empty bar and climbs by the smallest
// change the owned plates can make (Rack.Increment). Sets of one to five reps
// are priced against each other by the RPE-8 column of the RPE chart used in
// powerlifting (SetScheme conversions: Convert). The top set progresses by the
// lift's rule (linear, strikes, fixed, percent), a linear lift with a range of
// reps first through that range (NextInRange), a deload takes a tenth off last, Ramp warms up towards the work and Ladder climbs to the top set.
// GenerateLift puts these together for one lift of one day.
//
// The package owns no tables. It exists apart from its two callers, tools and
// pages, so that neither can disagree with the other and so that the rules can
// be tested without a database.
package strength
