package health_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/plates/training/health"
)

type found struct {
	Metric string
	Value  string
	Unit   string
	Source string
}

// readFile returns what a file holds and why lines were rejected.
func readFile(t *testing.T, text string, f health.File) (list []found, at []string, rejected []string, err error) {
	t.Helper()
	if f.Zone == nil {
		f.Zone = time.UTC
	}
	format, err := f.Read(strings.NewReader(text), &health.Reader{
		Add: func(l health.Line) error {
			list, at = append(list, found{string(l.Metric), l.Text, l.Unit, l.Source}), append(at, l.At.UTC().Format(time.RFC3339))
			return nil
		},
		Reject: func(_ int, why string) { rejected = append(rejected, why) },
	})
	for i := range list {
		if list[i].Source != "" {
			list[i].Source = string(format) + "/" + list[i].Source
		}
	}
	return list, at, rejected, err
}

func TestFormats(t *testing.T) {
	t.Parallel()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"health.import.withings", "health.import.garmin", "health.import.apple_health"} {
		for _, v := range vectors(t, format) {
			var in struct {
				Header, Row, Record string
				Rows                []string
			}
			var want []found
			read(t, v.Input, &in)
			read(t, v.Expected, &want)
			text := strings.Join(append(in.Rows, in.Header, in.Row), "\n")
			if in.Record != "" {
				text = `<?xml version="1.0"?><!DOCTYPE HealthData [<!ELEMENT HealthData ANY>]><HealthData>` + in.Record + "</HealthData>"
			}
			got, at, rejected, err := readFile(t, strings.TrimSpace(text), health.File{Zone: zone})
			if err != nil || rejected != nil {
				t.Errorf("%s: %v, %v", format, err, rejected)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", format, diff)
			}
			for _, one := range at {
				if !strings.HasPrefix(one, "2026-03-02T12:11:") {
					t.Errorf("%s: measured at %s", format, one)
				}
			}
		}
	}
}

func TestOwnFormatsAndRejectedLines(t *testing.T) {
	t.Parallel()
	got, _, rejected, err := readFile(t, `[{"measured_at":"2026-03-02T07:00:00Z","metric":"bodyweight","value":81.64,"unit":"kg","source":"Scale"},{"metric":5}]`, health.File{})
	if diff := cmp.Diff([]found{{"bodyweight", "81.64", "kg", "json/Scale"}}, got); diff != "" || err != nil || len(rejected) != 1 {
		t.Errorf("json: %v, %v, %s", err, rejected, diff)
	}
	got, _, rejected, err = readFile(t, "measured_at,metric,value,unit\n2026-03-02T07:00:00Z,bodyweight,180.0,lb\n2026-03-02T08:00:00Z,bodyweight,900,lb\nsoon,bodyweight,180,lb\n2026-03-02T08:00:00Z,mood,5,lb\n2026-03-02T08:00:00Z,bmi,x,kg/m2\n1,2\n", health.File{})
	want := []string{
		"body weight 900 is out of range; use 44-880 lb", `"soon" is not an instant`, `"mood" is not a metric`, `"x" is not a number`, "the line has fewer than four cells",
	}
	if diff := cmp.Diff(want, rejected); diff != "" || err != nil || len(got) != 1 {
		t.Errorf("csv: %v, %d readings, %s", err, len(got), diff)
	}
}

func TestFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]error{
		"hello":                               health.ErrUnknown,
		"":                                    health.ErrUnknown,
		"Date,Weight\n2026-03-02 07:00:00,80": health.ErrNoUnit,
		`<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>`: health.ErrEntities,
	} {
		if _, _, _, err := readFile(t, text, health.File{}); !errors.Is(err, want) {
			t.Errorf("%.30q: %v, want %v", text, err, want)
		}
	}
}
