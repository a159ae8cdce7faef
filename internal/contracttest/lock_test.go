package contracttest

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/app"
	"tectonic/internal/bedrock/contract"
)

// The lock and the reference in the repository are those of the tools as they
// are. Whoever changes what callers rely on sees it in the review.
func TestTheLockAndTheReferenceAreFresh(t *testing.T) {
	t.Parallel()
	var registries []*contract.Registry
	for _, p := range app.Catalog() {
		r, err := app.Registry(p)
		if err != nil {
			t.Fatal(err)
		}
		registries = append(registries, r)
	}
	for path, want := range map[string]string{
		"../../contract.lock":           contract.NewLock(registries...).String(),
		"../../docs/reference/tools.md": contract.Reference(registries...),
	} {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(got), want); diff != "" {
			t.Errorf("%s is old; run: make generate (-file +tools)\n%s", path, diff)
		}
	}
}
