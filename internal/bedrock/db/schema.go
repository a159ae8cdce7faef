package db

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Column is a column as both engines describe it.
type Column struct {
	Table, Name string
	Nullable    bool
}

// Columns returns the columns of every table of the product, by table and
// name. Version tables and the shadow tables of a search are left out: they
// belong to the engines.
func Columns(ctx context.Context, tx *Tx) ([]Column, error) {
	rows, err := tx.QueryContext(ctx, tx.db.Dialect.columns())
	if err != nil {
		return nil, fmt.Errorf("list columns: %w", err)
	}
	defer rows.Close()
	var columns []Column
	for rows.Next() {
		var c Column
		if err := rows.Scan(&c.Table, &c.Name, &c.Nullable); err != nil {
			return nil, fmt.Errorf("list columns: %w", err)
		}
		if !strings.HasPrefix(c.Table, "schema_") && !strings.Contains(c.Table, "_search") {
			columns = append(columns, c)
		}
	}
	return columns, errors.Join(rows.Err(), rows.Close())
}
