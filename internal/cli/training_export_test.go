package cli_test

import (
	"archive/zip"
	"encoding/csv"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

func TestExportHoldsEverythingAndReadingsComeBack(t *testing.T) {
	t.Parallel()
	data := lifter(t)
	must(t, "", "training program generate --week 1"+data)
	must(t, "", "training health import "+aFile(t, "w.csv", "measured_at,metric,value,unit\n2026-02-01T07:00:00Z,bodyweight,180.2,lb\n")+data)
	var out struct {
		Format string
		Tables map[string][]map[string]any
	}
	if err := json.Unmarshal([]byte(must(t, "", "training export"+data)), &out); err != nil {
		t.Fatal(err)
	}
	if out.Format != "tectonic-training/1" || len(out.Tables["sets"]) == 0 || len(out.Tables["blocks"]) != 1 || len(out.Tables["readings"]) != 1 || out.Tables["sets"][0]["exercise"] == "" {
		t.Errorf("the export holds %d sets, %d blocks, %d readings", len(out.Tables["sets"]), len(out.Tables["blocks"]), len(out.Tables["readings"]))
	}
	path := filepath.Join(t.TempDir(), "training.zip")
	must(t, "", "training export --format csv --out "+path+data)
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	file, err := archive.Open("training/readings.csv")
	if err != nil {
		t.Fatal(err)
	}
	readings, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := must(t, "", "training health import --source scale "+aFile(t, "readings.csv", string(readings))+data); !strings.Contains(got, "1 rows, 0 added, 1 already there") {
		t.Errorf("the readings come back as %q", got)
	}
	sets, err := archive.Open("training/sets.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(sets).ReadAll()
	if err != nil || len(rows) != len(out.Tables["sets"])+1 {
		t.Errorf("%d rows of sets, %v", len(rows), err)
	}
	if _, errs, code := run(t, "", "training export --out "+path+data); code != 2 || !strings.Contains(errs, "it exists already") {
		t.Errorf("over a file: exit %d, %q", code, errs)
	}
	if _, _, code := run(t, "", "training export --format xml"+data); code != 2 {
		t.Errorf("an unknown format: exit %d", code)
	}
}
