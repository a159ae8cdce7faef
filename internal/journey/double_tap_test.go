//go:build browser

package journey

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// A finger that comes down twice on Done has meant it once: the Undo that is
// under it by then waits, and takes the key or a later press.
func TestDoubleTapOnDone(t *testing.T) {
	t.Parallel()
	p := serve(t)
	b := open(t, p.Server.URL, screens[2], true)
	b.signUp("double-tap@lifter.example")
	b.writeWeek()
	b.openSession()

	b.centre("#slab-3")
	b.press("#slab-3")
	time.Sleep(120 * time.Millisecond)
	b.press("#slab-3")
	b.sees("1 of 28 sets")
	time.Sleep(settled)
	b.sees("1 of 28 sets")

	b.press("#slab-3") // a press of its own undoes
	b.sees("0 of 28 sets")
	time.Sleep(settled)

	b.press("#slab-3")
	b.sees("1 of 28 sets")
	ask(b, chromedp.Evaluate[bool](`document.querySelector("#slab-3").focus(), document.querySelector("#slab-3").click(), true`)) // as Enter does
	b.sees("0 of 28 sets")
}

// settled is longer than a fresh Undo waits.
const settled = 950 * time.Millisecond

// centre brings an element to the middle of the screen.
func (b *tab) centre(selector string) {
	b.t.Helper()
	ask(b, chromedp.Evaluate[bool](fmt.Sprintf(`document.querySelector(%q).scrollIntoView({block: "center", behavior: "instant"}), true`, selector)))
	b.still()
}

// press puts the mouse down and up on an element as it is now, without waiting
// for anything.
func (b *tab) press(selector string) {
	b.t.Helper()
	place := ask(b, chromedp.Evaluate[string](fmt.Sprintf(
		`(r => JSON.stringify([r.x + r.width / 2, r.y + r.height / 2]))(document.querySelector(%q).getBoundingClientRect())`, selector)))
	var at [2]float64
	if err := json.Unmarshal([]byte(place), &at); err != nil {
		b.t.Fatal(err)
	}
	for _, kind := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
		b.do(send(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: at[0], Y: at[1], Button: input.MouseButtonLeft, ClickCount: 1}))
	}
}
