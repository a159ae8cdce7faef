package db

import (
	"context"
	"fmt"
)

// counted are the tables whose workspace_id PostgreSQL still counts.
const counted = `SELECT c.oid::regclass::text FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND a.attname = 'workspace_id'
  AND NOT a.attisdropped AND a.attstattarget IS DISTINCT FROM 0`

// plainStatistics keeps PostgreSQL from counting the rows of each workspace.
// From counts that are older than a workspace's rows (somebody has just brought
// years of training along) its planner concludes that the workspace has none,
// and then reads all of it again for each row of another table: minutes for a
// page that takes a millisecond. Without counts it takes a workspace for one in
// two hundred, which is never far enough off to hurt.
func plainStatistics(ctx context.Context, tx *Tx) error {
	if tx.Dialect() == SQLite {
		return nil
	}
	tables, err := texts(ctx, tx, counted)
	if err != nil {
		return fmt.Errorf("list the tables with a workspace: %w", err)
	}
	for _, table := range tables {
		if _, err := tx.ExecContext(ctx, "ALTER TABLE "+table+" ALTER COLUMN workspace_id SET STATISTICS 0"); err != nil {
			return fmt.Errorf("set the statistics of %s: %w", table, err)
		}
	}
	return nil
}
