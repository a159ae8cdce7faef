//go:build browser

package journey

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
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

	mu     sync.Mutex
	noises []string
}

const stepLimit = 30 * time.Second

func open(t *testing.T, base string, s screen, script bool) *tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("headless", "new"),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-quic", true),
		chromedp.UserDataDir(t.TempDir()),
	)
	if path, err := findChromium(); err == nil {
		options = append(options, chromedp.ExecPath(path))
	}
	alloc, stopAlloc := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()), options...)
	ctx, stop := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {}))
	b := &tab{t: t, ctx: ctx, base: base, screen: s}
	t.Cleanup(func() {
		stop()
		stopAlloc()
		b.quiet()
	})
	b.listen()
	b.do(log.Enable(), runtime.Enable(),
		emulation.SetDeviceMetricsOverride(s.width, s.height, 1, s.phone),
		emulation.SetTouchEmulationEnabled(s.phone),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme(s.dark)}}),
		emulation.SetScriptExecutionDisabled(!script),
	)
	return b
}

func scheme(dark bool) string {
	if dark {
		return "dark"
	}
	return "light"
}

func findChromium() (string, error) {
	for _, path := range []string{"/usr/bin/chromium", "/usr/bin/chromium-browser"} {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", os.ErrNotExist
}

// listen collects errors of the console and exceptions of scripts. A refused
// form is answered with 422, which the browser also logs; that is expected.
func (b *tab) listen() {
	chromedp.ListenTarget(b.ctx, func(event any) {
		b.mu.Lock()
		defer b.mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.noises = append(b.noises, e.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			if e.Entry.Level == log.LevelError && !strings.Contains(e.Entry.Text, "status of 422") {
				b.noises = append(b.noises, e.Entry.Text+" "+e.Entry.URL)
			}
		}
	})
}

func (b *tab) quiet() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, noise := range b.noises {
		b.t.Errorf("console of %s: %s", b.name, noise)
	}
}

// do runs actions within the limit of one step.
func (b *tab) do(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepLimit)
	defer cancel()
	// The browser lives with the first context that runs, so that one must
	// not be the step's.
	if chromedp.FromContext(b.ctx).Target == nil {
		if err := chromedp.Run(b.ctx); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.dump("failed")
		b.t.Fatalf("%s: %v", b.name, err)
	}
}

func (b *tab) dump(name string) {
	var shot []byte
	var where, text string
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
	defer cancel()
	if chromedp.Run(ctx, chromedp.Location(&where), chromedp.FullScreenshot(&shot, 90)) == nil {
		path := filepath.Join(b.t.ArtifactDir(), b.name+"-"+name+".jpg")
		if os.WriteFile(path, shot, 0o600) == nil {
			b.t.Logf("at %s, picture in %s", where, path)
		}
	}
	if chromedp.Run(ctx, chromedp.Text("body", &text, chromedp.ByQuery)) == nil {
		b.t.Logf("the page says: %.1200s", text)
	}
}

func (b *tab) visit(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.base+path), chromedp.WaitReady("body", chromedp.ByQuery))
}

func (b *tab) click(selector string) {
	b.t.Helper()
	b.do(chromedp.ScrollIntoView(selector, chromedp.ByQuery), chromedp.Click(selector, chromedp.ByQuery))
}

func (b *tab) fill(selector, text string) {
	b.t.Helper()
	b.do(chromedp.SetValue(selector, text, chromedp.ByQuery))
}

// sees waits until the page shows the text.
func (b *tab) sees(text string) {
	b.t.Helper()
	if !b.shows(text, 10*time.Second) {
		b.dump("missing")
		b.t.Fatalf("%s: the page does not say %q", b.name, text)
	}
}

func (b *tab) shows(text string, within time.Duration) bool {
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(30 * time.Millisecond) {
		var body string
		ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
		err := chromedp.Run(ctx, chromedp.TextContent("body", &body, chromedp.ByQuery))
		cancel()
		if err == nil && strings.Contains(strings.Join(strings.Fields(body), " "), text) {
			return true
		}
	}
	return false
}

// shot leaves a picture of the first screen when SHOTS names a folder.
func (b *tab) shot(name string) {
	b.t.Helper()
	folder := os.Getenv("SHOTS")
	if folder == "" {
		return
	}
	var picture []byte
	b.do(chromedp.Sleep(150*time.Millisecond), chromedp.CaptureScreenshot(&picture))
	if err := os.WriteFile(filepath.Join(folder, name+"-"+b.name+".png"), picture, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// accessible runs axe on the page and fails on serious findings.
func (b *tab) accessible() {
	b.t.Helper()
	axe, err := os.ReadFile("../../web/node_modules/axe-core/axe.min.js")
	if err != nil {
		b.t.Fatalf("axe is not installed, run npm ci in web/: %v", err)
	}
	var found string
	b.do(
		chromedp.Evaluate(string(axe)+";undefined", nil),
		chromedp.Evaluate(`axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}).then(r => JSON.stringify(r.violations.filter(v => v.impact === "serious" || v.impact === "critical").map(v => v.id + ": " + v.nodes.map(n => n.html).join(" | "))))`,
			&found, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }),
	)
	var list []string
	if err := json.Unmarshal([]byte(found), &list); err != nil {
		b.t.Fatal(err)
	}
	for _, f := range list {
		b.t.Errorf("%s: axe: %.600s", b.name, f)
	}
}

// noSidewaysScroll fails when the page is wider than the screen.
func (b *tab) noSidewaysScroll() {
	b.t.Helper()
	var wide bool
	b.do(chromedp.Evaluate(`document.documentElement.scrollWidth > document.documentElement.clientWidth`, &wide))
	if wide {
		b.t.Errorf("%s: the page scrolls sideways", b.name)
	}
}

func (b *tab) count(selector string) int {
	b.t.Helper()
	var n int
	b.do(chromedp.Evaluate(fmt.Sprintf("document.querySelectorAll(%q).length", selector), &n))
	return n
}
