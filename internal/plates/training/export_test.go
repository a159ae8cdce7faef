package training_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/plates/training"
	"tectonic/internal/testkit/product"
)

func TestExportIsOneWorkspace(t *testing.T) {
	t.Parallel()
	product.Each(t, func(t *testing.T, p *product.Product) {
		mine, other := p.Person(t, "a@example.com"), p.Person(t, "b@example.com")
		mine.Week()
		mine.Must("create_exercise", map[string]any{"name": "Zercher Carry"})
		mine.Must("complete_set", map[string]any{"set_id": 1})
		sets := func(who *product.Person) (tables map[string][]map[string]any, files []string) {
			var text bytes.Buffer
			var packed bytes.Buffer
			archive := zip.NewWriter(&packed)
			err := p.DB.Read(t.Context(), func(tx *db.Tx) error {
				if err := training.ExportJSON(t.Context(), tx, who.Workspace(), &text); err != nil {
					return err
				}
				return training.Export(t.Context(), tx, who.Workspace(), archive)
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := archive.Close(); err != nil {
				t.Fatal(err)
			}
			var out struct{ Tables map[string][]map[string]any }
			if err := json.Unmarshal(text.Bytes(), &out); err != nil {
				t.Fatal(err)
			}
			back, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range back.File {
				files = append(files, f.Name)
			}
			return out.Tables, files
		}
		tables, files := sets(mine)
		if len(tables["sets"]) == 0 || tables["sets"][0]["is_completed"] != true || !slices.Contains(files, "training/sets.csv") || !slices.Contains(files, "training/training.json") {
			t.Errorf("%d sets, the first %v; files %v", len(tables["sets"]), tables["sets"][:1], files)
		}
		tables, _ = sets(other)
		for name, rows := range tables {
			if len(rows) > 0 {
				t.Errorf("another workspace's export holds %d rows of %s", len(rows), name)
			}
		}
	})
}
