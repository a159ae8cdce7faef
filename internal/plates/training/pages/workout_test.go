package pages_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"tectonic/internal/bedrock/db"
)

func TestForeignAndUnknownIdsLookAlike(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		other := g.lifter(t, "other@example.com")
		theirs := other.week()
		set := strings.TrimSuffix(at(t, other, theirs, 1), "/complete")
		own := mira.week()

		gets := []string{"", "/edit", "/delete", "/session", "/sets", "/sets/new"}
		posts := []string{"/delete", "/session", "/repeat"}
		paths := map[string][]string{http.MethodGet: nil, http.MethodPost: nil}
		for _, base := range []string{theirs, "/workouts/987654", "/workouts/x"} {
			for _, p := range gets {
				paths[http.MethodGet] = append(paths[http.MethodGet], base+p)
			}
			for _, p := range posts {
				paths[http.MethodPost] = append(paths[http.MethodPost], base+p)
			}
		}
		for _, base := range []string{set, own + "/sets/987654", own + "/sets" + set[strings.LastIndex(set, "/"):]} {
			for _, p := range []string{"", "/edit", "/delete"} {
				paths[http.MethodGet] = append(paths[http.MethodGet], base+p)
			}
			for _, p := range []string{"", "/delete"} {
				paths[http.MethodPost] = append(paths[http.MethodPost], base+p)
			}
		}
		for _, path := range paths[http.MethodGet] {
			a := mira.send(http.MethodGet, path, nil, nil)
			if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != "/workouts" {
				t.Errorf("GET %s: %d to %q", path, a.StatusCode, a.Header.Get("Location"))
			}
		}
		for _, path := range paths[http.MethodPost] {
			a := mira.post(http.StatusSeeOther, path, "done", "1", "rpe", "8", "reps", "5", "confirm", "1")
			if got := a.Header.Get("Location"); got != "/workouts" {
				t.Errorf("POST %s leads to %q", path, got)
			}
		}
		t.Run("the list says that there is no such workout, whatever was wrong", func(t *testing.T) {
			for _, path := range []string{theirs, "/workouts/987654/session", "/workouts/x/edit"} {
				says(t, mira, mira.send(http.MethodGet, path, nil, nil), "There is no such workout in this workspace.")
			}
			says(t, mira, mira.post(http.StatusSeeOther, set+"/complete", "done", "1"), "There is no such workout in this workspace.")
			says(t, mira, mira.send(http.MethodGet, own+"/sets/987654", nil, nil), "There is no such set in this workspace.")
		})
		other.get(theirs+"/session").says(t, ".prog__n", "0 of 28")
	})
}

// says fails unless the page that the answer leads to has the sentence in its
// panel.
func says(t *testing.T, l *lifter, a answer, want string) {
	t.Helper()
	var cookies []string
	for _, c := range a.Cookies() {
		cookies = append(cookies, c.Name+"="+c.Value)
	}
	next := l.send(http.MethodGet, a.Header.Get("Location"), nil, http.Header{"Cookie": {strings.Join(cookies, "; ")}})
	next.says(t, "main .flash", want)
}

func TestASetThatIsGoneLeavesTheSessionOpen(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira, other := g.lifter(t, "mira@example.com"), g.lifter(t, "other@example.com")
		workout, theirs := mira.week(), other.week()
		gone := at(t, mira, workout, 5)
		foreign := workout + "/sets/" + strconv.Itoa(setID(t, at(t, other, theirs, 1))) + "/complete"
		mira.call("delete_set", map[string]any{"set_id": setID(t, gone), "confirm": true})
		for _, path := range []string{gone, workout + "/sets/987654/complete", workout + "/sets/x/complete", foreign} {
			a := mira.swap(http.StatusUnprocessableEntity, path, "done", "1")
			a.says(t, "#refused[role=alert]", "That set is gone: it was deleted. This is the session as it is now.")
			a.says(t, ".prog__n", "0 of 27")

			plain := mira.post(http.StatusSeeOther, path, "done", "1")
			if got := plain.Header.Get("Location"); got != "/workouts" {
				t.Errorf("POST %s leads to %q", path, got)
			}
			says(t, mira, plain, "That set is gone")
		}
		other.get(theirs+"/session").says(t, ".prog__n", "0 of 28")
	})
}

func TestRecordOfAWorkout(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.week()
		mira.swap(http.StatusOK, at(t, mira, workout, 5), "weight", "155", "reps", "3")
		page := mira.get(workout)
		page.says(t, "h1", "Monday March 2, 2026")
		page.says(t, ".sub", "Squat, Block 0 week 1.")
		page.count(t, ".rec", 5)
		page.says(t, ".rec:first-child td.kind", "Warm-up")
		page.says(t, ".st--changed", "planned 150 × 3")
		page.says(t, ".figs div:first-child dd", "1 of 28")
		page.says(t, "td", "Incomplete")
		mira.post(http.StatusSeeOther, at(t, mira, workout, 1), "done", "1")
		mira.get(workout).says(t, ".rec .st--done", "Done")
	})
}

func TestARecordHasOneFirstThingToDo(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		made := mira.call("create_workout", map[string]any{"date": "2026-03-02"})
		set := mira.call("create_set", map[string]any{"exercise": "Back Squat", "workout_id": made["id"], "weight": 135, "reps": 5})
		const primary = ".head__acts .btn--plan, .head__acts .btn--go"

		page := mira.get(pathOf(made))
		page.count(t, primary, 1)
		page.says(t, ".head__acts .btn:first-child.btn--plan", "Run session")

		mira.call("complete_set", map[string]any{"set_id": set["id"]})
		page = mira.get(pathOf(made))
		page.count(t, primary, 1)
		page.says(t, ".head__acts .btn:first-child.btn--go", "Add new set")
		page.says(t, ".head__acts .btn:last-child", "Run session")
	})
}

func TestHomeShowsTodayAndTheMonth(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")

		empty := mira.get("/")
		empty.says(t, ".tally", "Nothing trained or planned this month.")
		empty.says(t, ".empty .btn", "Write a block")

		workout := mira.week()
		page := mira.get("/")
		page.says(t, "h1", "Monday March 2")
		page.says(t, ".sub", "Week 1 of 4 in Block 0. Squat today.")
		page.says(t, ".hero", "28 sets, five lifts")
		page.says(t, ".hero .load", "165lb × 3")
		page.says(t, ".tally", "1 planned")
		page.count(t, ".is-today .chip--planned", 1)
		page.count(t, `.hero a[href="`+workout+`/session"]`, 1)

		mira.swap(http.StatusOK, at(t, mira, workout, 1), "done", "1")
		page = mira.get("/")
		page.says(t, ".tally", "1 trained")
		page.says(t, ".hero__go", "Continue session")

		number := strings.TrimPrefix(workout, "/workouts/")
		mira.post(http.StatusSeeOther, "/workouts", "id", number, "date", "2026-03-05", "confirm", "1")
		mira.get("/").says(t, ".hero .st", "under way, 1 of 28 sets done") // begun ahead of its day

		for _, odd := range []string{"2026-13", "x", "1999-01", "2041-01"} {
			mira.get("/?month="+odd).says(t, "#month-h", "March 2026")
		}
		mira.get("/?month=2026-02").says(t, "#month-h", "February 2026")
	})
}

func TestAWorkoutByHandHasOneStatusOnEveryPage(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		made := mira.call("create_workout", map[string]any{"date": "2026-03-02"})
		mira.call("create_set", map[string]any{"exercise": "Back Squat", "workout_id": made["id"], "weight": 135, "reps": 5})
		page := mira.get("/")
		page.says(t, ".is-today .chip--done", "trained")
		page.says(t, ".hero .st--done", "trained today, 0 of 1 set done")
		page.count(t, ".hero .st--planned", 0)
		list := mira.get("/workouts")
		list.count(t, "#upcoming-h", 0)
		list.count(t, `section[aria-labelledby="history-h"] tbody tr`, 1)
	})
}

func TestTodayLeadsOnAfterTheLastSessionOfAWeek(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ start, lifted string }{
		"a week lifted ahead of its days":     {"2026-03-09", "2026-03-10"},
		"a block that is behind its calendar": {"2026-01-05", "2026-02-20"},
		"a week lifted on its days":           {"2026-02-23", "2026-02-25"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, func(t *testing.T, g *gym) {
				mira := g.lifter(t, "mira@example.com")
				mira.week()
				err := g.db.Write(t.Context(), func(tx *db.Tx) error {
					for _, q := range []string{"UPDATE training_programs SET start_date = '" + c.start + "'", "UPDATE training_workouts SET date = '" + c.lifted + "'", "UPDATE training_sets SET is_completed = TRUE"} {
						if _, err := tx.ExecContext(t.Context(), q); err != nil {
							return err
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
				page := mira.get("/")
				page.says(t, `form.way button`, "Generate week 2")
				page.count(t, ".empty", 0)
			})
		})
	}
}

func TestHomeWelcomesWhoeverIsSignedOut(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		w := httptest.NewRecorder()
		g.site.Handler(g.mux).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != "/welcome" {
			t.Errorf("status %d to %q", w.Code, got)
		}
	})
}

func TestWorkoutsAreListedAPageAtATime(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		mira.get("/workouts").says(t, ".empty", "No workouts yet")
		for n := range 60 {
			month, day := 1+n/28, 1+n%28
			mira.call("create_workout", map[string]any{"date": "2025-" + two(month) + "-" + two(day)})
		}
		mira.call("create_workout", map[string]any{"date": "2026-03-20"})

		page := mira.get("/workouts")
		page.says(t, "#upcoming-h", "Upcoming")
		page.count(t, `section[aria-labelledby="history-h"] tbody tr`, 50)
		page.says(t, ".pages", "1 to 50 of 60, latest first")
		older, _ := page.page.Find(".pages a").Last().Attr("href")
		second := mira.get(older)
		second.count(t, "tbody tr", 10)
		second.says(t, ".pages", "51 to 60 of 60")
		second.count(t, "#upcoming-h", 0)
		second.says(t, `.pages a[href="/workouts"]`, "Newest")
		if n := strings.Count(page.body, "1 to 50 of 60"); n != 1 {
			t.Errorf("the page says %d times which part it shows", n)
		}
	})
}

func two(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

func TestStartMoveAndDeleteAWorkout(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		mira.get("/workouts/new").count(t, `[name=date][value="2026-03-02"]`, 1)

		bad := mira.post(http.StatusUnprocessableEntity, "/workouts", "date", "1800-01-01")
		bad.says(t, ".err", "Date 1800-01-01 is out of range; use 1900-01-01 to 2031-03-02.")
		bad.count(t, `[name=date][value="1800-01-01"]`, 1)

		workout := mira.post(http.StatusSeeOther, "/workouts", "date", "2026-03-02").Header.Get("Location")
		number := strings.TrimPrefix(workout, "/workouts/")

		mira.post(http.StatusSeeOther, "/workouts", "id", number, "date", "2026-03-03", "notes", "Slept badly.")
		page := mira.get(workout)
		page.says(t, "h1", "Tuesday March 3, 2026")
		page.says(t, ".notes", "Slept badly.")
		mira.post(http.StatusSeeOther, "/workouts", "id", number, "date", "2026-03-03", "notes", "Slept badly.") // nothing changes

		mira.call("create_set", map[string]any{"exercise": "Back Squat", "workout_id": mustInt(t, number), "weight": 135, "reps": 5, "is_completed": true})
		mira.post(http.StatusUnprocessableEntity, "/workouts", "id", number, "date", "2026-03-04").says(t, ".err", "has lifted sets")
		mira.post(http.StatusSeeOther, "/workouts", "id", number, "date", "2026-03-04", "confirm", "1")

		asked := mira.get(workout + "/delete")
		asked.says(t, ".card", "Delete workout")
		mira.post(http.StatusUnprocessableEntity, workout+"/delete").says(t, ".flash", "This workout has lifted sets. Confirm to delete it.")
		if got := mira.post(http.StatusSeeOther, workout+"/delete", "confirm", "1").Header.Get("Location"); got != "/workouts" {
			t.Errorf("leads to %q", got)
		}
		if a := mira.send(http.MethodGet, workout, nil, nil); a.StatusCode != http.StatusSeeOther {
			t.Errorf("still there: %d", a.StatusCode)
		}
	})
}

func TestRepeatAWorkout(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.post(http.StatusSeeOther, "/workouts", "date", "2026-02-23").Header.Get("Location")
		mira.get(workout).count(t, `form[action="`+workout+`/repeat"]`, 0)
		mira.post(http.StatusUnprocessableEntity, workout+"/repeat").says(t, ".flash", "has no sets to repeat")

		number := mustInt(t, strings.TrimPrefix(workout, "/workouts/"))
		mira.call("create_set", map[string]any{"exercise": "Back Squat", "workout_id": number, "weight": 135, "reps": 5, "is_completed": true})
		mira.get(workout).count(t, `form[action="`+workout+`/repeat"]`, 1)
		again := mira.post(http.StatusSeeOther, workout+"/repeat")
		says(t, mira, again, "The session of Monday February 23, 2026 was written again, as you lifted it.")
		mira.get(again.Header.Get("Location")).says(t, ".prog__n", "0 of 1")
	})
}

func mustInt(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestSetsByHand(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.post(http.StatusSeeOther, "/workouts", "date", "2026-03-02").Header.Get("Location")
		form := mira.get(workout + "/sets/new")
		squat, _ := form.page.Find("option").FilterFunction(textIs("Back Squat")).Attr("value")
		bench, _ := form.page.Find("option").FilterFunction(textIs("Bench Press")).Attr("value")

		refused := mira.post(http.StatusUnprocessableEntity, workout+"/sets/new", "weight", "135", "reps", "5")
		refused.says(t, ".err", "Choose a movement from the list.")
		refused.count(t, `[name=weight][value="135"]`, 1)
		mira.post(http.StatusUnprocessableEntity, workout+"/sets/new", "exercise_id", squat, "weight", "9999", "reps", "5").
			says(t, ".err", "Weight 9999 is out of range; use 0-2000 lb.")

		mira.post(http.StatusSeeOther, workout+"/sets/new", "exercise_id", squat, "weight", "135", "reps", "5", "is_completed", "1")
		record := mira.get(workout)
		record.says(t, ".rec", "1×45")
		edit, _ := record.page.Find(".rec a[aria-label]").Attr("href")
		set := strings.TrimSuffix(edit, "/edit")

		mira.get(edit).count(t, "[name=is_completed][checked]", 1)
		mira.get(set).says(t, ".kv", "Back Squat")
		mira.get(workout+"/sets").says(t, "tbody", "Back Squat135 lb5")

		t.Run("an edit changes numbers, movement and whether it was lifted", func(t *testing.T) {
			mira.post(http.StatusSeeOther, set, "exercise_id", bench, "weight", "", "reps", "8", "is_warmup", "1")
			page := mira.get(set)
			page.says(t, ".kv", "Bench Press")
			page.says(t, ".kv", "Bodyweight")
			page.says(t, ".kv", "Warm-upYes")
			page.says(t, ".kv", "Incomplete")
		})
		t.Run("a movement that is not visible leaves the movement as it is", func(t *testing.T) {
			mira.post(http.StatusSeeOther, set, "exercise_id", "987654", "reps", "6")
			mira.get(set).says(t, ".kv", "Bench Press")
		})
		t.Run("a lifted set is deleted only when that is confirmed", func(t *testing.T) {
			mira.post(http.StatusSeeOther, set, "exercise_id", bench, "reps", "6", "is_completed", "1")
			mira.get(set+"/delete").says(t, ".card", "Delete set")
			mira.post(http.StatusUnprocessableEntity, set+"/delete").says(t, ".flash", "is marked as lifted")
			mira.post(http.StatusSeeOther, set+"/delete", "confirm", "1")
			mira.get(workout).count(t, ".rec", 0)
		})
	})
}

func textIs(want string) func(int, *goquery.Selection) bool {
	return func(_ int, s *goquery.Selection) bool { return text1(s) == want }
}

func TestFormsSpeakTheWordsOfForms(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.post(http.StatusSeeOther, "/workouts", "date", "2026-03-02").Header.Get("Location")
		number := strings.TrimPrefix(workout, "/workouts/")
		made := mira.call("create_set", map[string]any{"exercise": "Plank", "workout_id": mustInt(t, number), "duration_seconds": 30, "is_completed": true, "note": "low"})
		set := fmt.Sprintf("%s/sets/%v", workout, made["id"])
		form := mira.get(workout + "/sets/new")
		squat, _ := form.page.Find("option").FilterFunction(textIs("Back Squat")).Attr("value")

		for name, c := range map[string]struct {
			path   string
			fields []string
			says   string
		}{
			"a date that is none":           {"/workouts", []string{"date", "someday"}, `Couldn't read "someday" as a date; choose a day.`},
			"a new set in reps and seconds": {workout + "/sets/new", []string{"exercise_id", squat, "reps", "5", "duration_seconds", "30"}, "Give reps or seconds, not both."},
			"a set in reps and seconds":     {set, []string{"reps", "5", "duration_seconds", "30"}, "Give reps or seconds, not both."},
			"a timed set without a time":    {set, []string{"reps", "", "duration_seconds", ""}, "A timed set needs seconds."},
			"a rating that is no number":    {set, []string{"duration_seconds", "30", "rpe", "hard"}, `RPE "hard" is not a whole number.`},
			"a move of what was lifted":     {"/workouts", []string{"id", number, "date", "2026-03-04"}, "Tick the box to move it all the same."},
			"a removal of what was lifted":  {set + "/delete", nil, "Press Delete if it should go."},
		} {
			text := text1(mira.post(http.StatusUnprocessableEntity, c.path, c.fields...).page.Find(".err, main .flash"))
			if !strings.Contains(text, c.says) || strings.Contains(text, "_") {
				t.Errorf("%s: the form says %q, want %q", name, text, c.says)
			}
		}

		t.Run("the lines of a note end as they do everywhere else", func(t *testing.T) {
			mira.post(http.StatusSeeOther, set, "duration_seconds", "30", "is_completed", "1", "note", "low\r\nslow")
			if got := mira.get(set + "/edit").page.Find("[name=note]").Text(); got != "low\nslow" {
				t.Errorf("note %q", got)
			}
			mira.post(http.StatusSeeOther, workout+"/sets/new", "exercise_id", squat, "reps", "5", "note", "a\r\nb")
			if text := mira.get(set).body; strings.Contains(text, "\r") {
				t.Error("the note keeps the returns of the form")
			}
		})
	})
}
