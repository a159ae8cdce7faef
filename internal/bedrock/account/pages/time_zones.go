package pages

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"tectonic/internal/web/ui"
)

//go:embed time_zones.txt
var zoneNames string

// knownZones are the zones to choose from, UTC first, under their regions.
var knownZones = sync.OnceValue(func() []ui.Option {
	options := []ui.Option{{Value: "UTC", Text: "UTC"}}
	for name := range strings.FieldsSeq(zoneNames) {
		region, place, _ := strings.Cut(name, "/")
		options = append(options, ui.Option{Value: name, Text: readable(place), Group: region})
	}
	return options
})

func readable(place string) string {
	return strings.NewReplacer("_", " ", "/", ", ").Replace(place)
}

// zoneOptions returns the known zones, and the chosen one when it is none of
// them, so that showing a form never changes it.
func zoneOptions(chosen string) []ui.Option {
	known := knownZones()
	if chosen == "" || slices.ContainsFunc(known, func(o ui.Option) bool { return o.Value == chosen }) {
		return known
	}
	return append([]ui.Option{{Value: chosen, Text: chosen}}, known...)
}
