//go:build browser

package journey

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"tectonic/internal/testkit/product"
)

// deadSpot is the product behind a network that can be gone. The worker of the
// page has connections of its own, so the network is cut where all of them end.
type deadSpot struct {
	*product.Product
	gone   atomic.Bool
	posts  atomic.Int64 // changes of sets that came through
	server *httptest.Server
}

func serveInADeadSpot(t *testing.T) *deadSpot {
	t.Helper()
	d := &deadSpot{Product: serve(t)}
	to, err := url.Parse(d.Product.Server.URL)
	if err != nil {
		t.Fatal(err)
	}
	through := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host }}
	d.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.gone.Load() {
			panic(http.ErrAbortHandler) // the connection breaks without an answer
		}
		if r.Method == http.MethodPost && r.URL.Path != "/logout" && r.URL.Path != "/login" {
			d.posts.Add(1)
		}
		through.ServeHTTP(w, r)
	}))
	t.Cleanup(d.server.Close)
	return d
}

// completed counts the sets of the workspace that are done.
func (d *deadSpot) completed(t *testing.T) (n int) {
	t.Helper()
	if err := d.DB.R.QueryRowContext(t.Context(), "SELECT count(*) FROM training_sets WHERE is_completed = 1").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// eventually waits until something about the server is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatalf("it did not become so that %s", what)
}

// installed waits until the worker has a copy of the page.
func (b *tab) installed() {
	b.t.Helper()
	eventually(b.t, "the page is kept", func() bool {
		return ask(b, chromedp.Evaluate[bool](`caches.match(location.pathname).then(Boolean)`, chromedp.EvalAwaitPromise))
	})
}

func (b *tab) waits() int {
	b.t.Helper()
	return ask(b, chromedp.Evaluate[int](`waiting.all().then(all => all.length)`, chromedp.EvalAwaitPromise))
}

var brokenLine = []string{"ERR_", "Failed to fetch", "Failed to load resource", "NetworkError", "TypeError"}

// Five sets are lifted where there is no network, the page is loaded again
// there, and when the network is back the server has exactly these five.
func TestASessionSurvivesADeadSpot(t *testing.T) {
	t.Parallel()
	d := serveInADeadSpot(t)
	b := open(t, d.server.URL, screens[0], true)
	b.quiet(brokenLine...)
	b.signUp("dead-spot@lifter.example")
	b.writeWeek()
	b.openSession()
	b.click("#done")
	b.sees("1 of 28 sets")
	b.installed()

	d.gone.Store(true)
	for n := range 5 {
		b.click("#done")
		b.sees(fmt.Sprintf("%d of 28 sets", n+2))
		b.sees(fmt.Sprintf("%d change", n+1))
	}
	b.shot("session-offline")
	b.accessible()
	b.noSidewaysScroll()
	b.click("#slab-6") // undone and done again: two more changes, the same row
	b.sees("5 of 28 sets")
	b.click("#done")
	b.sees("No network: 7 changes waiting")

	b.visit("/workouts/1/session") // from the copy
	b.sees("6 of 28 sets")
	b.sees("7 changes waiting")
	b.visit("/volume")
	b.sees("No network")
	b.shot("offline")
	b.accessible()
	b.visit("/workouts/1/session")
	if got := d.completed(t); got != 1 {
		t.Fatalf("the server has %d sets without a network", got)
	}

	d.gone.Store(false)
	eventually(t, "all six are stored", func() bool { return d.completed(t) == 6 && b.waits() == 0 })
	b.sees("6 of 28 sets")
	b.do(chromedp.WaitReady(chromedp.CSS("#waiting[hidden]")))
	if got := b.count(".set--waiting"); got != 0 {
		t.Errorf("%d rows still wait", got)
	}
	sent := d.posts.Load()
	ask(b, chromedp.Evaluate[bool](`Promise.all([waiting.flush(document.querySelector('meta[name="who"]').content), waiting.flush(document.querySelector('meta[name="who"]').content)]).then(() => true)`, chromedp.EvalAwaitPromise))
	if got := d.posts.Load(); got != sent || d.completed(t) != 6 {
		t.Errorf("sending again sent %d more and left %d sets", got-sent, d.completed(t))
	}
}

// A set that was changed elsewhere meanwhile is not written over: the page says
// so and asks. Nobody else who signs in on the device sends what waits.
func TestWhatWaitsIsTheLiftersOwn(t *testing.T) {
	t.Parallel()
	d := serveInADeadSpot(t)
	b := open(t, d.server.URL, screens[1], true)
	b.quiet(append(brokenLine, "409")...)
	b.signUp("own@lifter.example")
	b.writeWeek()
	b.openSession()
	b.installed()
	d.gone.Store(true)
	b.click("#done")
	b.sees("1 change waiting")
	b.click("#done")
	b.sees("2 changes waiting")
	// Elsewhere: the first is lifted with other numbers.
	if _, err := d.DB.W.ExecContext(t.Context(), "UPDATE training_sets SET is_completed = 1, completed_at = 1, reps = 4 WHERE id = 1"); err != nil {
		t.Fatal(err)
	}
	d.gone.Store(false)
	eventually(t, "the second is stored", func() bool { return d.completed(t) == 2 })
	b.sees("It was changed elsewhere meanwhile: Back Squat 45 × 4 is done.")
	b.shot("session-clash")
	b.accessible()
	b.click(`[data-clash="insist"]`)
	eventually(t, "nothing waits", func() bool { return b.waits() == 0 })
	b.sees("2 of 28 sets")

	d.gone.Store(true) // and once more, this time for what the server has
	b.click("#done")
	b.sees("1 change waiting")
	if _, err := d.DB.W.ExecContext(t.Context(), "DELETE FROM training_sets WHERE id = 3"); err != nil {
		t.Fatal(err)
	}
	d.gone.Store(false)
	b.sees("That set is gone")
	b.click(`[data-clash="drop"]`)
	eventually(t, "nothing waits", func() bool { return b.waits() == 0 })
	b.sees("2 of 27 sets")
}

// signOut ends the session as the menu does.
func (b *tab) signOut() {
	b.t.Helper()
	ask(b, chromedp.Evaluate[bool](`fetch("/logout", {method: "POST"}).then(() => true)`, chromedp.EvalAwaitPromise))
}

// enter signs in with the form of the sign-in page.
func (b *tab) enter(email string) {
	b.t.Helper()
	b.fill("#email", email)
	b.fill("#password", "chalk and steel")
	b.click("form.authform button[type=submit]")
}

func TestAnotherAccountSendsNothing(t *testing.T) {
	t.Parallel()
	d := serveInADeadSpot(t)
	b := open(t, d.server.URL, screens[0], true)
	b.quiet(append(brokenLine, "409")...)
	b.signUp("first@lifter.example")
	b.writeWeek()
	b.openSession()
	b.installed()
	d.gone.Store(true)
	b.click("#done")
	b.sees("1 change waiting")
	// Out of the session's reach of a network, then signed out elsewhere.
	b.visit("/volume")
	d.gone.Store(false)
	b.signOut()
	b.visit("/welcome")
	if kept := ask(b, chromedp.Evaluate[int](`caches.keys().then(k => k.filter(n => n.startsWith("pages-")).length)`, chromedp.EvalAwaitPromise)); kept != 0 {
		t.Errorf("%d copies are left after the sign-out", kept)
	}
	b.signUp("second@lifter.example")
	b.visit("/workouts")
	b.do(chromedp.Sleep(time.Second))
	if got, waits := d.completed(t), b.waits(); got != 0 || waits != 1 {
		t.Errorf("as somebody else, %d sets were stored and %d changes wait", got, waits)
	}
	b.signOut()
	b.visit("/login")
	b.enter("first@lifter.example")
	eventually(t, "the first account's set is stored", func() bool { return d.completed(t) == 1 })
}

// The queue outlives the browser.
func TestWhatWaitsOutlivesTheBrowser(t *testing.T) {
	t.Parallel()
	d := serveInADeadSpot(t)
	folder, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	b := openIn(t, d.server.URL, screens[0], true, folder)
	b.quiet(brokenLine...)
	b.signUp("restart@lifter.example")
	b.writeWeek()
	b.openSession()
	b.installed()
	d.gone.Store(true)
	b.click("#done")
	b.sees("1 change waiting")
	b.close()

	b = openIn(t, d.server.URL, screens[0], true, folder)
	b.quiet(brokenLine...)
	b.visit("/workouts/1/session")
	b.sees("1 change waiting")
	b.sees("1 of 28 sets")
	d.gone.Store(false) // the session of the browser went with it
	b.sees("you are signed out")
	b.visit("/login")
	b.enter("restart@lifter.example")
	eventually(t, "it is stored", func() bool { return d.completed(t) == 1 })
}

// The rest counts in the head, outlives a reload, and leaves the next set in
// sight on a small phone.
func TestRest(t *testing.T) {
	t.Parallel()
	p := serve(t)
	b := open(t, p.Server.URL, screen{"small-dark", 360, 640, true, true}, true)
	b.signUp("rest@lifter.example")
	b.writeWeek()
	if _, err := p.DB.W.ExecContext(t.Context(), "UPDATE training_program_lifts SET rest_seconds = 150, warmup_rest_seconds = 45"); err != nil {
		t.Fatal(err)
	}
	b.openSession()
	b.click("#done")
	b.sees("1 of 28 sets")
	b.do(chromedp.WaitVisible(chromedp.CSS("#rest")))
	b.sees("0:4")
	for n := range 5 {
		b.do(chromedp.Sleep(700 * time.Millisecond))
		b.click("#done")
		b.sees(fmt.Sprintf("%d of 28 sets", n+2))
	}
	b.sees("2:")
	b.do(chromedp.Sleep(300 * time.Millisecond))
	b.shot("session-rest")
	b.accessible()
	b.noSidewaysScroll()
	if bottom := ask(b, chromedp.Evaluate[float64](`document.querySelector("#done").getBoundingClientRect().bottom`)); bottom > 640 {
		t.Errorf("Done ends at %.0f of 640", bottom)
	}
	b.visit("/workouts/1/session")
	b.do(chromedp.WaitVisible(chromedp.CSS("#rest")))
	b.click(`[data-rest-do="more"]`)
	b.click(`[data-rest-do="skip"]`)
	b.do(chromedp.WaitReady(chromedp.CSS("#rest[hidden]")))
	b.click(`[data-rest-own="120"]`)
	b.do(chromedp.WaitReady(chromedp.CSS(`[data-rest-own="120"][aria-pressed="true"]`)))
	b.do(send(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 320, Height: 640, DeviceScaleFactor: 1, Mobile: true}))
	b.noSidewaysScroll()
}
