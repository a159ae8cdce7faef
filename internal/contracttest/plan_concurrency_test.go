package contracttest

import (
	"errors"
	"fmt"
	"testing"

	"tectonic/internal/bedrock/fault"
	"tectonic/internal/testkit/product"
)

// wantOrder expects the lifts of a day to stand at 0, 1, 2, … and the untrained
// workout of the day to hold sets of exactly these.
func wantOrder(t *testing.T, p *product.Product, day, lifts int) {
	t.Helper()
	got := number(t, p.DB, fmt.Sprintf("SELECT count(DISTINCT position) FROM training_program_lifts WHERE program_day_id = %d AND position >= 0 AND position < %d", day, lifts))
	if all := number(t, p.DB, fmt.Sprintf("SELECT count(*) FROM training_program_lifts WHERE program_day_id = %d", day)); got != lifts || all != lifts {
		t.Errorf("%d lifts at %d places from 0, want %d", all, got, lifts)
	}
	const lifted = "SELECT count(DISTINCT s.program_lift_id) FROM training_sets AS s JOIN training_workouts AS w ON w.id = s.workout_id WHERE w.program_day_id = %d"
	if got := number(t, p.DB, fmt.Sprintf(lifted, day)); got != lifts {
		t.Errorf("the session holds sets of %d lifts, want %d", got, lifts)
	}
}

// gone reports whether a call was refused because its lift is no longer there.
func gone(err error) bool {
	r, ok := errors.AsType[*fault.Refusal](err)
	return ok && r.Kind == fault.NotFound
}

func TestLiftsThatAreAddedAtOnceGetTheirOwnPlaces(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		who.Week()
		before := number(t, p.DB, "SELECT count(*) FROM training_program_lifts WHERE program_day_id = 1")
		const added = 6
		at(added, func(i int) {
			args := map[string]any{"program_day_id": 1, "exercise": fmt.Sprintf("Carry %d", i%3), "sets": 2, "reps": 5, "top_weight": 95}
			if i%2 == 0 {
				args["position"] = 0
			}
			if _, err := who.Call("add_program_lift", args); err != nil {
				t.Errorf("add: %v", err)
			}
		})
		wantOrder(t, p, 1, before+added)
	})
}

func TestALiftThatIsChangedAndDeletedAtOnceIsGone(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		who.Week()
		before := number(t, p.DB, "SELECT count(*) FROM training_program_lifts WHERE program_day_id = 1")
		lift := number(t, p.DB, "SELECT min(id) FROM training_program_lifts WHERE program_day_id = 1")
		at(4, func(i int) {
			tool, args := "delete_program_lift", map[string]any{"program_lift_id": lift}
			if i%2 == 0 {
				tool, args = "update_program_lift", map[string]any{"program_lift_id": lift, "top_weight": 165 + 5*i, "position": 1}
			}
			if _, err := who.Call(tool, args); err != nil && !gone(err) {
				t.Errorf("%s: %v", tool, err)
			}
		})
		wantOrder(t, p, 1, before-1)
	})
}

func TestAnEditReachesASessionThatIsBeingGenerated(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		program := who.Must("seed_program", nil)["id"]
		lift := number(t, p.DB, "SELECT min(id) FROM training_program_lifts WHERE program_day_id = 1")
		at(4, func(i int) {
			tool, args := "generate_program_week", map[string]any{"program_id": program, "week": 1}
			if i == 0 {
				tool, args = "update_program_lift", map[string]any{"program_lift_id": lift, "top_weight": 175}
			}
			if i == 1 {
				tool, args = "add_program_lift", map[string]any{"program_day_id": 1, "exercise": "Deadlift", "sets": 2, "reps": 5, "top_weight": 95}
			}
			if _, err := who.Call(tool, args); err != nil {
				t.Errorf("%s: %v", tool, err)
			}
		})
		if got := number(t, p.DB, "SELECT count(*) FROM training_workouts"); got != 1 {
			t.Errorf("%d workouts, want 1", got)
		}
		if got, want := heaviest(t, p, lift), editedInPeace(t, p); got != want {
			t.Errorf("the session plans %d lb, want %d as after an edit that nobody disturbed", got, want)
		}
		wantOrder(t, p, 1, number(t, p.DB, "SELECT count(*) FROM training_program_lifts WHERE program_day_id = 1"))
	})
}

// heaviest is the most that the session plans for a lift.
func heaviest(t *testing.T, p *product.Product, lift int) int {
	t.Helper()
	return number(t, p.DB, fmt.Sprintf("SELECT max(planned_weight) FROM training_sets WHERE program_lift_id = %d", lift))
}

// editedInPeace is what the same edit leads to for somebody else, one call
// after the other.
func editedInPeace(t *testing.T, p *product.Product) int {
	t.Helper()
	who := p.Person(t, "calm@example.com")
	program := who.Must("seed_program", nil)["id"]
	lift := number(t, p.DB, fmt.Sprintf("SELECT min(id) FROM training_program_lifts WHERE workspace_id = %d", who.Workspace()))
	who.Must("update_program_lift", map[string]any{"program_lift_id": lift, "top_weight": 175})
	who.Must("generate_program_week", map[string]any{"program_id": program, "week": 1})
	return heaviest(t, p, lift)
}
