package pages_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// at returns the address that completes the nth set of the session, from 1.
// The rows have consecutive ids in lifting order.
func at(t *testing.T, l *lifter, workout string, n int) string {
	t.Helper()
	next := l.get(workout+"/session").action(t, "#next form")
	first, err := strconv.Atoi(strings.Split(next, "/")[4])
	if err != nil {
		t.Fatal(err)
	}
	return workout + "/sets/" + strconv.Itoa(first+n-1) + "/complete"
}

// setID is the id in the address that completes a set.
func setID(t *testing.T, action string) int {
	t.Helper()
	id, err := strconv.Atoi(strings.Split(action, "/")[4])
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// rowOf selects the row of the set that the address completes.
func rowOf(action string) string { return "#set-" + strings.Split(action, "/")[4] }

func TestSessionScreen(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.week()
		page := mira.get(workout + "/session")

		t.Run("the head names the day, the focus and the week", func(t *testing.T) {
			page.says(t, "h1", "Monday Mar 2")
			page.says(t, ".shead__sub", "Squat · Block 0, week 1")
			page.says(t, ".prog__n", "0 of 28 sets")
			page.count(t, ".prog__bar i", 28)
			page.count(t, ".prog__bar i.nx", 1)
			if got, _ := page.page.Find(".prog__bar").Attr("aria-label"); got != "Session progress" {
				t.Errorf("progress bar is named %q", got)
			}
		})
		t.Run("the bare bar says a dash and the machine says no plates", func(t *testing.T) {
			page.says(t, "#next .side", "per side —")
			page.page.Find("details.lift").Each(func(_ int, s *goquery.Selection) {
				if strings.Contains(s.Text(), "Glute Press Machine") && s.Find(".side, .sleeve").Length() > 0 {
					t.Error("the machine shows plates")
				}
			})
		})
		t.Run("plates stand under a barbell weight", func(t *testing.T) {
			page.says(t, ".side", "per side 1×25")
		})
		t.Run("the reason stands under the lift", func(t *testing.T) {
			page.says(t, "section.lift .why", "Written start.")
		})
		t.Run("warm-ups have no rating and no other numbers", func(t *testing.T) {
			page.count(t, ".warm .rpe", 0)
			page.count(t, ".warm .else", 0)
		})
		t.Run("the guide has its rows in order", func(t *testing.T) {
			page.count(t, ".guide tbody tr", 5)
			page.count(t, ".guide ol li", 5)
			page.count(t, "details.guide[open]", 0)
		})
		t.Run("every form carries the workspace and a request id of its own", func(t *testing.T) {
			seen := map[string]bool{}
			page.page.Find("main form").Each(func(_ int, f *goquery.Selection) {
				request, _ := f.Find("[name=request_id]").Attr("value")
				if request == "" || seen[request] || f.Find("[name=workspace]").Length() != 1 {
					t.Errorf("form %q has request id %q", f.AttrOr("action", ""), request)
				}
				seen[request] = true
			})
		})
		t.Run("what a row holds besides its button has a name to see", func(t *testing.T) {
			page.says(t, rowOf(at(t, mira, workout, 5))+" .more summary .lab", "Edit")
		})
		t.Run("no style is written into the page", func(t *testing.T) {
			page.count(t, "[style]", 0)
		})
	})
}

func TestDoneAndUndo(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.week()
		set := at(t, mira, workout, 1)

		a := mira.post(http.StatusSeeOther, set, "done", "1")
		if got := a.Header.Get("Location"); !strings.HasPrefix(got, workout+"/session?") || !strings.HasSuffix(got, "#next") {
			t.Errorf("leads to %q", got)
		}
		page := mira.get(workout + "/session")
		page.says(t, ".prog__n", "1 of 28")
		page.says(t, rowOf(set)+" .slab", "Undo")
		page.count(t, rowOf(set)+".set--done.state-done", 1)

		mira.post(http.StatusSeeOther, set, "done", "1") // another tab, a doubled press
		mira.get(workout+"/session").says(t, ".prog__n", "1 of 28")

		mira.post(http.StatusSeeOther, set, "done", "0")
		mira.get(workout+"/session").says(t, ".prog__n", "0 of 28")

		mira.post(http.StatusSeeOther, set, "done", "1")
		mira.get(workout+"/session").says(t, ".prog__n", "1 of 28")
	})
}

func TestDoneSwapsOneFragment(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.week()
		a := mira.swap(http.StatusOK, at(t, mira, workout, 1), "done", "1")
		a.count(t, "#"+sessionBody, 1)
		a.count(t, "nav.rail, title", 0)
		a.says(t, ".prog__n", "1 of 28")
		a.says(t, "[role=status][hx-swap-oob]", "Done: 45 × 5. 1 of 28 sets.")
	})
}

func TestOtherNumbersTurnTheRowAmber(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.week()
		set := at(t, mira, workout, 5) // the first working set, 150 × 3
		a := mira.swap(http.StatusOK, set, "weight", "155", "reps", "4")
		a.count(t, rowOf(set)+".set--changed.state-changed", 1)
		a.says(t, rowOf(set)+" .set__planned", "planned 150 × 3")
		a.says(t, rowOf(set)+" .side", "per side 1×45 1×10")

		a = mira.swap(http.StatusOK, set, "done", "0")
		a.says(t, rowOf(set)+" .load", "155lb × 4") // undo keeps the numbers

		t.Run("a planned weight can be given again after a set without one", func(t *testing.T) {
			a := mira.swap(http.StatusOK, set, "weight", "0", "reps", "3")
			a.says(t, rowOf(set)+" .load", "3")
			a.count(t, rowOf(set)+" .else [name=weight]", 1)
			mira.swap(http.StatusOK, set, "weight", "150", "reps", "3").says(t, rowOf(set)+" .load", "150lb × 3")
		})
		t.Run("a weight that the rack cannot hold shows no plates", func(t *testing.T) {
			a := mira.swap(http.StatusOK, set, "weight", "157", "reps", "3")
			a.count(t, rowOf(set)+" .side", 0)
			a.count(t, rowOf(set)+" .sleeve", 0)
		})
	})
}

func TestRatingASetCompletesIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.week()
		set := at(t, mira, workout, 5)
		a := mira.swap(http.StatusOK, set, "rpe", "8")
		a.count(t, rowOf(set)+".set--done", 1)
		a.says(t, rowOf(set)+" .more summary", "8")
		a.count(t, rowOf(set)+` .rpe [value="8"][aria-pressed="true"]`, 1)
	})
}

func TestAnEmptiedFieldIsNotThePlan(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.week()
		set := at(t, mira, workout, 5)
		mira.get(workout+"/session").count(t, rowOf(set)+" .else input[type=hidden][name=other]", 1)

		a := mira.swap(http.StatusUnprocessableEntity, set, "other", "1", "weight", "150", "reps", "")
		a.says(t, rowOf(set)+" .else #refused", "A set counted in reps needs reps.")
		a.count(t, rowOf(set)+` .else [name=reps][aria-invalid="true"][value=""]`, 1)
		a.says(t, ".prog__n", "0 of 28")

		a = mira.swap(http.StatusOK, set, "other", "1", "weight", "", "reps", "3")
		a.says(t, rowOf(set)+" .load", "3 reps")
		a.says(t, rowOf(set)+" .set__planned", "planned 150 × 3")
	})
}

func TestSessionRating(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.week()
		a := mira.swap(http.StatusOK, workout+"/session", "rpe", "9")
		a.count(t, `.rate .rpe [value="9"][aria-pressed="true"]`, 1)
		mira.post(http.StatusSeeOther, workout+"/session", "rpe", "7")
		mira.get(workout+"/session").count(t, `.rate .rpe [value="7"][aria-pressed="true"]`, 1)
	})
}

func TestRefusedActionsSaveNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.week()
		set := at(t, mira, workout, 5)

		t.Run("a number out of range keeps what was typed", func(t *testing.T) {
			for name, send := range map[string]func(int, string, ...string) answer{"script": mira.swap, "no script": mira.post} {
				a := send(http.StatusUnprocessableEntity, set, "weight", "160", "reps", "0")
				a.count(t, "#refused", 1)
				a.count(t, rowOf(set)+" [name=reps][autofocus]", 1)
				a.says(t, rowOf(set)+" .else #refused[role=alert]", "Reps 0 is out of range; use 1-100.")
				field := a.page.Find(rowOf(set) + " [name=reps]")
				if field.AttrOr("value", "") != "0" || field.AttrOr("aria-invalid", "") != "true" {
					t.Errorf("%s: the field has %q", name, field.AttrOr("value", ""))
				}
				if got := a.page.Find(rowOf(set)+" [name=weight]").AttrOr("value", ""); got != "160" {
					t.Errorf("%s: weight %q, want what was typed", name, got)
				}
				a.count(t, rowOf(set)+" .more[open]", 1)
				a.says(t, ".prog__n", "0 of 28")
			}
		})
		t.Run("text that is no number is named", func(t *testing.T) {
			mira.swap(http.StatusUnprocessableEntity, set, "weight", "heavy", "reps", "3").
				says(t, "#refused", `Weight "heavy" is not a whole number.`)
		})
		t.Run("the next set says it in its own row", func(t *testing.T) {
			for i := 1; i < 5; i++ {
				mira.post(http.StatusSeeOther, at(t, mira, workout, 1), "done", "1")
			}
			a := mira.swap(http.StatusUnprocessableEntity, set, "weight", "heavy", "reps", "3")
			a.says(t, "#next .other[open] .else #refused", `Weight "heavy" is not a whole number.`)
			for i := 1; i < 5; i++ {
				mira.post(http.StatusSeeOther, fmt.Sprintf("%s/sets/%d/complete", workout, setID(t, set)-i), "done", "0")
			}
		})
		t.Run("a session rating that the screen does not offer", func(t *testing.T) {
			mira.swap(http.StatusUnprocessableEntity, workout+"/session", "rpe", "5").says(t, "#refused", "RPE 5 is out of range; use 6-10.")
			mira.swap(http.StatusUnprocessableEntity, workout+"/session", "rpe", "hard").says(t, "#refused", `RPE "hard" is not a whole number.`)
		})
		t.Run("a number beyond every number", func(t *testing.T) {
			mira.swap(http.StatusUnprocessableEntity, set, "weight", "99999999999999999999", "reps", "3").
				says(t, "#refused", "Weight 99999999999999999999 is out of range.")
		})
		t.Run("a form without a wanted state changes nothing", func(t *testing.T) {
			mira.post(http.StatusUnprocessableEntity, set).says(t, "#refused", "nothing was changed")
			mira.post(http.StatusUnprocessableEntity, set, "done", "maybe")
		})
		t.Run("a form of another workspace is refused", func(t *testing.T) {
			mira.post(http.StatusConflict, set, "done", "1", "workspace", "999")
		})
		mira.get(workout+"/session").says(t, ".prog__n", "0 of 28")
	})
}

func TestOneFormSentTwiceIsOneRequest(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.week()
		set := at(t, mira, workout, 5)
		mira.swap(http.StatusOK, set, "rpe", "8", "request_id", "press-1")
		mira.swap(http.StatusOK, set, "done", "0")
		// The late twin of the first press is answered, and undoes nothing.
		mira.swap(http.StatusOK, set, "rpe", "8", "request_id", "press-1").says(t, ".prog__n", "0 of 28")
	})
}

func TestFinishedSession(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		workout := mira.week()
		for {
			page := mira.get(workout + "/session")
			if page.page.Find("#next").Length() == 0 {
				page.says(t, ".fin__say", "Everything lifted: 28 of 28 sets,")
				page.says(t, ".fin__say", "Back Squat up to 165 × 3. Every set went as written.")
				page.says(t, ".past", "5 lifts done, 28 sets")
				return
			}
			mira.post(http.StatusSeeOther, page.action(t, "#next form"), "done", "1")
		}
	})
}

// lift completes every set of the workout.
func (l *lifter) lift(t *testing.T, workout string) {
	t.Helper()
	for {
		page := l.get(workout + "/session")
		if page.page.Find("#next").Length() == 0 {
			return
		}
		l.post(http.StatusSeeOther, page.action(t, "#next form"), "done", "1")
	}
}

func TestTheWayOnAfterAWeek(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		mira := g.lifter(t, "mira@example.com")
		block := mira.call("seed_program", map[string]any{})["id"]
		made := mira.call("generate_program_week", map[string]any{"program_id": block, "week": 1})["workouts"].([]any)
		generate := fmt.Sprintf(`form[action="/programs/%v/generate"]`, block)
		for i, workout := range made {
			path := pathOf(workout.(map[string]any))
			mira.get("/").count(t, generate, 0)
			mira.lift(t, path)
			last := 0
			if i == len(made)-1 {
				last = 1
			}
			mira.get(path+"/session").count(t, ".fin "+generate, last)
			mira.get(path).count(t, generate, last)
		}
		today := mira.get("/")
		today.says(t, generate, "Generate week 2")
		week, _ := today.page.Find(generate + " [name=week]").Attr("value")
		mira.post(http.StatusSeeOther, today.action(t, generate), "week", week)
		mira.get("/").count(t, generate, 0)
		mira.get(pathOf(made[0].(map[string]any))).count(t, generate, 0)

		t.Run("a block without a week left is finished", func(t *testing.T) {
			last := ""
			for n := 2; n <= 4; n++ {
				for _, workout := range mira.call("generate_program_week", map[string]any{"program_id": block, "week": n})["workouts"].([]any) {
					last = pathOf(workout.(map[string]any))
					mira.lift(t, last)
				}
			}
			mira.get(last+"/session").says(t, ".fin .way", "Block 0 is finished. Go to Blocks")
			mira.get("/").says(t, ".way", "Block 0 is finished.")
		})
	})
}
