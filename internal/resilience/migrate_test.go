package resilience

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tectonic/internal/bedrock/db"
)

// Six processes on one new database: one migrates, the others wait for it.
func TestSixNodesMigrateOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, p place) {
		binary(t) // built before the race begins
		var nodes sync.WaitGroup
		for range 6 {
			nodes.Go(func() {
				if out, code := p.run(t, "db", "migrate"); code != 0 || out != "The database is up to date.\n" {
					t.Errorf("migrate: exit %d: %s", code, out)
				}
			})
		}
		nodes.Wait()
		d := p.open(t)
		if got := number(t, d, "SELECT count(*) FROM training_exercises WHERE workspace_id IS NULL"); got != 54 {
			t.Errorf("the library has %d movements, want 54", got)
		}
		alone := place{data: t.TempDir()}
		alone.must(t, "db", "migrate")
		if diff := cmp.Diff(versions(t, alone.open(t)), versions(t, d)); diff != "" {
			t.Errorf("the version rows differ (-one node +six nodes):\n%s", diff)
		}
		p.must(t, "db", "check")
	})
}

// versions returns the rows of each version table.
func versions(t *testing.T, d *db.DB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range []string{"schema_bedrock", "schema_training"} {
		all[table] = column(t, d, "SELECT version_id FROM "+table+" WHERE is_applied ORDER BY version_id, id")
	}
	return all
}
