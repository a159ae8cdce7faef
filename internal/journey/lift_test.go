//go:build browser

package journey

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/db"
	"tectonic/internal/testkit"
	"tectonic/internal/testkit/product"
)

// A stranger signs up, has a week written, lifts all of it with one mis-tap,
// one set that went differently and one rated set, rates the session, and
// finds the record and the calendar afterwards.
func TestLiftAWeek(t *testing.T) {
	t.Parallel()
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) { liftAWeek(t, s, true) })
	}
	t.Run("without script", func(t *testing.T) {
		liftAWeek(t, screen{"phone-no-script", 390, 844, true, false}, false)
	})
}

func serve(t *testing.T) *product.Product {
	t.Helper()
	catalog := app.Catalog()
	var p *product.Product
	if os.Getenv("TEST_DATABASE_URL") != "" {
		t.Log("the journeys run on SQLite; the other suites run on both engines")
	}
	testkit.Standing, testkit.Lines = app.Setup(catalog), app.Lines(catalog)
	p = product.New(t, testkit.DB(t, func(o *db.Options) { o.Sync = "full" }))
	return p
}

func liftAWeek(t *testing.T, s screen, script bool) {
	p := serve(t)
	b := open(t, p.Server.URL, s, script)
	b.signUp(fmt.Sprintf("%s@lifter.example", s.name))
	b.writeWeek()
	b.openSession()
	b.lift()
	b.finish()
	b.findTheRecord()
}

func (b *tab) signUp(email string) {
	b.t.Helper()
	b.visit("/welcome")
	b.shot("welcome")
	b.accessible()
	b.visit("/create-account")
	b.fill("#email", email)
	b.fill("#email_again", email)
	b.fill("#password", "chalk and steel")
	b.fill("#password_again", "chalk and steel")
	b.shot("sign-up")
	b.accessible()
	b.click("form.authform button[type=submit]")
	b.do(chromedp.WaitReady(chromedp.CSS("#month-h")))
}

func (b *tab) writeWeek() {
	b.t.Helper()
	b.visit("/programs")
	b.shot("blocks-empty")
	b.accessible()
	b.click("main form button")
	b.sees("Block 0")
	b.sees("Back Squat")
	b.click(`main form[action$="/generate"] button`)
	b.sees("is scheduled")
	b.shot("block")
	b.accessible()
	b.noSidewaysScroll()
}

func (b *tab) openSession() {
	b.t.Helper()
	b.visit("/")
	b.shot("home")
	b.accessible()
	b.noSidewaysScroll()
	b.visit("/workouts/1/session")
	b.sees("0 of 28 sets")
	b.sees("Written start.")
	b.accessible()
	b.noSidewaysScroll()
}

// lift does all 28 sets: number 6 is undone once, number 7 is lifted
// differently, number 8 is rated as it is done.
func (b *tab) lift() {
	b.t.Helper()
	for done := range 28 {
		if b.script {
			time.Sleep(settled) // a second press at once would be taken for a double tap
		}
		switch done {
		case 5:
			b.click("#done")
			b.sees("6 of 28 sets")
			b.click("#slab-6") // a mis-tap
			b.sees("5 of 28 sets")
			time.Sleep(settled)
			b.click("#done")
		case 6:
			b.shot("session")
			b.accessible()
			b.click("#next .other summary")
			b.fill("#next .other input[name=weight]", "155")
			b.fill("#next .other input[name=reps]", "4")
			b.click("#next .other button")
		case 7:
			b.sees("planned 160 × 3")
			b.click(`#next .rate-set button[value="8"]`)
		default:
			b.click("#done")
		}
		b.sees(fmt.Sprintf("%d of 28 sets", done+1))
	}
}

func (b *tab) finish() {
	b.t.Helper()
	b.click(`form[action$="/session"] button[value="8"]`)
	b.do(chromedp.WaitReady(chromedp.CSS(`form[action$="/session"] button[value="8"][aria-pressed="true"]`)))
	b.shot("session-finished")
	b.accessible()
	b.noSidewaysScroll()
}

func (b *tab) findTheRecord() {
	b.t.Helper()
	b.visit("/workouts/1")
	b.sees("Back Squat")
	b.sees("planned 160 × 3")
	b.shot("workout")
	b.accessible()
	b.noSidewaysScroll()
	b.visit("/workouts")
	b.shot("workouts")
	b.accessible()
	for _, page := range []struct{ path, name string }{
		{"/exercises", "exercises"}, {"/exercises/1", "exercise"}, {"/equipment", "equipment"}, {"/settings", "settings"}, {"/settings/training", "settings-training"}, {"/more", "more"}, {"/programs", "blocks"},
	} {
		b.visit(page.path)
		b.shot(page.name)
		b.accessible()
		b.noSidewaysScroll()
	}
	b.visit("/")
	b.sees("trained")
	b.shot("home-trained")
}
