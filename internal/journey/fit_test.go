//go:build browser

package journey

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// What is refused on the session page is said where the lifter looks, and an
// outage is said in front of the sticky head, not behind it.
func TestTheSessionSaysWhatWentWrongInSight(t *testing.T) {
	t.Parallel()
	p := serve(t)
	b := open(t, p.Server.URL, screens[0], true)
	b.signUp("sight@lifter.example")
	b.writeWeek()
	b.visit("/workouts/1/session")
	for done := range 4 { // the warm-ups have no form for other numbers
		b.click("#done")
		b.sees(fmt.Sprintf("%d of 28 sets", done+1))
	}
	b.click("#next .other summary")
	b.fill("#next .other input[name=reps]", "900")
	b.click("#next .other button")
	b.sees("Reps 900 is out of range")
	b.still()
	b.uncovered("#refused")
	b.uncovered("#next [aria-invalid]")
	b.shot("session-refused")

	ask(b, chromedp.Evaluate[bool](`scrollTo({top: 0, behavior: "instant"}), document.getElementById("problem").innerHTML = document.getElementById("outage").innerHTML, true`))
	b.still()
	b.shot("session-outage")
	b.uncovered("#problem .flash")
}

// uncovered fails unless the element is on the screen with nothing over it.
func (b *tab) uncovered(selector string) {
	b.t.Helper()
	free := ask(b, chromedp.Evaluate[bool](fmt.Sprintf(`(() => {
		const e = document.querySelector(%q), r = e.getBoundingClientRect();
		return [r.top + 4, (r.top + r.bottom) / 2, r.bottom - 4].every((y) => e.contains(document.elementFromPoint(r.left + r.width / 2, y)));
	})()`, selector)))
	if !free {
		b.dump("covered")
		b.t.Errorf("%s: %s is out of sight", b.name, selector)
	}
}

// Large text and the narrowest phone: nothing is cut, no word is broken that
// would fit on a line of its own, and the page scrolls only up and down.
func TestPagesFitNarrowScreensAndLargeText(t *testing.T) {
	t.Parallel()
	p := serve(t)
	b := open(t, p.Server.URL, screen{"narrow", 320, 640, true, false}, true)
	b.signUp("narrow@lifter.example")
	b.writeWeek()
	for _, size := range []string{"16px", "32px"} {
		for _, path := range []string{
			"/", "/equipment", "/workouts/new", "/workouts", "/workouts/1", "/workouts/1/edit", "/workouts/1/sets", "/workouts/1/session", "/workouts/1/sets/new",
			"/exercises", "/exercises/1", "/exercises/new", "/programs", "/programs/1", "/settings", "/settings/training", "/settings/tokens", "/connections", "/api", "/more",
			"/volume", "/programs/1/progress", "/goals", "/health", "/health/import",
		} {
			b.visit(path)
			ask(b, chromedp.Evaluate[bool](fmt.Sprintf(`document.documentElement.style.fontSize = %q, true`, size)))
			b.still()
			b.fits(path, size)
		}
	}
}

// fits names what sticks out of the screen, and what of the skip link shows.
func (b *tab) fits(path, size string) {
	b.t.Helper()
	out := ask(b, chromedp.Evaluate[string](`(() => {
		const wide = document.documentElement.clientWidth, found = [];
		if (document.documentElement.scrollWidth > wide) {
			for (const e of document.querySelectorAll("body *")) {
				const r = e.getBoundingClientRect();
				if (r.right > wide + 1 && r.width && !e.closest(".scroll, .vh, svg") && ![...e.children].some((c) => c.getBoundingClientRect().right > wide + 1)) found.push(e.tagName + "." + e.className + " " + e.textContent.trim().slice(0, 30) + " " + Math.round(r.right));
			}
			found.push("scrolls to " + document.documentElement.scrollWidth);
		}
		const skip = document.querySelector(".skip")?.getBoundingClientRect();
		if (skip && skip.bottom > 0 && skip.right > 0 && skip.width > 1) found.push("the skip link shows");
		return found.join("; ");
	})()`))
	if out != "" {
		b.t.Errorf("%s at %s: %s", path, size, out)
	}
	b.shot("fit-" + size + "-" + fmt.Sprintf("%x", path))
}
