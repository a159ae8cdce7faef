package db_test

import (
	"testing"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/dbtype"
	"tectonic/internal/testkit"
)

func TestRecordIsAppendOnly(t *testing.T) {
	t.Parallel()
	const insert = `INSERT INTO record_rows (ref, phase, at, plate, tool, transport, actor_type, outcome, contract_version)
		VALUES ('rf_a', 'outcome', $1, 'training', 'create_set', 'web', 'user', 'ok', 4)`
	changes := map[string]string{
		"an update":               "UPDATE record_rows SET tool = 'x'",
		"an update of nothing":    "UPDATE record_rows SET tool = 'x' WHERE ref = 'none'",
		"a deletion":              "DELETE FROM record_rows",
		"the same call once more": insert,
	}
	only := map[db.Dialect]map[string]string{
		db.SQLite: {"a replacement": "INSERT OR REPLACE" + insert[len("INSERT"):]},
		db.Postgres: {
			"a truncation": "TRUNCATE record_rows",
			"an upsert":    insert + " ON CONFLICT (ref, phase) DO UPDATE SET tool = 'x'",
		},
	}
	testkit.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		exec := func(statement string) error {
			return d.Write(ctx, func(tx *db.Tx) error {
				var args []any
				if statement[:6] == "INSERT" {
					args = []any{dbtype.At(tx.Now())}
				}
				_, err := tx.ExecContext(ctx, statement, args...)
				return err
			})
		}
		if err := exec(insert); err != nil {
			t.Fatal(err)
		}
		refuse := func(name, statement string) {
			t.Run("refuses "+name, func(t *testing.T) {
				// SQLite's triggers are per row: an update of nothing passes.
				if err := exec(statement); err == nil && !(d.Dialect == db.SQLite && name == "an update of nothing") {
					t.Error("it passed")
				}
			})
		}
		for name, statement := range changes {
			refuse(name, statement)
		}
		for name, statement := range only[d.Dialect] {
			refuse(name, statement)
		}
		var tool string
		err := d.Read(ctx, func(tx *db.Tx) error {
			return tx.QueryRowContext(ctx, "SELECT tool FROM record_rows WHERE sequence = (SELECT max(sequence) FROM record_rows)").Scan(&tool)
		})
		if err != nil || tool != "create_set" || count(t, d, "record_rows") != 1 {
			t.Errorf("the row is now of tool %q, %v", tool, err)
		}
	})
}
