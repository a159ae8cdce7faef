package tools

import (
	"context"
	"fmt"
	"slices"

	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/plates/training/store"
)

// What happened to the session that had been generated from an edited day.
const (
	sessionRewritten = "rewritten" // it follows the plan
	sessionLifted    = "lifted"    // something in it was lifted, so it was left alone
	sessionNone      = "none"      // there is none, or the edit does not concern it
)

// session is what a training day has become; its sets are those before the
// edit.
type session struct {
	workout int64
	sets    []store.SetRow
	state   string
}

// session locks the workout of the day and says whether it may follow an edit.
func (e *planEdit) session(ctx context.Context) (session, error) {
	if e.day.WorkoutID == nil {
		return session{state: sessionNone}, nil
	}
	s := session{workout: *e.day.WorkoutID, state: sessionRewritten}
	found, err := store.Lock(ctx, e.tx, e.who.Workspace, s.workout)
	if err != nil {
		return s, err
	}
	if !found {
		return session{state: sessionNone}, nil
	}
	if s.sets, err = store.SetsOf(ctx, e.tx, e.who.Workspace, s.workout); err != nil {
		return s, err
	}
	if slices.ContainsFunc(s.sets, func(r store.SetRow) bool { return r.IsCompleted }) {
		s.state = sessionLifted
	}
	return s, nil
}

// rewrite replaces what one lift of the day wrote into the session; all other
// sets keep their rows. A lift that keeps its place keeps that of its sets.
func (e *planEdit) rewrite(ctx context.Context, s session, l Lift, moved bool) error {
	if s.state != sessionRewritten {
		return nil
	}
	g, err := generatorFor(ctx, e.tx, e.who, e.program, e.week)
	if err != nil {
		return err
	}
	written, err := g.lift(ctx, e.day, l)
	if err != nil {
		return err
	}
	if err := store.DropLiftSets(ctx, e.tx, e.who.Workspace, s.workout, l.ID); err != nil {
		return err
	}
	return store.WriteLiftSets(ctx, e.tx, e.who.Workspace, s.workout, s.gap(e.day, l, moved), written, author(e.who))
}

// gap returns where the sets of a lift go: where they were, or behind those of
// the lift before it.
func (s session) gap(d Day, l Lift, moved bool) store.Gap {
	behind := int64(0)
	if first, _ := s.span(l.ID); first > 0 && !moved {
		behind = first - 1
	} else {
		for _, earlier := range d.Lifts {
			if _, last := s.span(earlier.ID); earlier.Position < l.Position && last > 0 {
				behind = last // lifts are in their order: the nearest one wins
			}
		}
	}
	gap := store.Gap{Behind: behind}
	for _, r := range s.sets {
		if r.Position > behind && !wrote(l.ID, r) {
			gap.Before = r.Position
			break
		}
	}
	return gap
}

// span returns the first and the last position of what a lift wrote, zero when
// it wrote nothing.
func (s session) span(lift int64) (first, last int64) {
	for _, r := range s.sets {
		if !wrote(lift, r) {
			continue
		}
		if first == 0 {
			first = r.Position
		}
		last = r.Position
	}
	return first, last
}

func wrote(lift int64, r store.SetRow) bool {
	return r.ProgramLiftID != nil && *r.ProgramLiftID == lift
}

// move puts the session on the date that its day has now.
func (e *planEdit) move(ctx context.Context, s session, date dbtype.Date) error {
	if s.state != sessionRewritten {
		return nil
	}
	err := store.New(e.tx).MoveWorkout(ctx, store.MoveWorkoutParams{Date: date, WorkspaceID: e.who.Workspace, ID: s.workout})
	if err != nil {
		return fmt.Errorf("move workout %d: %w", s.workout, err)
	}
	return nil
}

// refs names the rows that an edit touched for the record.
func (e *planEdit) refs(s session, more ...string) []string {
	refs := append([]string{programRef(e.program.ID)}, more...)
	if s.state == sessionRewritten {
		refs = append(refs, workoutRef(s.workout))
	}
	return refs
}

// SessionSentence says what happened to the session of a weekday, with a
// leading blank; "" when nothing did.
func SessionSentence(state, weekday string) string {
	switch state {
	case sessionRewritten:
		return fmt.Sprintf(" The planned session on %s was rewritten to match.", weekday)
	case sessionLifted:
		return fmt.Sprintf(" The %s session has lifted sets in it, so it was left alone.", weekday)
	}
	return ""
}
