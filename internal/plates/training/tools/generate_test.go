package tools_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

// block seeds Block 0 for this week and returns its id.
func (l *lifter) block() int64 {
	l.t.Helper()
	return answer[tools.Program](l, "seed_program", args{}).ID
}

func (l *lifter) generate(program int64, week int) tools.GenerateProgramWeekOut {
	l.t.Helper()
	return answer[tools.GenerateProgramWeekOut](l, "generate_program_week", args{"program_id": program, "week": week})
}

func (l *lifter) sets(workout int64) []tools.Set {
	l.t.Helper()
	return answer[tools.GetWorkoutOut](l, "get_workout", args{"workout_id": workout}).SetList
}

// train lifts every set of a session as an outcome asks: met as written, short
// by one rep in the last set of each lift, untrained not at all.
func (l *lifter) train(workout int64, outcome string) {
	l.t.Helper()
	if outcome == "untrained" || outcome == "" {
		return
	}
	sets := l.sets(workout)
	for i, s := range sets {
		in := args{"set_id": s.ID}
		last := i+1 == len(sets) || sets[i+1].ExerciseID != s.ExerciseID
		if outcome == "short" && last {
			in["reps"] = *s.Reps - 1
		}
		l.must("complete_set", in)
	}
}

// written tells the warm-ups or the working sets of one movement: 45x5 95x5.
func written(sets []tools.Set, exercise string, warmup bool) string {
	var words []string
	for _, s := range sets {
		if s.Exercise == exercise && s.IsWarmup == warmup {
			words = append(words, fmt.Sprintf("%dx%d", *s.Weight, *s.Reps))
		}
	}
	return strings.Join(words, " ")
}

// addWeek copies a week of a block to a number, as a week that is no deload.
func (l *lifter) addWeek(program int64, number, from int) {
	l.t.Helper()
	ws := l.who.Workspace
	l.exec("INSERT INTO training_program_weeks (workspace_id, program_id, number, created_at) SELECT workspace_id, program_id, CAST($1 AS INTEGER), created_at FROM training_program_weeks WHERE workspace_id = $2 AND program_id = $3 AND number = $4", number, ws, program, from)
	l.exec("INSERT INTO training_program_days (workspace_id, program_week_id, weekday, focus, created_at) SELECT d.workspace_id, n.id, d.weekday, d.focus, d.created_at FROM training_program_days d JOIN training_program_weeks k ON k.id = d.program_week_id JOIN training_program_weeks n ON n.program_id = k.program_id WHERE d.workspace_id = $1 AND k.program_id = $2 AND k.number = $3 AND n.number = $4", ws, program, from, number)
	l.exec("INSERT INTO training_program_lifts (workspace_id, program_day_id, exercise_id, position, sets, measure, reps, top_weight, progression, is_barbell, is_main, created_at) SELECT l.workspace_id, n.id, l.exercise_id, l.position, l.sets, l.measure, l.reps, l.top_weight, l.progression, l.is_barbell, l.is_main, l.created_at FROM training_program_lifts l JOIN training_program_days d ON d.id = l.program_day_id JOIN training_program_weeks k ON k.id = d.program_week_id JOIN training_program_weeks m ON m.program_id = k.program_id JOIN training_program_days n ON n.program_week_id = m.id WHERE l.workspace_id = $1 AND k.program_id = $2 AND k.number = $3 AND m.number = $4", ws, program, from, number)
}

// expected is Back Squat in one week of Block 0, the number of sets of the
// whole session, and how the session then goes.
type expected struct {
	ramp, work, reason string
	sets               int
	then               string
}

func TestBlock0WeekByWeek(t *testing.T) {
	t.Parallel()
	third := func(then string) []expected {
		return []expected{
			{"45x5 95x5 115x3 135x2", "150x3 155x3 160x3 165x3", "Written start.", 28, "met"},
			{"45x5 95x5 120x3 140x2", "155x3 160x3 165x3 170x3", "Week 1 met: 165 + 5.", 28, "met"},
			{"45x5 100x5 125x3 145x2", "160x3 165x3 170x3 175x3", "Week 2 met: 170 + 5.", 28, then},
		}
	}
	each(t, func(t *testing.T, g *gym) {
		for then, rest := range map[string][]expected{
			"met": {
				{"45x5 90x5 115x3 130x2", "145x3 150x3 155x3 160x3", "Week 3 met: 175 + 5. Deload: less a tenth.", 28, "met"},
				{"45x5 100x5 130x3 150x2", "165x3 170x3 175x3 180x3", "Week 3 met: 175 + 5.", 28, ""},
			},
			"short": {
				{"45x5 85x5 105x3 125x2", "135x3 140x3 145x3 150x3", "Week 3 fell short: 175 - 10. Deload: less a tenth.", 27, "met"},
				{"45x5 95x5 115x3 135x2", "150x3 155x3 160x3 165x3", "Week 3 fell short: 175 - 10.", 28, ""},
			},
			"untrained": {
				{"45x5 90x5 115x3 130x2", "145x3 150x3 155x3 160x3", "Week 3 was not trained: 175 again. Deload: less a tenth.", 28, "short"},
				{"45x5 100x5 125x3 145x2", "160x3 165x3 170x3 175x3", "Week 3 was not trained: 175 again.", 28, ""},
			},
		} {
			t.Run("week 3 is "+then, func(t *testing.T) {
				l := g.lifter(t, then+"@example.com")
				program := l.block()
				l.addWeek(program, 5, 3)
				for i, want := range append(third(then), rest...) {
					l.checkWeek(program, i+1, want)
				}
			})
		}
	})
}

// checkWeek generates a week, compares it and trains it.
func (l *lifter) checkWeek(program int64, week int, want expected) {
	l.t.Helper()
	out := l.generate(program, week)
	session := out.Workouts[0]
	sets := l.sets(session.ID)
	got := expected{
		ramp: written(sets, "Back Squat", true), work: written(sets, "Back Squat", false),
		reason: out.Lifts[0].Reason, sets: len(sets), then: want.then,
	}
	if got != want || session.Sets != int64(want.sets) {
		l.t.Errorf("week %d: %+v (%d sets told), want %+v", week, got, session.Sets, want)
	}
	l.train(session.ID, want.then)
}

func TestGeneratedSessionIsOrderedPlannedAndOpen(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com").client("Claude")
		out := l.generate(l.block(), 1)
		if got := out.Workouts[0]; got.Date != "2026-03-02" || got.Status != "planned" || !got.Created || got.CreatedBy == nil || *got.CreatedBy != "Claude" {
			t.Errorf("session %+v", got)
		}
		sets := l.sets(out.Workouts[0].ID)
		var groups []string
		reasons := 0
		for i, s := range sets {
			if s.Position != int64(i+1) || s.IsCompleted || s.ProgramLiftID == nil {
				t.Errorf("set %d: %+v", i, s)
			}
			if diff := cmp.Diff([]*int64{s.Weight, s.Reps, s.DurationSeconds}, []*int64{s.PlannedWeight, s.PlannedReps, s.PlannedDurationSeconds}); diff != "" {
				t.Errorf("set %d is not planned as it is: %s", i, diff)
			}
			if g := fmt.Sprint(s.Exercise, " warm-up ", s.IsWarmup); !slices.Contains(groups, g) {
				groups = append(groups, g)
			}
			if s.PlanReason != nil {
				reasons++
				if s.IsWarmup || *s.PlanReason != "Written start." {
					t.Errorf("set %d says %q", i, *s.PlanReason)
				}
			}
		}
		want := []string{
			"Back Squat warm-up true", "Back Squat warm-up false",
			"Decline Paused Bench warm-up true", "Decline Paused Bench warm-up false",
			"Glute Press Machine warm-up false",
			"Heel-Elevated Paused Squat warm-up true", "Heel-Elevated Paused Squat warm-up false",
			"Barbell Good Morning warm-up true", "Barbell Good Morning warm-up false",
		}
		if diff := cmp.Diff(want, groups); diff != "" {
			t.Errorf("order of lifting: %s", diff)
		}
		if reasons != 5 {
			t.Errorf("%d sets carry a reason, want one per lift", reasons)
		}
		for exercise, want := range map[string]string{
			"Decline Paused Bench": "95x8 100x8 105x8", "Glute Press Machine": "125x10 130x10 135x10",
			"Heel-Elevated Paused Squat": "110x5 115x5 120x5", "Barbell Good Morning": "65x8 70x8 75x8",
		} {
			if got := written(sets, exercise, false); got != want {
				t.Errorf("%s %s, want %s", exercise, got, want)
			}
		}
	})
}

func TestGenerateSaysWhatItScheduled(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		first := l.must("generate_program_week", args{"program_id": program})
		if want := "Week 1 of Block 0 is scheduled: Mon Mar 2 (28 sets)."; first != want {
			t.Errorf("said %q, want %q", first, want)
		}
		again := l.must("generate_program_week", args{"program_id": program, "week": 1})
		if want := "Week 1 of Block 0 is scheduled: Mon Mar 2 (28 sets, already there)."; again != want {
			t.Errorf("said %q, want %q", again, want)
		}
	})
}

// rows reads everything that generation writes, in one text per row.
func (l *lifter) rows() []string {
	l.t.Helper()
	var all []string
	for _, query := range []string{
		"SELECT id, date, rpe, notes, program_day_id, created_at FROM training_workouts WHERE workspace_id = $1 ORDER BY id",
		"SELECT id, workout_id, exercise_id, position, weight, reps, planned_weight, planned_reps, is_completed, rpe, plan_reason, completed_at, created_at FROM training_sets WHERE workspace_id = $1 ORDER BY id",
	} {
		err := l.db.Read(l.t.Context(), func(tx *db.Tx) error {
			rows, err := tx.QueryContext(l.t.Context(), query, l.who.Workspace)
			if err != nil {
				return err
			}
			defer rows.Close()
			cols, _ := rows.Columns()
			for rows.Next() {
				values, into := make([]any, len(cols)), make([]any, len(cols))
				for i := range values {
					into[i] = &values[i]
				}
				if err := rows.Scan(into...); err != nil {
					return err
				}
				all = append(all, fmt.Sprint(values...))
			}
			return rows.Err()
		})
		if err != nil {
			l.t.Fatal(err)
		}
	}
	return all
}

func TestGeneratingAgainChangesNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		for name, meanwhile := range map[string]func(l *lifter, workout int64){
			"straight away": func(*lifter, int64) {},
			"after sets were completed or edited": func(l *lifter, workout int64) {
				sets := l.sets(workout)
				l.must("complete_set", args{"set_id": sets[0].ID})
				l.must("complete_set", args{"set_id": sets[4].ID, "weight": 140, "rpe": 9})
				l.must("update_set", args{"set_id": sets[5].ID, "reps": 2})
				l.must("delete_set", args{"set_id": sets[6].ID})
			},
			"after the session was moved": func(l *lifter, workout int64) {
				l.must("update_workout", args{"workout_id": workout, "new_date": "2026-03-05"})
			},
		} {
			t.Run(name, func(t *testing.T) {
				l := g.lifter(t, strings.ReplaceAll(name, " ", "-")+"@example.com")
				program := l.block()
				workout := l.generate(program, 1).Workouts[0].ID
				meanwhile(l, workout)
				before := l.rows()
				out := l.generate(program, 1)
				if out.Workouts[0].ID != workout || out.Workouts[0].Created {
					t.Errorf("the second time: %+v", out.Workouts[0])
				}
				if diff := cmp.Diff(before, l.rows()); diff != "" {
					t.Errorf("rows changed: %s", diff)
				}
			})
		}
	})
}

func TestDeletedSessionIsGeneratedAnew(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		first := l.generate(program, 1).Workouts[0].ID
		l.must("delete_workout", args{"workout_id": first})
		again := l.generate(program, 1).Workouts[0]
		if again.ID == first || !again.Created || len(l.sets(again.ID)) != 28 {
			t.Errorf("after deleting %d: %+v", first, again)
		}
	})
}

func TestHandLoggedWorkoutStandsBesideTheGeneratedOne(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		logged := answer[tools.CreateSetOut](l, "create_set", args{"exercise": "Back Squat", "date": "2026-03-02", "weight": 135, "reps": 5})
		session := l.generate(l.block(), 1).Workouts[0]
		if session.ID == logged.WorkoutID || !session.Created || session.Date != "2026-03-02" {
			t.Errorf("beside workout %d: %+v", logged.WorkoutID, session)
		}
		if got := len(l.sets(logged.WorkoutID)); got != 1 {
			t.Errorf("the logged workout has %d sets, want 1", got)
		}
	})
}

func TestTwoGeneratorsWriteOneSession(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		const generators = 4
		ids, errs := make([]int64, generators), make([]error, generators)
		var all sync.WaitGroup
		for i := range generators {
			all.Go(func() {
				result, err := l.call("generate_program_week", args{"program_id": program, "week": 1})
				if errs[i] = err; err == nil {
					ids[i] = decode[tools.GenerateProgramWeekOut](t, result).Workouts[0].ID
				}
			})
		}
		all.Wait()
		for i, err := range errs {
			if err != nil || ids[i] != ids[0] {
				t.Errorf("generator %d returned workout %d and %v, want %d", i, ids[i], err, ids[0])
			}
		}
		if n := g.count(t, "SELECT count(*) FROM training_workouts WHERE workspace_id = $1", l.who.Workspace); n != 1 {
			t.Errorf("%d workouts, want 1", n)
		}
		if got := len(l.sets(ids[0])); got != 28 {
			t.Errorf("%d sets, want 28", got)
		}
	})
}

func TestGenerateRefuses(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l, other := g.lifter(t, "a@example.com"), g.lifter(t, "b@example.com")
		program := l.block()
		tool := "generate_program_week"
		l.refused(fault.NotFound, fmt.Sprintf("Program %d has no week 9; it has 4.", program), tool, args{"program_id": program, "week": 9})
		l.refused(fault.NotFound, "No program with id 999 on this account.", tool, args{"program_id": 999})
		other.refused(fault.NotFound, fmt.Sprintf("No program with id %d on this account.", program), tool, args{"program_id": program})
		g.wait(60 * 24 * time.Hour)
		l.refused(fault.Refused, "Block 0 runs 4 week(s) from 2026-03-02, which does not cover today. Name a week.", tool, args{"program_id": program})
		if n := g.count(t, "SELECT count(*) FROM training_workouts WHERE workspace_id = $1", l.who.Workspace); n != 0 {
			t.Errorf("%d workouts after refusals, want none", n)
		}
	})
}

func TestPercentageReadsTheEstimateOfTheDayOfGeneration(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		l.exec("UPDATE training_program_lifts SET progression = 'percent', percent_of_max = 75, top_weight = NULL, is_main = FALSE WHERE workspace_id = $1 AND position = 0", l.who.Workspace)
		l.refused(fault.Refused,
			"No estimated max for Back Squat yet, so 75% of it cannot be worked out. Log a completed set of 1 to 5 reps first.",
			"generate_program_week", args{"program_id": program, "week": 1})
		if n := g.count(t, "SELECT count(*) FROM training_workouts WHERE workspace_id = $1", l.who.Workspace); n != 0 {
			t.Fatalf("the refusal left %d workouts", n)
		}
		log := args{"exercise": "Back Squat", "date": "2026-02-23", "weight": 155, "reps": 5, "is_completed": true}
		l.must("create_set", log)
		log["date"], log["weight"] = "2026-03-04", 405 // dated after the day of generation
		l.must("create_set", log)
		lift := l.generate(program, 1).Lifts[0]
		if *lift.TopWeight != 145 || lift.Reason != "75% of an estimated max of 191." {
			t.Errorf("top %d, %q", *lift.TopWeight, lift.Reason)
		}
		g.wait(7 * 24 * time.Hour)
		if lift := l.generate(program, 2).Lifts[0]; lift.Reason != "75% of an estimated max of 499." {
			t.Errorf("a week later: %q", lift.Reason)
		}
	})
}

func TestUnweightedAndTimedLifts(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		program := l.block()
		l.exec("UPDATE training_program_lifts SET is_weighted = FALSE, is_barbell = FALSE, progression = NULL, top_weight = NULL WHERE workspace_id = $1 AND position = 1", l.who.Workspace)
		l.exec("UPDATE training_program_lifts SET measure = 'time', reps = NULL, duration_seconds = 45, top_weight = 72, is_per_side = TRUE WHERE workspace_id = $1 AND position = 2", l.who.Workspace)
		out := l.generate(program, 1)
		if l := out.Lifts[1]; l.TopWeight != nil || *l.Reps != 8 || l.Reason != "No load." {
			t.Errorf("unweighted: %+v", l)
		}
		if l := out.Lifts[2]; *l.TopWeight != 70 || l.Reps != nil {
			t.Errorf("timed: top %v reps %v", l.TopWeight, l.Reps)
		}
		for _, s := range l.sets(out.Workouts[0].ID) {
			if s.Exercise == "Glute Press Machine" && (s.Measure != "time" || *s.DurationSeconds != 45 || *s.Weight != 70 || !s.IsPerSide || s.IsWarmup) {
				t.Errorf("timed set: %+v", s)
			}
			if s.Exercise == "Decline Paused Bench" && (s.Weight != nil || s.IsWarmup) {
				t.Errorf("unweighted set: %+v", s)
			}
		}
	})
}
