package resilience

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"testing"
	"time"
)

// press is one form that a lifter sends: Done on a written set, or a new set.
type press struct {
	path string
	form url.Values
	set  string // id of the written set; "" = a new one
}

// A session of 112 written sets and some more, over a server that is killed
// every few taps. What was acknowledged is there after each restart, nothing
// is there twice, and every set that was lifted has its row in the record. The
// lifter sends the tap that got no answer once more, as a browser does.
func TestAKillLosesNothingThatWasAcknowledged(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place) {
		s := p.serve(t, "--demo")
		for week := 2; week <= 4; week++ {
			p.must(t, "training", "program", "generate", "--week", fmt.Sprint(week))
		}
		l := signIn(t, s)
		all, written := presses(t, p)
		var acknowledged []press
		kills, until := 0, untilKill()
		for _, next := range all {
			if until--; until == 0 {
				time.AfterFunc(time.Duration(rand.IntN(4000))*time.Microsecond, s.kill)
			}
			for {
				a, err := l.post(s, next.path, next.form)
				if err == nil && a.status == http.StatusSeeOther {
					break
				}
				if err == nil {
					t.Fatalf("%s: status %d\n%.1500s", next.path, a.status, a.body)
				}
				<-s.gone
				checkAfterKill(t, p, written, acknowledged)
				s = p.serve(t)
				kills, until = kills+1, untilKill()
			}
			acknowledged = append(acknowledged, next)
		}
		s.kill()
		checkAfterKill(t, p, written, acknowledged)
		if kills < 3 {
			t.Errorf("only %d kills were met; the test proves little", kills)
		}
		t.Logf("%d taps, %d kills", len(acknowledged), kills)
		p.must(t, "db", "check")
	})
}

// ofBlock0 leaves out what the demo account lifted before.
const ofBlock0 = `workout_id IN (SELECT w.id FROM training_workouts AS w JOIN training_program_days AS d ON d.id = w.program_day_id
	JOIN training_program_weeks AS k ON k.id = d.program_week_id WHERE k.program_id = 1)`

// untilKill returns after how many taps the next kill comes.
func untilKill() int { return 3 + rand.IntN(20) }

// presses is Done on every written set, with a new set after every fourth. It
// also returns how many sets are written.
func presses(t *testing.T, p place) (all []press, written int) {
	t.Helper()
	d := p.open(t)
	defer d.Close() // after a kill the server itself has to mend the file
	sets := column(t, d, "SELECT id FROM training_sets WHERE "+ofBlock0+" ORDER BY id")
	workouts := column(t, d, "SELECT workout_id FROM training_sets WHERE "+ofBlock0+" ORDER BY id")
	for n, set := range sets {
		path, form := tap("/workouts/"+workouts[n]+"/sets/"+set+"/complete", url.Values{"done": {"1"}})
		all = append(all, press{path, form, set})
		if n%4 == 3 {
			path, form := tap("/workouts/"+workouts[n]+"/sets/new", url.Values{"exercise_id": {"1"}, "weight": {"135"}, "reps": {"5"}})
			all = append(all, press{path: path, form: form})
		}
	}
	return all, len(sets)
}

// checkAfterKill compares the database with what the lifter was told. One tap
// may be there that nobody was told about: the kill came before the answer.
func checkAfterKill(t *testing.T, p place, written int, acknowledged []press) {
	t.Helper()
	d := p.open(t)
	defer d.Close()
	lifted := map[string]bool{}
	for _, set := range column(t, d, "SELECT id FROM training_sets WHERE is_completed AND "+ofBlock0) {
		lifted[set] = true
	}
	done, added := 0, 0
	for _, a := range acknowledged {
		if a.set == "" {
			added++
			continue
		}
		done++
		if !lifted[a.set] {
			t.Errorf("set %s was acknowledged and is not done", a.set)
		}
	}
	if got := len(lifted); got != done && got != done+1 {
		t.Errorf("%d sets are done, %d were acknowledged", got, done)
	}
	if got := number(t, d, "SELECT count(*) FROM training_sets WHERE "+ofBlock0) - written; got != added && got != added+1 {
		t.Errorf("%d new sets are there, %d were acknowledged", got, added)
	}
	// One statement each, so that a commit in between cannot show half.
	for what, query := range map[string]string{
		"done sets without exactly one row in the record": "SELECT count(*) FROM training_sets AS s WHERE " + ofBlock0 + ` AND s.is_completed AND 1 <> (
			SELECT count(*) FROM record_rows AS r WHERE r.outcome = 'ok' AND r.tool = 'complete_set'
			AND r.object_refs LIKE '%"set:' || CAST(s.id AS TEXT) || '"%')`,
		"new sets more or less than rows in the record": fmt.Sprintf(`SELECT count(*) - %d -
			(SELECT count(*) FROM record_rows WHERE outcome = 'ok' AND tool = 'create_set') FROM training_sets WHERE `, written) + ofBlock0,
		"request ids without their answer": "SELECT count(*) FROM request_keys WHERE answer IS NULL",
	} {
		if got := number(t, d, query); got != 0 {
			t.Errorf("%d %s", got, what)
		}
	}
}
