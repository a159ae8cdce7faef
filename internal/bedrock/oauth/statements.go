package oauth

import (
	"context"
	"database/sql"
	"sync"

	"tectonic/internal/bedrock/db"
	"tectonic/internal/bedrock/oauth/store"
)

// statements keeps the statements of the check that every call pays for.
// SQLite would parse and plan its five tables each time, which takes four
// times as long as running it; PostgreSQL's driver keeps its own.
type statements struct {
	db     *sql.DB
	mu     sync.Mutex
	kept   map[string]*sql.Stmt
	wanted []string
}

// in returns the queries of a read, with its statements kept.
func (s *statements) in(tx *db.Tx) *store.Queries {
	if tx.Dialect() != db.SQLite {
		return store.New(tx)
	}
	return store.New(keptTx{tx, s})
}

// get returns the kept statement, or nil and remembers that it is wanted.
func (s *statements) get(query string) *sql.Stmt {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stmt, ok := s.kept[query]; ok {
		return stmt
	}
	s.wanted = append(s.wanted, query)
	return nil
}

// settle prepares what was wanted. It is called between reads: inside one, all
// connections could be waiting for another to prepare on.
func (s *statements) settle(ctx context.Context) {
	s.mu.Lock()
	wanted := s.wanted
	s.wanted = nil
	s.mu.Unlock()
	for _, query := range wanted {
		if stmt, err := s.db.PrepareContext(ctx, query); err == nil {
			s.keep(query, stmt)
		}
	}
}

func (s *statements) keep(query string, stmt *sql.Stmt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.kept[query]; ok {
		stmt.Close() // another call was faster
		return
	}
	s.kept[query] = stmt
}

// keptTx is a read whose single-row queries are kept statements.
type keptTx struct {
	*db.Tx
	statements *statements
}

// QueryRowContext runs the kept statement on the connection of the read, or
// the text when it is not kept yet.
func (tx keptTx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	kept := tx.statements.get(query)
	if kept == nil {
		return tx.Tx.QueryRowContext(ctx, query, args...)
	}
	stmt := tx.SQL().StmtContext(ctx, kept)
	defer stmt.Close() // the row holds what it needs
	return stmt.QueryRowContext(ctx, args...)
}
