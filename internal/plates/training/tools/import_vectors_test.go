package tools_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"tectonic/internal/plates/training/tools"
)

// The published example of a file that is imported more than once.
func TestDedupeVectors(t *testing.T) {
	t.Parallel()
	type fates struct {
		Added        int64 `json:"added"`
		AlreadyThere int64 `json:"already_there"`
		Conflicting  int64 `json:"conflicting"`
	}
	text, err := os.ReadFile("../testdata/training-vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Area     string
		Input    json.RawMessage
		Expected json.RawMessage
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, v := range all {
		if v.Area != "health.import.dedupe" {
			continue
		}
		ran++
		var want struct{ First, Second fates }
		var in struct{ Rows int }
		if err := errors.Join(json.Unmarshal(v.Input, &in), json.Unmarshal(v.Expected, &want)); err != nil {
			t.Fatal(err)
		}
		var file strings.Builder
		file.WriteString("measured_at,metric,value,unit\n")
		for n := range in.Rows {
			fmt.Fprintf(&file, "2026-02-%02dT07:00:00Z,bodyweight,18%d.5,lb\n", n+1, n)
		}
		each(t, func(t *testing.T, g *gym) {
			l := g.lifter(t, "a@example.com")
			for _, want := range []fates{want.First, want.Second} {
				out := answer[tools.ImportHealthOut](l, "import_health", args{"file_name": "scale.csv", "source": "Scale", "file": file.String()})
				if got := (fates{out.Added, out.AlreadyThere, out.Conflicting}); got != want {
					t.Errorf("got %+v, want %+v", got, want)
				}
			}
		})
	}
	if ran == 0 {
		t.Error("no vector of the area health.import.dedupe")
	}
}
