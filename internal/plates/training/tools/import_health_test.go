package tools_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"tectonic/internal/bedrock/contract"
	"tectonic/internal/bedrock/fault"
	"tectonic/internal/plates/training/tools"
)

func oneWeight(value string) string {
	return "measured_at,metric,value,unit\n2026-02-01T07:00:00Z,bodyweight," + value + ",lb\n"
}

// Three imports give one reading three values. Whichever is undone, the value
// of the newest one that is left stands.
func TestUndoGivesTheValueBackWhateverTheOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		undo []int64
		want []string // after each undo; "" = the reading is gone
	}{
		{[]int64{3, 2, 1}, []string{"181", "180", ""}},
		{[]int64{2, 3, 1}, []string{"182", "180", ""}},
		{[]int64{1, 2, 3}, []string{"182", "182", ""}},
		{[]int64{1, 3, 2}, []string{"182", "181", ""}},
	} {
		each(t, func(t *testing.T, g *gym) {
			l := g.lifter(t, "a@example.com")
			for _, value := range []string{"180", "181", "182"} {
				l.must("import_health", args{"file_name": "scale.csv", "file": oneWeight(value), "replace": true})
			}
			for i, imported := range c.undo {
				l.must("undo_health_import", args{"import_id": imported})
				if c.want[i] == "" {
					if n := g.count(t, "SELECT count(*) FROM training_health_readings"); n != 0 {
						t.Errorf("undo %v: %d readings are left", c.undo[:i+1], n)
					}
					continue
				}
				if g.count(t, "SELECT count(*) FROM training_health_readings WHERE value_text = $1", c.want[i]) != 1 {
					t.Errorf("undo %v: the value is not %s", c.undo[:i+1], c.want[i])
				}
			}
		})
	}
}

// manyWeights is a file of n readings a minute apart.
func manyWeights(n int) string {
	var b strings.Builder
	b.WriteString("measured_at,metric,value,unit\n")
	for i := range n {
		fmt.Fprintf(&b, "2026-02-%02dT%02d:%02d:00Z,bodyweight,18%d,lb\n", 1+i/1440, i/60%24, i%60, i%10)
	}
	return b.String()
}

func TestAnImportThatWasCutOffGoesOn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		in := args{"file_name": "scale.csv", "file": manyWeights(2500)}
		first := answer[tools.ImportHealthOut](l, "import_health", in)
		// As after a crash behind the second batch.
		l.exec("DELETE FROM training_health_readings WHERE id > 2000")
		l.exec("UPDATE training_imports SET finished_at = NULL")
		again := answer[tools.ImportHealthOut](l, "import_health", in)
		if *again.ImportID != *first.ImportID || again.Added != 2500 || again.AlreadyThere != 0 {
			t.Errorf("gone on with: %+v", again)
		}
		if n := g.count(t, "SELECT count(*) FROM training_health_readings") + g.count(t, "SELECT count(*) FROM training_imports WHERE finished_at IS NOT NULL"); n != 2501 {
			t.Errorf("%d readings and finished imports", n)
		}
		// A file that breaks half way is refused as a whole.
		broken := "[" + strings.Repeat(`{"measured_at":"2026-03-01T07:00:00Z","metric":"bmi","value":25,"unit":"kg/m2"},`, 1500) + "{"
		l.refused(fault.Invalid, "The file is not whole JSON.", "import_health", args{"file_name": "x.json", "file": broken})
		if n := g.count(t, "SELECT count(*) FROM training_imports"); n != 1 {
			t.Errorf("a refused file left an import: %d", n)
		}
	})
}

func TestAppleHealthComesZipped(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("apple_health_export/export.xml")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, `<?xml version="1.0"?><HealthData><Record type="HKQuantityTypeIdentifierBodyMass" sourceName="Scale" unit="kg" startDate="2026-02-01 07:00:00 +0000" value="81.6"/></HealthData>`)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, g *gym) {
		l := g.lifter(t, "a@example.com")
		if got := l.must("import_health", args{"file_name": "export.zip", "file": b.String()}); got != "apple_health/Scale: 1 rows, 1 added, 0 already there, 0 conflicting, 0 rejected" {
			t.Errorf("said %q", got)
		}
		l.who.Transport = contract.OverWeb
		l.refused(fault.Invalid, "The file is larger than 20 MB; use the import command.", "import_health", args{"file_name": "x", "file": strings.Repeat("x", 20<<20+1)})
	})
}
