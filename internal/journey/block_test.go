//go:build browser

package journey

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// Somebody writes a block of four weeks from nothing: a day with three lifts,
// one of them refused first, put into another order, and copied three times,
// the last time as a deload.
func TestWriteABlock(t *testing.T) {
	t.Parallel()
	for _, s := range screens {
		t.Run(s.name, func(t *testing.T) { writeABlock(t, s, true) })
	}
	t.Run("without script", func(t *testing.T) {
		writeABlock(t, screen{"phone-no-script", 390, 844, true, false}, false)
	})
}

func writeABlock(t *testing.T, s screen, script bool) {
	b := open(t, serve(t).Server.URL, s, script)
	b.signUp(fmt.Sprintf("writer-%s@lifter.example", s.name))
	b.visit("/programs")
	b.fill(`form[action="/programs"] [name=name]`, "Spring")
	b.click(`form[action="/programs"] button`)
	b.sees("No training days are written for this week.")
	b.click(`#new-day-1 button`)
	b.sees("Monday is added.")
	day := ask(b, chromedp.Evaluate[string](`document.querySelector("tbody.ed__add").id`))
	b.writeLift(day, map[string]string{"exercise": "Back Squat", "sets": "4", "reps": "5", "top_weight": "155"})
	b.sees("Back Squat is added.")
	b.quiet("422")
	b.writeLift(day, map[string]string{"exercise": "Bench Press", "sets": "99", "reps": "5", "top_weight": "95"})
	b.sees("Sets 99 is out of range")
	if focused := ask(b, chromedp.Evaluate[string]("document.activeElement.name || ''")); focused != "sets" {
		t.Errorf("%s: after the refusal %q has the focus, want the field that is wrong", s.name, focused)
	}
	b.shot("block-refused")
	b.accessible()
	b.writeLift(day, map[string]string{"sets": "3"})
	b.sees("Bench Press is added.")
	b.writeLift(day, map[string]string{"exercise": "Sled Push", "sets": "2", "reps": "10"})
	b.sees("Sled Push is added.")
	b.order(script)
	for week := range 3 {
		if week == 2 {
			b.click("#new-week-deload")
		}
		b.click("#new-week button[name=copy_from]")
		b.sees(fmt.Sprintf("Week %d is added.", week+2))
	}
	if n := b.count("[data-lift]"); n != 12 {
		t.Errorf("%s: %d lifts are written, want 12", s.name, n)
	}
	b.shot("block-written")
	for page, says := range map[string]string{"preview": "What generating it would write now.", "sheet": "Session RPE, circle one"} {
		b.visit("/programs/1/weeks/1/" + page)
		b.sees(says)
		b.shot("block-" + page)
		b.accessible()
		b.noSidewaysScroll()
	}
	b.visit("/programs/1")
	b.accessible()
	b.noSidewaysScroll()
}

// Somebody lifts in week 1 and edits the block after that: the planned session
// of week 2 follows, the one that was begun is left alone.
func TestEditABlockThatWasBegun(t *testing.T) {
	t.Parallel()
	t.Run("phone", func(t *testing.T) { editABlock(t, screens[0], true) })
	t.Run("without script", func(t *testing.T) {
		editABlock(t, screen{"phone-no-script", 390, 844, true, false}, false)
	})
}

func editABlock(t *testing.T, s screen, script bool) {
	b := open(t, serve(t).Server.URL, s, script)
	b.signUp(fmt.Sprintf("editor-%s@lifter.example", s.name))
	b.writeWeek()
	b.openSession()
	b.click("#done")
	b.sees("1 of 28 sets")
	b.visit("/programs/1")
	b.click(`#week-2 form[action$="/generate"] button`)
	b.sees("is scheduled")
	for week, says := range map[int]string{1: "has lifted sets in it, so it was left alone.", 2: "was rewritten to match."} {
		row := fmt.Sprintf("#week-%d tbody[data-lift]", week)
		b.fill(row+" [name=sets]", "5")
		b.click(row + " .ed__acts button")
		b.sees(says)
		b.shot(fmt.Sprintf("block-edit-%d", week))
		b.accessible()
		b.noSidewaysScroll()
	}
}

func (b *tab) writeLift(row string, fields map[string]string) {
	b.t.Helper()
	for name, value := range fields {
		b.fill(fmt.Sprintf("#%s-%s", row, name), value)
	}
	b.click("#" + row + " .ed__acts button")
}

// order moves the last lift to the top, by its grip where there is script,
// and one down again by its button.
func (b *tab) order(script bool) {
	b.t.Helper()
	const last = `tbody[data-lift]:nth-of-type(3)`
	b.click(last + " summary")
	if script {
		b.shot("block-open")
		b.dragToTop(last + " .ed__grip")
	} else {
		b.click(last + ` [aria-label="Move Sled Push up"]`)
	}
	b.sees("Sled Push is saved.")
	first := "tbody[data-lift]:nth-of-type(1)"
	if script {
		if got := b.held(first + " [name=exercise]"); got != "Sled Push" {
			b.t.Errorf("%s: after the drag %q is first", b.name, got)
		}
	}
}

func (b *tab) held(field string) string {
	b.t.Helper()
	return ask(b, chromedp.Evaluate[string](fmt.Sprintf("document.querySelector(%q).value", field)))
}

// dragToTop drags the grip to the top of the first lift, with stops on the
// way.
func (b *tab) dragToTop(grip string) {
	b.t.Helper()
	b.centre(grip)
	place := ask(b, chromedp.Evaluate[string](fmt.Sprintf(
		`(r => JSON.stringify([r.x + r.width / 2, r.y + r.height / 2, document.querySelector("[data-lift]").getBoundingClientRect().y + 4]))(document.querySelector(%q).getBoundingClientRect())`, grip)))
	var at [3]float64
	if err := json.Unmarshal([]byte(place), &at); err != nil {
		b.t.Fatal(err)
	}
	mouse := func(kind input.DispatchMouseEventType, y float64) {
		b.do(send(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at[0], Y: y, Button: input.MouseButtonLeft, Buttons: 1, ClickCount: 1}))
	}
	mouse(input.DispatchMouseEventTypeMousePressed, at[1])
	for step := range 9 {
		mouse(input.DispatchMouseEventTypeMouseMoved, at[1]+(at[2]-at[1])*float64(step)/8)
	}
	mouse(input.DispatchMouseEventTypeMouseReleased, at[2])
}
