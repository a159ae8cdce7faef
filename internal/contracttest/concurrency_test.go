package contracttest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/testkit/product"
)

func number(t *testing.T, d *db.DB, query string, args ...any) (n int) {
	t.Helper()
	if err := d.W.QueryRowContext(context.WithoutCancel(t.Context()), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// at runs fn n times at once.
func at(n int, fn func(i int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			fn(i)
		})
	}
	close(start)
	wg.Wait()
}

func TestTwoGeneratorsWriteOneWorkoutPerDay(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		program := who.Must("seed_program", nil)["id"]
		at(2, func(int) {
			if _, err := who.Call("generate_program_week", map[string]any{"program_id": program, "week": 1}); err != nil {
				t.Errorf("generate: %v", err)
			}
		})
		if got := number(t, p.DB, "SELECT count(*) FROM training_workouts"); got != 1 {
			t.Errorf("%d workouts, want 1", got)
		}
		if got := number(t, p.DB, "SELECT count(*) FROM training_sets"); got != 28 {
			t.Errorf("%d sets, want 28", got)
		}
	})
}

func TestFiftyTapsOnDoneCompleteOneSet(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		_, workout := who.Week()
		b := who.Browser()
		const taps = 50
		at(taps, func(int) {
			b.Post(fmt.Sprintf("/workouts/%d/sets/1/complete", workout), url.Values{"done": {"1"}}, http.StatusSeeOther)
		})
		if got := number(t, p.DB, "SELECT count(*) FROM training_sets WHERE is_completed AND completed_at IS NOT NULL"); got != 1 {
			t.Errorf("%d completed sets, want 1", got)
		}
		if got := number(t, p.DB, "SELECT count(*) FROM record_rows WHERE tool = 'complete_set' AND outcome = 'ok'"); got != taps {
			t.Errorf("%d record rows, want one for each of the %d taps", got, taps)
		}
	})
}

// The same form sent twenty times, as by a nervous thumb on a slow network.
func TestOneFormSentManyTimesLogsOneSet(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		_, workout := who.Week()
		b := who.Browser()
		form := url.Values{"exercise_id": {"1"}, "weight": {"135"}, "reps": {"5"}, "request_id": {"the-same-form"}}
		at(20, func(int) {
			b.Post(fmt.Sprintf("/workouts/%d/sets/new", workout), form, http.StatusSeeOther)
		})
		if got := number(t, p.DB, "SELECT count(*) FROM training_sets"); got != 29 {
			t.Errorf("%d sets, want 29", got)
		}
	})
}

func TestParallelSetsGetTheirOwnPositions(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		const sets = 20
		at(sets, func(int) {
			if _, err := who.Call("create_set", map[string]any{"exercise": "Cable Row", "weight": 100, "reps": 10}); err != nil {
				t.Errorf("create_set: %v", err)
			}
		})
		if got := number(t, p.DB, "SELECT count(*) FROM training_workouts"); got != 1 {
			t.Errorf("%d workouts, want 1", got)
		}
		if got := number(t, p.DB, "SELECT count(DISTINCT position) FROM training_sets"); got != sets {
			t.Errorf("%d positions, want %d", got, sets)
		}
		if got := number(t, p.DB, "SELECT count(*) FROM training_exercises WHERE workspace_id IS NOT NULL"); got != 1 {
			t.Errorf("%d new movements, want 1", got)
		}
	})
}

// A set is being lifted while the workout is moved without confirm: the move
// waits for the lift and is then refused, because the workout has a lifted set.
func TestAMoveSeesTheSetThatIsBeingLifted(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		who := p.Person(t, "lifter@example.com")
		_, workout := who.Week()
		lifting, done := make(chan struct{}), make(chan error, 1)
		go func() {
			done <- p.DB.Write(context.WithoutCancel(t.Context()), func(tx *db.Tx) error {
				for _, statement := range []string{"UPDATE training_workouts SET revision = revision + 1", "UPDATE training_sets SET is_completed = TRUE WHERE position = 1"} {
					if _, err := tx.ExecContext(t.Context(), statement); err != nil {
						return err
					}
				}
				close(lifting)
				time.Sleep(150 * time.Millisecond) // the other is on its way meanwhile
				return nil
			})
		}()
		<-lifting
		_, err := who.Call("update_workout", map[string]any{"workout_id": workout, "new_date": "2026-01-05"})
		if r := fault.From(err); r == nil || r.Kind != fault.Refused {
			t.Errorf("the move answered %v, want a refusal", err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
}
