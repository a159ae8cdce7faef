package contracttest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/testkit/product"
)

// The migrations of bedrock and of every plate make the same tables, columns
// and nullability on both engines.
func TestEnginesHaveTheSameTables(t *testing.T) {
	t.Parallel()
	var shapes [][]db.Column
	product.Each(t, func(t *testing.T, p *product.Product) {
		err := p.DB.Read(t.Context(), func(tx *db.Tx) error {
			columns, err := db.Columns(t.Context(), tx)
			shapes = append(shapes, columns)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	for _, other := range shapes[1:] {
		if diff := cmp.Diff(shapes[0], other); diff != "" {
			t.Errorf("columns differ (-sqlite +postgres):\n%s", diff)
		}
	}
}
