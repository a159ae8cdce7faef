//go:build browser

package journey

import "testing"

// One lift of a session is done as another movement, and back.
func TestSwapALiftForToday(t *testing.T) {
	t.Parallel()
	p := serve(t)
	b := open(t, p.Server.URL, screens[1], true)
	b.signUp("swap@lifter.example")
	b.writeWeek()
	b.openSession()
	b.click("#lift-1 .swap summary")
	b.fill("#lift-1 .swap input[name=exercise]", "Front Squat")
	b.click("#lift-1 .swap .btn--plan")
	b.sees("instead of Back Squat 150 × 3")
	b.shot("session-swap")
	b.accessible()
	b.noSidewaysScroll()
	b.click("#next .other summary")
	b.fill("#next .other input[name=weight]", "95")
	b.click("#next .other .btn--plan")
	b.sees("1 of 24 sets")
	b.click("#lift-1 .swap summary")
	b.click("#lift-1 .swap__back button")
	b.sees("Next: set 1 of 3")
}
