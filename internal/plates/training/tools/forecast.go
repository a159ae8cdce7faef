package tools

import (
	"context"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/store"
	"tectonic/internal/plates/training/strength"
)

// Forecast is what a lift without a session yet will write if every session
// before it meets its plan. Refused says why nothing can be worked out.
type Forecast struct {
	Generated strength.Generated
	Refused   string
}

// ReadForecast works out, by lift, what the days of a block that have no
// session yet will write. It runs the generator week by week and takes what is
// still to be lifted, from today on, as met; what was missed stays missed.
func ReadForecast(ctx context.Context, tx *db.Tx, who contract.Caller, p Program) (map[int64]Forecast, error) {
	g, err := generatorFor(ctx, tx, who, p, Week{Number: strength.MaxWeeksPerBlock + 1})
	if err != nil {
		return nil, err
	}
	g.assumeOpen()
	ahead := map[int64]Forecast{}
	for _, g.week = range p.Weeks {
		for _, d := range g.week.Days {
			if d.WorkoutID != nil {
				continue
			}
			if err := g.forecast(ctx, d, ahead); err != nil {
				return nil, err
			}
		}
	}
	return ahead, nil
}

// assumeOpen takes the sessions from today on as met.
func (g *generator) assumeOpen() {
	today, start := store.Day(g.who.Today(g.tx.Now())), store.Day(g.program.StartDate)
	for i, s := range g.history {
		if !strength.DateOf(start, s.Week, s.Weekday).Before(today) {
			g.history[i].Assume()
		}
	}
}

// forecast adds what the lifts of a day will write, to the answer and to what
// later weeks progress from.
func (g *generator) forecast(ctx context.Context, d Day, into map[int64]Forecast) error {
	for _, l := range d.Lifts {
		written, err := g.lift(ctx, d, l)
		if r := fault.From(err); err != nil && r.Kind == fault.Refused {
			into[l.ID] = Forecast{Refused: r.Sentence()}
			continue
		}
		if err != nil {
			return err
		}
		into[l.ID] = Forecast{Generated: written.Generated}
		g.history = append(g.history, strength.Ahead(prescription(l), g.dayOf(d), written.Generated))
	}
	return nil
}
