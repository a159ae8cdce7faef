package db

import (
	"context"
	"database/sql/driver"
	"fmt"
	"log/slog"
	"time"
)

func nothing() {}

// logStatement returns what is to be called when the statement has run. With
// the statement log off it does nothing.
func (tx *Tx) logStatement(ctx context.Context, query string, args []any) func() {
	log := tx.db.options.StatementLog
	if log == nil {
		return nothing
	}
	start := time.Now()
	return func() {
		log.LogAttrs(ctx, slog.LevelInfo, "statement",
			slog.String("sql", query),
			slog.Any("values", values(args)),
			slog.Duration("took", time.Since(start)))
	}
}

// values returns the arguments as the engine gets them, in a form that a log
// can print.
func values(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		v, err := driver.DefaultParameterConverter.ConvertValue(a)
		switch x := v.(type) {
		case []byte:
			v = fmt.Sprintf("%x", x)
		case time.Time:
			v = x.Format(time.RFC3339Nano)
		}
		if err != nil {
			v = fmt.Sprint(a)
		}
		out[i] = v
	}
	return out
}
