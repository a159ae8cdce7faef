package tools

import (
	"context"
	"fmt"
	"slices"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/plates/training/store"
)

// daySession is a training day of a block with the session that it became.
type daySession struct {
	*planEdit
	session
}

// sessionsOf locks the sessions of the weeks, in their order.
func sessionsOf(ctx context.Context, tx *db.Tx, who contract.Caller, p Program, weeks ...Week) ([]daySession, error) {
	var list []daySession
	for _, w := range weeks {
		for _, d := range w.Days {
			e := &planEdit{tx: tx, who: who, program: p, week: w, day: d}
			s, err := e.session(ctx)
			if err != nil {
				return nil, err
			}
			list = append(list, daySession{e, s})
		}
	}
	return list, nil
}

// liftedIn counts the sessions with lifted sets.
func liftedIn(list []daySession) int {
	n := 0
	for _, d := range list {
		if d.state == sessionLifted {
			n++
		}
	}
	return n
}

// Followed is what happened to the sessions of a plan that changed.
type Followed struct {
	Rewritten int64 `json:"rewritten"` // planned sessions that follow the plan
	Left      int64 `json:"left"`      // sessions with lifted sets, left alone
}

// Sentence tells it with a leading blank, "" when there is nothing to tell.
func (f Followed) Sentence() string {
	said := ""
	switch {
	case f.Rewritten == 1:
		said = " 1 planned session was rewritten to match."
	case f.Rewritten > 1:
		said = fmt.Sprintf(" %d planned sessions were rewritten to match.", f.Rewritten)
	}
	switch {
	case f.Left == 1:
		said += " 1 session has lifted sets in it, so it was left alone."
	case f.Left > 1:
		said += fmt.Sprintf(" %d sessions have lifted sets in them, so they were left alone.", f.Left)
	}
	return said
}

// follow lets the planned sessions follow the block as it is written now: the
// date of their day, and what every lift writes.
func follow(ctx context.Context, list []daySession, program Program, date, loads bool) (Followed, error) {
	var f Followed
	for _, d := range list {
		switch d.state {
		case sessionLifted:
			f.Left++
		case sessionRewritten:
			f.Rewritten++
		}
		id := d.day.ID
		d.program = program
		if d.state != sessionRewritten || !d.find(func(now Day) bool { return now.ID == id }) {
			continue
		}
		if err := d.follow(ctx, date, loads); err != nil {
			return f, err
		}
	}
	return f, nil
}

func (d daySession) follow(ctx context.Context, date, loads bool) error {
	if date {
		if err := d.move(ctx, d.session, d.day.Date); err != nil {
			return err
		}
	}
	if !loads {
		return nil
	}
	for _, l := range d.day.Lifts {
		s, err := d.planEdit.session(ctx) // its sets have moved since the lift before
		if err != nil {
			return err
		}
		if err := d.rewrite(ctx, s, l, false); err != nil {
			return err
		}
	}
	return nil
}

// Parted is what happened to the sessions of a part of a plan that was
// deleted.
type Parted struct {
	Removed int64 `json:"removed"` // planned sessions that went with it
	Kept    int64 `json:"kept"`    // sessions that stay as workouts of their own
}

// Sentence tells it with a leading blank, "" when there is nothing to tell.
func (p Parted) Sentence() string {
	said := ""
	switch {
	case p.Removed == 1:
		said = " Its planned session went with it."
	case p.Removed > 1:
		said = fmt.Sprintf(" Its %d planned sessions went with it.", p.Removed)
	}
	switch {
	case p.Kept == 1:
		said += " 1 session stays as a workout of its own."
	case p.Kept > 1:
		said += fmt.Sprintf(" %d sessions stay as workouts of their own.", p.Kept)
	}
	return said
}

// part frees the days of what they became: a session that holds nothing but
// the plan is deleted, every other one stays and forgets the plan.
func part(ctx context.Context, list []daySession) (Parted, error) {
	var p Parted
	for _, d := range list {
		workout := d.workout
		touched, err := d.touched(ctx)
		if err != nil {
			return p, err
		}
		switch {
		case d.state == sessionNone:
			workout = 0
		case touched:
			p.Kept++
		default:
			if _, err := store.New(d.tx).DeleteWorkout(ctx, d.who.Workspace, workout); err != nil {
				return p, fmt.Errorf("delete workout %d: %w", workout, err)
			}
			workout = 0
			p.Removed++
		}
		if err := store.ReleaseDay(ctx, d.tx, d.who.Workspace, d.day.ID, workout); err != nil {
			return p, err
		}
	}
	return p, nil
}

// touched reports whether somebody has put something into the session that the
// plan does not hold: a lifted set, a set by hand, a rating or a note.
func (d daySession) touched(ctx context.Context) (bool, error) {
	if d.state != sessionRewritten {
		return d.state == sessionLifted, nil
	}
	if slices.ContainsFunc(d.sets, func(r store.SetRow) bool { return r.ProgramLiftID == nil }) {
		return true, nil
	}
	row, found, err := store.WorkoutByID(ctx, d.tx, d.who.Workspace, d.workout)
	return found && (row.Notes != nil || row.Rpe != nil), err
}

// sessionRefs names the workouts of the sessions for the record.
func sessionRefs(list []daySession) []string {
	var refs []string
	for _, d := range list {
		if d.state != sessionNone {
			refs = append(refs, workoutRef(d.workout))
		}
	}
	return refs
}

// sessionsWith is "1 session with lifted sets", "3 sessions with lifted sets".
func sessionsWith(n int) string {
	if n == 1 {
		return "1 session with lifted sets"
	}
	return fmt.Sprintf("%d sessions with lifted sets", n)
}
