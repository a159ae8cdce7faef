package ui

import (
	"maps"
	"slices"
	"sync"

	"github.com/a-h/templ"
)

// shapes holds the icons: strokes on a grid of 24 by 24.
var shapes = map[string]string{
	"check":   `<path d="M4.5 12.5 9.5 17.5 19.5 7"/>`,
	"done":    `<circle cx="12" cy="12" r="9.5"/><path d="m7.5 12.3 3.2 3.2 5.8-6.5"/>`,
	"changed": `<circle cx="12" cy="12" r="9.5"/><path d="M7.5 10h9M7.5 14h9M14.3 7.2 9.7 16.8"/>`,
	"open":    `<circle cx="12" cy="12" r="9.5"/>`,
	"waiting": `<circle cx="12" cy="12" r="9.5" stroke-dasharray="6 4"/><circle cx="12" cy="12" r="2.5" fill="currentColor"/>`,
	"missed":  `<circle cx="12" cy="12" r="9.5"/><path d="m8.5 8.5 7 7m0-7-7 7"/>`,
	"cross":   `<path d="m6 6 12 12M18 6 6 18"/>`,
	"chev":    `<path d="m6 9 6 6 6-6"/>`,
	"next":    `<path d="m9 6 6 6-6 6"/>`,
	"prev":    `<path d="m15 6-6 6 6 6"/>`,
	"warn":    `<path d="M12 3.5 21.5 20h-19zM12 10v4.5M12 17.3v0.1"/>`,
	"fence":   `<path d="M5 21V7l2.5-3L10 7v14M14 21V7l2.5-3L19 7v14M2.5 11h19M2.5 16.5h19"/>`,
	"info":    `<circle cx="12" cy="12" r="9.5"/><path d="M12 11v5.5M12 7.5v0.1"/>`,
	"today":   `<path d="M1.5 12h21"/><path d="M7 5.5v13M17 5.5v13M4 8.5v7M20 8.5v7"/>`,
	"plan":    `<path d="M3 6.5h11M3 12h15M3 17.5h18"/><path d="M17.5 4.5v4M20.5 10v4"/>`,
	"history": `<path d="M8 3h8v18H8z"/><path d="M8 8.5h8M8 12.5h8M8 17h8"/>`,
	"volume":  `<path d="M4 20v-6M9.3 20V9M14.7 20V5M20 20v-9"/>`,
	"more":    `<path d="M5 12h0.1M12 12h0.1M19 12h0.1" stroke-width="3.5"/>`,
	"search":  `<circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/>`,
	"copy":    `<rect x="8.5" y="8.5" width="12" height="12" rx="2"/><path d="M15.5 5.5v-2h-12v12h2"/>`,
	"print":   `<path d="M7 8V3.5h10V8M7 17H3.5V8h17v9H17M7 14h10v6.5H7z"/>`,
	"dots":    `<path d="M6 12h0.1M12 12h0.1M18 12h0.1" stroke-width="3"/>`,
	"run":     `<circle cx="12" cy="12" r="9.5" stroke-dasharray="40 20"/><circle cx="12" cy="12" r="2.5" fill="currentColor"/>`,
	"stop":    `<rect x="5" y="5" width="14" height="14" rx="2"/>`,
	"key":     `<circle cx="8" cy="15" r="4.5"/><path d="m11.5 11.5 9-9M16.5 7l3.5 3.5"/>`,
	"tomb":    `<path d="M5 21V11a7 7 0 0 1 14 0v10M3 21h18M9 12h6"/>`,
	"sun":     `<circle cx="12" cy="12" r="4"/><path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"/>`,
	"out":     `<path d="M14 4H5v16h9M10 12h11M17 8l4 4-4 4"/>`,
	"pen":     `<path d="M4 20l1-4L16.5 4.5l3 3L8 19z"/>`,
	"plus":    `<path d="M12 5v14M5 12h14"/>`,
}

// Icons returns the names of all icons, sorted.
func Icons() []string { return slices.Sorted(maps.Keys(shapes)) }

// icons are the drawings made so far: a page has a hundred of them, of a few
// kinds.
var icons sync.Map // of iconKey to string

type iconKey struct{ name, class string }

func drawn(name, class string) string {
	key := iconKey{name, class}
	if svg, ok := icons.Load(key); ok {
		return svg.(string)
	}
	classes := "ic"
	if class != "" {
		classes += " " + templ.EscapeString(class)
	}
	svg := `<svg class="` + classes + `" viewBox="0 0 24 24" aria-hidden="true" focusable="false">` + shapes[name] + `</svg>`
	icons.Store(key, svg)
	return svg
}
