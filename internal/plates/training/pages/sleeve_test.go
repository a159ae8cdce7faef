package pages

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/plates/training/strength"
)

func TestSleeveDrawsPlatesInProportion(t *testing.T) {
	t.Parallel()
	rack := strength.DefaultRack()

	t.Run("170 lb large", func(t *testing.T) {
		t.Parallel()
		plates, _ := rack.PerSide(170)
		v := sleeveOf(largeDrawing, plates)
		want := []shape{
			{"p p45", "16.5", "2", "20.2", "60", "2"},
			{"p p10", "38.2", "16.7", "16.8", "30.7", "2"},
			{"p p5", "56.5", "18.7", "15.7", "26.7", "2"},
			{"p ps", "73.6", "21.3", "15.7", "21.3", "2"},
		}
		if diff := cmp.Diff(want, v.shapes[3:], cmp.AllowUnexported(shape{})); diff != "" {
			t.Error(diff)
		}
		var texts []string
		for _, l := range v.letters {
			texts = append(texts, l.text)
		}
		if got := strings.Join(texts, " "); got != "45 10 5 2.5" {
			t.Errorf("letters %q", got)
		}
	})

	t.Run("the bare bar is an empty sleeve", func(t *testing.T) {
		t.Parallel()
		plates, _ := rack.PerSide(45)
		if got := len(sleeveOf(smallDrawing, plates).shapes); got != 3 {
			t.Errorf("%d shapes, want the 3 of the bar", got)
		}
	})

	t.Run("a full bar gets thinner plates without letters", func(t *testing.T) {
		t.Parallel()
		plates, _ := rack.PerSide(395)
		v := sleeveOf(largeDrawing, plates)
		if len(v.letters) != 0 || len(v.shapes) != 13 {
			t.Errorf("%d letters, %d shapes", len(v.letters), len(v.shapes))
		}
	})
}
