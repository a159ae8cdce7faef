//go:build browser

package journey

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// screen is a kind of device and scheme.
type screen struct {
	name          string
	width, height int64
	phone, dark   bool
}

var screens = []screen{
	{"phone-light", 390, 844, true, false},
	{"phone-dark", 390, 844, true, true},
	{"desktop-light", 1280, 800, false, false},
	{"desktop-dark", 1280, 800, false, true},
}

// tab is one page of a real browser, which fails the test on a console error.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string
	screen
	script bool
	close  func()

	clicked time.Time // when the last element was clicked

	mu     sync.Mutex
	noises []string
	meant  []string // texts of console errors that the journey provokes
}

const stepLimit = 20 * time.Second

func open(t *testing.T, base string, s screen, script bool) *tab {
	t.Helper()
	return openIn(t, base, s, script, t.TempDir())
}

// openIn starts a browser with the profile of a folder. It ends with the test,
// or with close before that.
func openIn(t *testing.T, base string, s screen, script bool, profile string) *tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.ExecPath(chromium(t)),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.UserDataDir(profile),
	)
	alloc, stopAlloc := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	ctx, stop := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {}))
	b := &tab{t: t, ctx: ctx, base: base, screen: s, script: script}
	if err := chromedp.Do(ctx); err != nil { // the browser lives as long as this context
		t.Fatalf("start chromium: %v", err)
	}
	var listening sync.WaitGroup
	listening.Go(b.listen)
	b.close = sync.OnceFunc(func() {
		stop()
		stopAlloc()
		listening.Wait()
	})
	t.Cleanup(func() {
		b.close()
		for _, noise := range b.noises {
			t.Errorf("console of %s: %s", b.name, noise)
		}
	})
	b.do(
		send(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: s.width, Height: s.height, DeviceScaleFactor: 1, Mobile: s.phone}),
		send(emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: s.phone, MaxTouchPoints: 1}),
		send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme(s.dark)}}}),
		send(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !script}),
	)
	return b
}

// send makes a command of the protocol an action.
func send[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

func scheme(dark bool) string {
	if dark {
		return "dark"
	}
	return "light"
}

func chromium(t *testing.T) string {
	t.Helper()
	for _, path := range []string{"/usr/bin/chromium", "/usr/bin/chromium-browser"} {
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Fatal("chromium is not installed; run scripts/install.sh")
	return ""
}

// listen collects exceptions and errors of the console. A refused form is
// answered with 422, which the browser also logs as an error; that one is
// meant.
func (b *tab) listen() {
	for m, err := range chromedp.Console(b.ctx) {
		if err != nil {
			return
		}
		text := m.String()
		if (m.IsException() || m.Type == chromedp.ConsoleError) && !strings.Contains(text, "422") {
			b.mu.Lock()
			if !slices.ContainsFunc(b.meant, func(m string) bool { return strings.Contains(text, m) }) {
				b.noises = append(b.noises, text)
			}
			b.mu.Unlock()
		}
	}
}

// quiet names console errors that the journey provokes, such as a status.
func (b *tab) quiet(texts ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.meant = append(b.meant, texts...)
}

// do runs steps within the limit of one step.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepLimit)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.dump("failed")
		b.t.Fatalf("%s: %v", b.name, err)
	}
}

// ask runs an action that has a value.
func ask[T any](b *tab, a chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepLimit)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		b.dump("failed")
		b.t.Fatalf("%s: %v", b.name, err)
	}
	return v
}

// dump leaves a picture and the words of the page for whoever reads a failure.
func (b *tab) dump(name string) {
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
	defer cancel()
	if shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot()); err == nil {
		path := filepath.Join(b.t.ArtifactDir(), b.name+"-"+name+".png")
		if os.WriteFile(path, shot, 0o600) == nil {
			b.t.Logf("picture in %s", path)
		}
	}
	where, _ := chromedp.Run(ctx, chromedp.Location())
	text, _ := chromedp.Run(ctx, chromedp.Text(chromedp.CSS("main")))
	b.t.Logf("at %s the page says: %.1500s", where, text)
}

func (b *tab) visit(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.base+path), chromedp.WaitReady(chromedp.CSS("main")))
}

// click waits until the page stands still: a tap goes to a place on the
// screen, and on a page that is still coming in that place moves.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.do(chromedp.WaitReady(chromedp.CSS(selector)))
	b.still()
	// To the middle: the sticky head would cover a button at the top.
	ask(b, chromedp.Evaluate[bool](fmt.Sprintf(`document.querySelector(%q).scrollIntoView({block: "center", behavior: "instant"}), true`, selector)))
	b.still()
	if wait := settled - time.Since(b.clicked); wait > 0 { // a second press at once is taken for a finger that slipped
		time.Sleep(wait)
	}
	b.do(chromedp.Click(chromedp.CSS(selector)))
	b.clicked = time.Now()
}

const layout = `document.readyState + scrollY + " " + document.body.scrollHeight`

func (b *tab) still() {
	b.t.Helper()
	before := ""
	for end := time.Now().Add(stepLimit); time.Now().Before(end); time.Sleep(40 * time.Millisecond) {
		now := ask(b, chromedp.Evaluate[string](layout))
		if now == before && strings.HasPrefix(now, "complete") {
			return
		}
		before = now
	}
}

func (b *tab) fill(selector, text string) {
	b.t.Helper()
	b.do(chromedp.SetValue(chromedp.CSS(selector), text))
}

// sees waits until the page holds the text, shown or folded away.
func (b *tab) sees(text string) {
	b.t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		if strings.Contains(b.words(), text) {
			return
		}
	}
	b.dump("missing")
	b.t.Fatalf("%s: the page does not say %q", b.name, text)
}

func (b *tab) words() string {
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.TextContent(chromedp.CSS("main")))
	if err != nil {
		return "" // between two pages there is no main
	}
	return strings.Join(strings.Fields(text), " ")
}

func (b *tab) count(selector string) int {
	b.t.Helper()
	return ask(b, chromedp.Evaluate[int](fmt.Sprintf("document.querySelectorAll(%q).length", selector)))
}

// shot leaves a picture of the first screen when SHOTS names a folder.
func (b *tab) shot(name string) {
	b.t.Helper()
	folder := os.Getenv("SHOTS")
	if folder == "" {
		return
	}
	b.do(chromedp.Sleep(200 * time.Millisecond))
	picture := ask(b, chromedp.CaptureScreenshot())
	if err := os.WriteFile(filepath.Join(folder, name+"-"+b.name+".png"), picture, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

const runAxe = `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}).then(r => JSON.stringify(
	r.violations.filter(v => v.impact === "serious" || v.impact === "critical").map(v => v.id + ": " + v.nodes.map(n => n.html).join(" | "))))`

// accessible runs axe on the page and fails on serious findings. axe is a
// script, so it looks at the same pages where script is on.
func (b *tab) accessible() {
	b.t.Helper()
	if !b.script {
		return
	}
	axe, err := os.ReadFile("../../web/node_modules/axe-core/axe.min.js")
	if err != nil {
		b.t.Fatalf("axe is not installed, run scripts/install.sh: %v", err)
	}
	ask(b, chromedp.Evaluate[bool](string(axe)+"; true"))
	found := ask(b, chromedp.Evaluate[string](runAxe, chromedp.EvalAwaitPromise))
	var list []string
	if err := json.Unmarshal([]byte(found), &list); err != nil {
		b.t.Fatal(err)
	}
	for _, f := range list {
		b.t.Errorf("%s: axe: %.700s", b.name, f)
	}
}

// noSidewaysScroll fails when the page is wider than the screen.
func (b *tab) noSidewaysScroll() {
	b.t.Helper()
	if ask(b, chromedp.Evaluate[bool](`document.documentElement.scrollWidth > document.documentElement.clientWidth`)) {
		b.t.Errorf("%s: the page scrolls sideways", b.name)
	}
}
