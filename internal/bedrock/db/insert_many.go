package db

import (
	"context"
	"fmt"
	"strings"
)

// maxParameters is the most that one statement of InsertMany carries. More
// makes statements slower to parse without saving a round trip that counts.
const maxParameters = 2000

// InsertMany inserts rows into table with as few statements as their number
// of parameters allows. Each row holds one value per column, in their order.
// Use it for more than about ten rows.
func (tx *Tx) InsertMany(ctx context.Context, table string, cols []string, rows [][]any) error {
	if len(cols) == 0 || len(cols) > maxParameters {
		return fmt.Errorf("insert into %s: %d columns", table, len(cols))
	}
	batch := maxParameters / len(cols)
	for start := 0; start < len(rows); start += batch {
		part := rows[start:min(start+batch, len(rows))]
		args, err := flatten(part, len(cols))
		if err != nil {
			return fmt.Errorf("insert into %s: %w", table, err)
		}
		query := insertStatement(tx.db.Dialect, table, cols, len(part))
		if _, err := tx.ExecContext(ctx, query, args...); err != nil {
			return fmt.Errorf("insert %d rows into %s: %w", len(part), table, err)
		}
	}
	return nil
}

func flatten(rows [][]any, width int) ([]any, error) {
	args := make([]any, 0, len(rows)*width)
	for i, row := range rows {
		if len(row) != width {
			return nil, fmt.Errorf("row %d has %d values, want %d", i, len(row), width)
		}
		args = append(args, row...)
	}
	return args, nil
}

func insertStatement(d Dialect, table string, cols []string, rows int) string {
	var b strings.Builder
	b.WriteString("INSERT INTO " + quote(table) + " (")
	for i, c := range cols {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(quote(c))
	}
	b.WriteString(") VALUES ")
	n := 0
	for r := range rows {
		if r > 0 {
			b.WriteString(", ")
		}
		b.WriteByte('(')
		for c := range cols {
			if c > 0 {
				b.WriteString(", ")
			}
			n++
			b.WriteString(d.placeholder(n))
		}
		b.WriteByte(')')
	}
	return b.String()
}
